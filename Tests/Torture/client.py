"""A client of docs/protocol.md that keeps an account: what it did, and what it was told.

It is a process that dies and comes back: what it does is written down before it is sent, as the
page demands, so that after any cut or kill it submits the same content under the same number again.
"""
import asyncio
import json
import secrets

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from plainlist import PlainList

WINDOW = 64  # mutations under way at once


class Wrong(Exception):
    """The server broke a promise."""


class Client:
    """Inserts elements with IDs `NAME-N`, one a mutation, and follows the list that all share."""

    def __init__(self, name, port, target, rate=None):
        self.name, self.port, self.target = name, port, target
        self.rate = rate  # mutations a second at most
        self.client = f"{name}-{secrets.token_hex(8)}"
        self.next = 1
        self.pending = {}  # n: operations
        self.acknowledged = {}  # n: version told
        self.out_of_turn = set()  # n that may have been skipped at first, and logged later
        self.refused = 0  # storage_failed, told
        self.epoch, self.version = None, 0
        self.seen = {}  # version: (client, n), as told by entries
        self.list = PlainList()
        self.socket, self.connects = None, 0

    @property
    def is_done(self):
        return self.next > self.target and not self.pending

    async def run(self, may_connect):
        """Until all is acknowledged; `may_connect` is awaited before each connection."""
        while not self.is_done:
            await may_connect()
            try:
                uri = f"ws://127.0.0.1:{self.port}/"
                async with connect(
                        uri, subprotocols=["samelist.v1"], compression=None, open_timeout=3,
                        close_timeout=0.2, ping_interval=None, max_size=None) as socket:
                    self.socket = socket
                    await self.talk(socket)
            except (OSError, asyncio.TimeoutError, EOFError) as fault:
                self.fault = fault
            except Exception as fault:
                if isinstance(fault, (Wrong, KeyError, AssertionError)):
                    raise
                self.fault = fault
            self.socket = None
            await asyncio.sleep(0.02)

    def work(self, n):
        """The operations of mutation `n`."""
        return [{"insert": f"{self.name}-{n}", "f": {"n": n}}]

    def die(self):
        """kill -9: the connection goes without a word; what was written down stays."""
        if self.socket is not None:
            self.socket.transport.abort()

    async def talk(self, socket):
        self.connects += 1
        await self.say(socket, t="hello", v=1, client=self.client, name=self.name)
        at = {"at": [self.epoch, self.version]} if self.epoch else {}
        await self.say(socket, t="open", list="torture", create=True, heard=self.heard, **at)
        repeated, opened, pacing = sorted(self.pending), False, None
        try:
            while not self.is_done:
                # Nothing may be said for long: the line is dead, though it be open.
                message = json.loads(await asyncio.wait_for(socket.recv(), 3))
                self.take(message)
                if message["t"] == "caught-up":
                    for n in repeated:
                        await self.submit(socket, n, again=True)
                    opened = True
                    if self.rate:
                        pacing = asyncio.ensure_future(self.pace(socket))
                if opened and not self.rate:
                    await self.propose(socket)
        finally:
            if pacing:
                pacing.cancel()

    def take(self, message):
        kind = message["t"]
        if kind == "snapshot":
            self.take_snapshot(message)
        elif kind == "entries":
            for entry in message["entries"]:
                self.take_entry(entry)
        elif kind == "outcome":
            self.take_outcome(message)
        elif kind == "caught-up":
            self.epoch = message["epoch"]
            if message["version"] != self.version:
                raise Wrong(f"{self.name}: caught up at {message['version']}, is at {self.version}")
        elif kind == "goodbye" or message.get("code") in ("storage_failed", "draining"):
            raise EOFError(kind)
        elif kind in ("error", "gone"):
            raise Wrong(f"{self.name}: {message}")

    async def pace(self, socket):
        """New work at the client's rate, as long as the connection lasts."""
        tick, allowed = 0.02, 0.0
        try:
            while not self.is_done:
                allowed = min(WINDOW, allowed + self.rate * tick)
                allowed -= await self.propose(socket, int(allowed))
                await asyncio.sleep(tick)
        except (OSError, ConnectionClosed):
            pass  # as `talk` hears, too

    @property
    def heard(self):
        return min(self.pending, default=self.next) - 1

    async def propose(self, socket, most=WINDOW):
        """Begins new work; answers how much."""
        begun = 0
        while begun < most and len(self.pending) < WINDOW and self.next <= self.target:
            n, self.next, begun = self.next, self.next + 1, begun + 1
            self.pending[n] = self.work(n)
            await self.submit(socket, n)
        return begun

    async def submit(self, socket, n, **more):
        if n in self.pending:
            await self.say(socket, t="submit", list="torture", n=n, heard=self.heard,
                           ops=self.pending[n], **more)

    async def say(self, socket, **message):
        await socket.send(json.dumps(message))

    def take_snapshot(self, part):
        """A position counts only with all its rows, so parts are kept aside until the last."""
        if part["part"] == 0:
            self.parts = PlainList()
        for row in part["rows"]:
            self.parts.take_row(row)
        if part.get("last"):
            if part["epoch"] != self.epoch:
                self.seen = {}
            self.list = self.parts
            self.epoch, self.version = part["epoch"], part["version"]

    def take_entry(self, entry):
        v = entry["v"]
        origin = (entry["c"], entry["n"])
        if v <= self.version:
            if self.seen.get(v, origin) != origin:
                raise Wrong(f"{self.name}: version {v} is {origin}, was {self.seen[v]}")
            return
        if v != self.version + 1:
            raise Wrong(f"{self.name}: entry {v} behind {self.version}")
        self.version, self.seen[v] = v, origin
        self.list.apply(entry)

    def take_outcome(self, outcome):
        n = outcome["n"]
        refused = outcome.get("refused")
        if refused:
            if refused["code"] not in ("storage_failed", "draining"):
                raise Wrong(f"{self.name}: mutation {n} {refused}")
            # Not now: said again, under the same number, on the next connection.
            self.refused += 1
            raise EOFError("refused")
        version = outcome.get("version")  # none: nothing was left to be logged
        if n not in self.pending and n not in self.acknowledged:
            raise Wrong(f"{self.name}: an outcome of {n}, which it never submitted")
        if self.acknowledged.get(n, version) != version:
            raise Wrong(f"{self.name}: {n} acknowledged as two versions")
        self.acknowledged[n] = version
        self.pending.pop(n, None)


def account(clients, entries):
    """What is wrong between the accounts and the log: acknowledged is in it, once, in order. Faults
    are (kind, sentence)."""
    faults = []
    if [e["v"] for e in entries] != list(range(1, len(entries) + 1)):
        faults.append(("out of order", "versions of the log are not dense"))
    versions = {}
    for entry in entries:
        versions.setdefault((entry["c"], entry["n"]), []).append(entry["v"])
    for origin, found in versions.items():
        if len(found) > 1:
            faults.append(("twice", f"{origin} was logged {len(found)} times: {found}"))
    lists = ListAt(entries)
    for client in sorted(clients, key=lambda client: client.version):
        faults += account_of(client, versions)
        plain = lists.at(client.version)
        if (client.list.order, client.list.fields) != (plain.order, plain.fields):
            faults.append(("other", f"{client.name}: shows another list than the log comes to"))
    return faults


def account_of(client, versions):
    for n, version in client.acknowledged.items():
        found = versions.get((client.client, n), [])
        if found != [version] and (version or found):
            yield "lost", f"{client.name}: {n} was acknowledged as {version}, logged as {found}"
    told = [v for n, v in sorted(client.acknowledged.items()) if v and n not in client.out_of_turn]
    # What was refused for the moment comes later than what was under way behind it.
    if client.refused == 0 and told != sorted(told):
        yield "out of order", f"{client.name}: its work was logged in another order than done"
    for v, origin in client.seen.items():
        if versions.get(origin) != [v]:
            yield "lost", f"{client.name}: saw {origin} as {v}, logged {versions.get(origin)}"


class ListAt:
    """The list that a log comes to, at one version after another."""

    def __init__(self, entries):
        self.entries, self.list, self.version = entries, PlainList(), 0

    def at(self, version):
        for entry in self.entries[self.version:version]:
            self.list.apply(entry)
        self.version = max(self.version, version)
        return self.list
