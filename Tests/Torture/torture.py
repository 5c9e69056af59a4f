"""Kills, faults and bad lines on real processes, and the account of what became of the work.

Usage: torture.py [kills N] [power N] [calls N] [faults] [full] [lines N] [backup] [--seed S]
Each part prints a line of figures; exit status 1 with the faults where something was lost, twice or
out of order. Needs strace for `calls` and `faults`, and root for `full`, which are skipped without.
"""
import asyncio
import os
import random
import shutil
import subprocess
import sys
import time

from client import Client, account
from power import PoweredServer, compiler
from proxy import Proxy
from rig import SAMELISTD, Server, order_of, read_log

CLIENTS = 4


class Run:
    """Clients at work on a server, and what is said at the end."""

    def __init__(self, name, each, proxy=None, clients=CLIENTS, server=None):
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

    async def end(self, tasks, seconds=120):
        """Every client's work is done and acknowledged; then the server dies and its log is read."""
        try:
            await asyncio.wait_for(asyncio.gather(*tasks), seconds)
        except asyncio.TimeoutError:
            stuck = [f"{c.name} has {len(c.pending)} pending ({getattr(c, 'fault', '')!r})"
                     for c in self.clients if not c.is_done]
            raise AssertionError(f"{self.name}: stuck: {stuck}")
        await self.server.kill()
        entries, checked = self.server.entries()
        faults = account(self.clients, entries, order_of(entries))
        self.server.remove()
        return entries, faults

    def figures(self, entries, faults, more):
        seconds = time.monotonic() - self.began
        told = sum(len(c.acknowledged) for c in self.clients)
        refused = sum(c.refused for c in self.clients)
        print(f"{self.name}: {more}; {len(entries)} entries, {told} acknowledged, "
              f"{sum(c.connects for c in self.clients)} connections, {refused} storage_failed, "
              f"{len(faults)} faults, {told / seconds:.0f} operations/s, {seconds:.0f} s", flush=True)
        return faults


async def kills(count, rng):
    """kill -9 of the server, and of clients, while all work as fast as they can."""
    run = Run("kills", 100_000_000)
    await run.server.start()
    tasks = run.begin()
    for turn in range(count):
        await asyncio.sleep(rng.uniform(0.05, 0.4))
        for client in rng.sample(run.clients, rng.randrange(0, 3)):
            client.die()
        await run.server.kill()
        await run.server.start()
    for client in run.clients:
        client.target = client.next - 1
        client.die()
    entries, faults = await run.end(tasks)
    return run.figures(entries, faults, f"{count} kills of the server")


async def power(count, rng):
    """Cuts of power: what was written and not flushed is lost, page by page as it happens (DB1)."""
    server = PoweredServer()
    run = Run("power", 100_000_000, server=server)
    await server.start()
    tasks = run.begin()
    for turn in range(count):
        await asyncio.sleep(rng.uniform(0.05, 0.4))
        await server.cut(rng)
        if not await server.start():
            raise AssertionError(f"cut {turn}: the server does not start: {server.log.read_text()}")
    for client in run.clients:
        client.target = client.next - 1
        client.die()
    entries, faults = await run.end(tasks)
    return run.figures(entries, faults, f"{count} cuts, {server.lost} pages lost")


CALLS = ("pwrite64", "fdatasync", "fsync", "write", "ftruncate")


async def calls(count, rng):
    """SIGKILL at the n-th call that writes or flushes, for n = 1 … count, on one data folder."""
    run = Run("calls", 100_000_000)
    await run.server.start()
    tasks = run.begin()
    await asyncio.sleep(0.3)
    hit = 0
    for n in range(1, count + 1):
        await run.server.kill()
        call = CALLS[n % 2] if n % 5 else CALLS[n % len(CALLS)]
        served = await run.server.start([f"{call}:signal=SIGKILL:when={n}"])
        try:
            await asyncio.wait_for(run.server.process.wait(), 2 if served else 5)
            hit += 1
        except asyncio.TimeoutError:
            pass
        run.server.ready.clear()
        if n % 10 == 0:  # a while in which something is acknowledged
            await run.server.kill()
            await run.server.start()
            await asyncio.sleep(0.1)
    await run.server.kill()
    await run.server.start()
    for client in run.clients:
        client.target = client.next - 1
        client.die()
    entries, faults = await run.end(tasks)
    return run.figures(entries, faults, f"{hit} of {count} calls killed it")


async def faults(rng):
    """ENOSPC and EIO at the n-th call: refused, then again well, without a restart."""
    run = Run("faults", 100_000_000)
    await run.server.start()
    tasks = run.begin()
    tried = 0
    for call in ("pwrite64", "fdatasync"):
        for error in ("ENOSPC", "EIO"):
            for n in (1, 2, 3, 5, 8, 13, 21, 34, 55):
                await run.server.kill()
                if not await run.server.start([f"{call}:error={error}:when={n}..{n + 3}"]):
                    await run.server.start()
                    continue
                tried += 1
                before = sum(len(c.acknowledged) for c in run.clients)
                process = run.server.process
                for _ in range(100):
                    await asyncio.sleep(0.05)
                    if sum(len(c.acknowledged) for c in run.clients) > before + 200:
                        break
                else:
                    raise AssertionError(f"{call} {error} at {n}: nothing is acknowledged any more")
                if process.returncode is not None:
                    raise AssertionError(f"{call} {error} at {n}: the server ended")
    for client in run.clients:
        client.target = client.next - 1
        client.die()
    entries, wrong = await run.end(tasks)
    return run.figures(entries, wrong, f"{tried} injections")


async def full(rng):
    """A small tmpfs fills up: refused, reads go on, space comes, all goes on in the same process."""
    run = Run("full", 100_000_000)
    place = str(run.server.base)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", place],
                             capture_output=True)
    if mounted.returncode != 0:
        print("full: skipped, a tmpfs cannot be mounted here")
        return []
    try:
        await run.server.start()
        tasks = run.begin()
        for turn in range(3):
            ballast = f"{place}/ballast"
            free = os.statvfs(place)
            with open(ballast, "wb") as file:
                try:
                    file.write(b"x" * max(0, free.f_bavail * free.f_bsize - 65_536))
                except OSError:
                    pass
            refused = sum(c.refused for c in run.clients)
            while sum(c.refused for c in run.clients) < refused + 5:
                await asyncio.sleep(0.02)
            reader = Client(f"reader{turn}", run.server.port, 0)
            reader.next, reader.target = 1, 1
            await read_once(reader)
            before = sum(len(c.acknowledged) for c in run.clients)
            os.unlink(ballast)
            for _ in range(200):
                await asyncio.sleep(0.05)
                if sum(len(c.acknowledged) for c in run.clients) > before + 500:
                    break
            else:
                raise AssertionError("space came, and nothing is acknowledged")
        for client in run.clients:
            client.target = client.next - 1
            client.die()
        entries, wrong = await run.end(tasks)
        return run.figures(entries, wrong, "3 times full, one process")
    finally:
        await run.server.kill()
        subprocess.run(["umount", "-l", place])


async def read_once(reader):
    """Somebody who opens the list while nothing can be written, and gets it."""
    from websockets.asyncio.client import connect
    import json
    async with connect(f"ws://127.0.0.1:{reader.port}/", subprotocols=["samelist.v1"],
                       compression=None) as socket:
        await reader.say(socket, t="hello", v=1, client=reader.client, name=reader.name)
        await reader.say(socket, t="open", list="torture")
        while True:
            message = json.loads(await asyncio.wait_for(socket.recv(), 10))
            if message["t"] == "caught-up":
                return


async def lines(count, rng):
    """Bad lines between clients and server, with kills of both, until so many were met."""
    proxy = Proxy(rng.random())
    await proxy.start()
    run = Run("lines", 100_000_000, proxy, clients=8)
    await run.server.start()
    tasks = run.begin()
    turn = 0
    while sum(proxy.met.values()) < count:
        await asyncio.sleep(0.1)
        turn += 1
        if turn % 20 == 0:
            await run.server.kill()
            await run.server.start()
        if turn % 3 == 0:
            rng.choice(run.clients).die()
    proxy.TROUBLES = ("none",)
    for client in run.clients:
        client.target = client.next - 1
        client.die()
    entries, wrong = await run.end(tasks)
    met = ", ".join(f"{n} {name}" for name, n in proxy.met.items())
    proxy.stop()
    return run.figures(entries, wrong, met)


async def backup(rng):
    """Copies made while all work: each is a beginning of the log, and what was told before is in it."""
    run = Run("backup", 100_000_000)
    await run.server.start()
    tasks = run.begin()
    copies = []
    for turn in range(5):
        await asyncio.sleep(0.4)
        told = {c.client: dict(c.acknowledged) for c in run.clients}
        copy = run.server.base / f"copy{turn}.db"
        process = await asyncio.create_subprocess_exec(
            SAMELISTD, "backup", "--data", str(run.server.data), "--to", str(copy),
            stdout=subprocess.DEVNULL)
        if await process.wait() != 0:
            raise AssertionError("backup failed")
        folder = run.server.base / f"restored{turn}"
        for verb in (["restore", "--from", str(copy)], ["check"]):
            subprocess.run([SAMELISTD, *verb, "--data", str(folder)], check=True,
                           stdout=subprocess.DEVNULL)
        copies.append((told, read_log(folder)))
    for client in run.clients:
        client.target = client.next - 1
        client.die()
    server, run.server.remove = run.server, lambda: None
    entries, wrong = await run.end(tasks)
    for told, copied in copies:
        if copied != entries[: len(copied)]:
            wrong.append("a backup is no beginning of the log")
        versions = {(e["c"], e["n"]): e["v"] for e in copied}
        for client, acknowledged in told.items():
            for n, version in acknowledged.items():
                if versions.get((client, n)) != version:
                    wrong.append(f"{client} {n} was told before the backup, and is not in it")
    shutil.rmtree(server.base, ignore_errors=True)
    return run.figures(entries, wrong, f"{len(copies)} backups under load")


async def main(arguments):
    seed = random.randrange(1 << 30)
    if "--seed" in arguments:
        at = arguments.index("--seed")
        seed = int(arguments[at + 1])
        del arguments[at: at + 2]
    print(f"seed {seed}", flush=True)
    rng, wrong, parts = random.Random(seed), [], {"kills", "power", "calls", "lines"}
    while arguments:
        name = arguments.pop(0)
        part = globals()[name]
        count = [int(arguments.pop(0))] if name in parts else []
        if name in ("calls", "faults") and not shutil.which("strace"):
            print(f"{name}: skipped, there is no strace")
            continue
        if name == "power" and not compiler():
            print("power: skipped, there is no C compiler")
            continue
        wrong += await part(*count, rng)
    for fault in wrong[:20]:
        print(f"FAULT {fault}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:] or
                              "kills 100 power 100 calls 100 faults full lines 200 backup".split())))
