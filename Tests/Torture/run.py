"""Clients at work on a server while a part makes trouble, and what is said at the end."""
import asyncio
import time

from client import Client, account
from rig import Server

CLIENTS = 4
ENDLESS = 100_000_000  # operations of a client that works until it is told to end


class Run:
    """A server and clients; `begin`, trouble, `end`, then `tally` with the figures."""

    def __init__(self, name, proxy=None, clients=CLIENTS, each=ENDLESS, server=None):
        self.name, self.server, self.proxy = name, server or Server(), proxy
        self.clients = [Client(f"{name}{i}", 0, each) for i in range(clients)]
        self.began = time.monotonic()

    async def served(self):
        await self.server.ready.wait()
        for client in self.clients:
            client.port = self.proxy.port if self.proxy else self.server.port
        if self.proxy:
            self.proxy.target = self.server.port

    def begin(self):
        return [asyncio.create_task(client.run(self.served)) for client in self.clients]

    def finish_work(self):
        """Nothing new is done from now on."""
        for client in self.clients:
            client.target = client.next - 1
            client.die()

    async def end(self, tasks, seconds=120):
        """Every client's work is acknowledged; then the server dies and its log is read."""
        self.finish_work()
        try:
            await asyncio.wait_for(asyncio.gather(*tasks), seconds)
        except asyncio.TimeoutError:
            stuck = [f"{c.name} has {len(c.pending)} pending ({getattr(c, 'fault', '')!r})"
                     for c in self.clients if not c.is_done]
            raise AssertionError(f"{self.name}: stuck: {stuck}")
        self.seconds = time.monotonic() - self.began
        await self.server.kill()
        entries, _ = self.server.entries()
        return entries, account(self.clients, entries)

    @property
    def acknowledged(self):
        return sum(len(c.acknowledged) for c in self.clients)

    @property
    def refused(self):
        return sum(c.refused for c in self.clients)

    def tally(self, entries, wrong, more, **also):
        """Prints the line of a part; answers what the last line sums up."""
        if wrong:
            print(f"{self.name}: kept for a look: {self.server.base}")
        else:
            self.server.remove()
        acknowledged = self.acknowledged + also.pop("acknowledged", 0)
        print(f"{self.name}: {more}; {len(entries)} entries, {acknowledged} acknowledged, "
              f"{sum(c.connects for c in self.clients)} connections, {self.refused} "
              f"storage_failed, {len(wrong)} faults, {len(entries) / self.seconds:.0f} "
              f"entries/s, {self.seconds:.0f} s", flush=True)
        return Tally(wrong, acknowledged=acknowledged, **also)


class Tally:
    """What came of a part: faults as (kind, sentence), and counts that are summed up."""

    KINDS = ("lost", "twice", "out of order", "wrong event", "other")

    def __init__(self, wrong=(), **counts):
        self.wrong = list(wrong)
        self.counts = {"kills": 0, "acknowledged": 0, "events": 0} | counts

    def __add__(self, other):
        counts = {name: n + other.counts[name] for name, n in self.counts.items()}
        return Tally(self.wrong + other.wrong, **counts)

    @property
    def line(self):
        found = {kind: sum(1 for k, _ in self.wrong if k == kind) for kind in self.KINDS}
        return (f"{self.counts['kills']} kills, {self.counts['acknowledged']} acknowledged, "
                f"{self.counts['events']} events told: {found['lost']} lost, {found['twice']} "
                f"twice, {found['out of order']} out of order, {found['wrong event']} wrong "
                f"events, {found['other']} other faults")
