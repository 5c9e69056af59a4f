"""A client of docs/protocol.md that keeps an account: what it did, and what it was told.

It is a process that dies and comes back: what it does is written down before it is sent, as the page
demands, so that after any cut or kill it submits the same content under the same number again.
"""
import asyncio
import json
import os
import secrets

from websockets.asyncio.client import connect

WINDOW = 64  # mutations under way at once


class Wrong(Exception):
    """The server broke a promise."""


class Client:
    """Inserts elements with IDs `NAME-N`, one a mutation, and follows the list that all share."""

    def __init__(self, name, port, target):
        self.name, self.port, self.target = name, port, target
        self.client = f"{name}-{secrets.token_hex(8)}"
        self.next = 1
        self.pending = {}  # n: operations
        self.acknowledged = {}  # n: version told
        self.refused = 0  # storage_failed, told
        self.epoch, self.version = None, 0
        self.seen = {}  # version: (client, n), as told by entries
        self.order = []  # IDs by snapshot and entries
        self.socket, self.connects, self.since_outcome = None, 0, 0

    @property
    def is_done(self):
        return self.next > self.target and not self.pending

    async def run(self, may_connect):
        """Until all is acknowledged; `may_connect` is awaited before each connection."""
        while not self.is_done:
            await may_connect()
            try:
                uri = f"ws://127.0.0.1:{self.port}/"
                async with connect(uri, subprotocols=["samelist.v1"], compression=None, open_timeout=3,
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

    def die(self, keeping=True):
        """kill -9: the connection goes without a word; what was written down stays."""
        if self.socket is not None:
            self.socket.transport.abort()

    async def talk(self, socket):
        self.connects += 1
        await self.say(socket, t="hello", v=1, client=self.client, name=self.name)
        at = {"at": [self.epoch, self.version]} if self.epoch else {}
        await self.say(socket, t="open", list="torture", create=True, heard=self.heard, **at)
        opened, repeated = False, sorted(self.pending)
        while not self.is_done:
            # Nothing may be said for long: the line is dead, though it be open.
            message = json.loads(await asyncio.wait_for(socket.recv(), 3))
            kind = message["t"]
            if kind == "snapshot":
                self.take_snapshot(message)
            elif kind == "entries":
                for entry in message["entries"]:
                    self.take_entry(entry)
            elif kind == "outcome":
                self.take_outcome(message)
            elif kind == "caught-up":
                self.epoch, opened = message["epoch"], True
                if message["version"] != self.version:
                    raise Wrong(f"{self.name}: caught up at {message['version']}, is at {self.version}")
                for n in repeated:
                    await self.submit(socket, n, again=True)
            elif kind in ("error", "gone", "goodbye"):
                if kind == "goodbye" or message.get("code") in ("storage_failed", "draining"):
                    raise EOFError(kind)
                raise Wrong(f"{self.name}: {message}")
            if opened:
                await self.propose(socket)

    @property
    def heard(self):
        return min(self.pending, default=self.next) - 1

    async def propose(self, socket):
        while len(self.pending) < WINDOW and self.next <= self.target:
            n, self.next = self.next, self.next + 1
            self.pending[n] = [{"insert": f"{self.name}-{n}", "f": {"n": n}}]
            await self.submit(socket, n)

    async def submit(self, socket, n, **more):
        if n in self.pending:
            await self.say(socket, t="submit", list="torture", n=n, heard=self.heard,
                           ops=self.pending[n], **more)

    async def say(self, socket, **message):
        await socket.send(json.dumps(message))

    def take_snapshot(self, part):
        """A position counts only with all its rows, so parts are kept aside until the last."""
        if part["part"] == 0:
            self.parts = []
        self.parts += [row if isinstance(row, str) else row[0] for row in part["rows"]]
        if part.get("last"):
            if part["epoch"] != self.epoch:
                self.seen = {}
            self.order = self.parts
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
        self.order += [op["insert"] for op in entry["ops"]]

    def take_outcome(self, outcome):
        n = outcome["n"]
        refused = outcome.get("refused")
        if refused:
            if refused["code"] not in ("storage_failed", "draining"):
                raise Wrong(f"{self.name}: mutation {n} {refused}")
            # Not now: said again, under the same number, on the next connection.
            self.refused += 1
            raise EOFError("refused")
        if n not in self.pending and n not in self.acknowledged:
            raise Wrong(f"{self.name}: an outcome of {n}, which it never submitted")
        if self.acknowledged.get(n, outcome["version"]) != outcome["version"]:
            raise Wrong(f"{self.name}: {n} acknowledged as two versions")
        self.acknowledged[n] = outcome["version"]
        self.pending.pop(n, None)


def account(clients, entries, order):
    """What is wrong between the clients' accounts and the log: acknowledged is in it, once, in order."""
    faults = []
    if [e["v"] for e in entries] != list(range(1, len(entries) + 1)):
        faults.append("versions of the log are not dense")
    versions = {}
    for entry in entries:
        versions.setdefault((entry["c"], entry["n"]), []).append(entry["v"])
    for origin, found in versions.items():
        if len(found) > 1:
            faults.append(f"{origin} was logged {len(found)} times: {found}")
    for client in clients:
        for n, version in client.acknowledged.items():
            if versions.get((client.client, n)) != [version]:
                faults.append(f"{client.name}: {n} was acknowledged as {version}, logged as "
                              f"{versions.get((client.client, n))}")
        told = [client.acknowledged[n] for n in sorted(client.acknowledged)]
        # What was refused for the moment comes later than what was under way behind it.
        if client.refused == 0 and told != sorted(told):
            faults.append(f"{client.name}: its work was logged in another order than it was done")
        for v, origin in client.seen.items():
            if versions.get(origin) != [v]:
                faults.append(f"{client.name}: saw {origin} as {v}, logged as {versions.get(origin)}")
        if client.order != order[: len(client.order)]:
            faults.append(f"{client.name}: shows another list than the log comes to")
    return faults
