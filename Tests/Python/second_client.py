"""A second implementation of docs/protocol.md, written from that page alone, beside a real shell.
Usage: second_client.py URL SAMELIST     (the server's address, the path of the program `samelist`)
Exits 0 where both see the same rows after every step, otherwise 1 with a line that says what differs.
"""
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile

from websockets.sync.client import connect


class Replica:
    """The order of a list, graves among the living, and what the living hold."""

    def __init__(self):
        self.epoch, self.version, self.order, self.fields = None, 0, [], {}

    def take_part(self, part):
        if part["part"] == 0:
            self.order, self.fields = [], {}
        rows = part["rows"]
        self.order += [row if isinstance(row, str) else row[0] for row in rows]
        self.fields |= {row[0]: row[5] for row in rows if not isinstance(row, str)}
        self.epoch, self.version = part["epoch"], part["version"]

    def take_entry(self, entry):
        check(entry["v"] <= self.version + 1, f"a gap: {entry['v']} behind {self.version}")
        for operation in entry["ops"] if entry["v"] > self.version else []:
            self.apply(operation)
        self.version = max(self.version, entry["v"])

    def apply(self, op):
        if "insert" in op:
            self.put(op["insert"], op["after"])
            self.fields[op["insert"]] = op["f"]
        elif "set" in op:
            changed = self.fields[op["set"]] | op["f"]
            self.fields[op["set"]] = {k: v for k, v in changed.items() if v is not None}
        elif "count" in op:
            self.fields[op["count"]][op["field"]] = op["is"]
        elif "move" in op:
            behind = op["after"]
            for element in op["move"]:
                self.order.remove(element)
                self.put(element, behind)
                behind = element
        elif "delete" in op:
            del self.fields[op["delete"]]
        elif "restore" in op:
            self.fields[op["restore"]] = op["f"]
        elif "forget" in op:
            self.order = [e for e in self.order if e in self.fields or e not in op["forget"]]

    def put(self, element, after):
        self.order.insert(0 if after is None else self.order.index(after) + 1, element)

    def rows(self):
        return [{"id": e, "fields": self.fields[e]} for e in self.order if e in self.fields]


class Client:
    """One client of one list: a replica, and numbered mutations that are kept until answered."""

    def __init__(self, url, name, list_name):
        self.url, self.name, self.list = url, name, list_name
        self.id, self.replica = secrets.token_hex(8), Replica()
        self.next, self.heard, self.pending = 1, 0, {}

    def open(self):
        self.socket = connect(self.url, subprotocols=["samelist.v1"]).__enter__()
        self.say(t="hello", v=1, client=self.id, name=self.name)
        self.wait_for("welcome")
        place = {"at": [self.replica.epoch, self.replica.version]} if self.replica.epoch else {}
        self.parts, self.versions = 0, []
        self.say(t="open", list=self.list, create=True, heard=self.heard, **place)
        self.wait_for("caught-up")
        for n in sorted(self.pending):
            self.say(**self.pending[n])

    def say(self, **message):
        self.socket.send(json.dumps(message))

    def submit(self, *operations):
        n, self.next = self.next, self.next + 1
        self.pending[n] = dict(t="submit", list=self.list, n=n, heard=self.heard, ops=operations)
        self.say(**self.pending[n])
        return n

    def hear(self, n):
        while n in self.pending:
            self.take()

    def do(self, *operations):
        self.hear(self.submit(*operations))

    def ask(self, kind, **members):
        self.say(t=kind, r=1, list=self.list, **members)
        while (answer := self.take()).get("r") != 1:
            pass
        return answer

    def wait_for(self, kind):
        while (message := self.take())["t"] != kind:
            pass
        return message

    def take(self):
        message = json.loads(self.socket.recv(timeout=20))
        kind = message["t"]
        check(kind not in ("error", "gone", "goodbye"), f"the server said {message}")
        if kind == "snapshot":
            self.parts += 1
            self.replica.take_part(message)
        elif kind == "entries":
            for entry in message["entries"]:
                self.replica.take_entry(entry)
                self.versions.append(entry["v"])
        elif kind == "caught-up":
            self.replica.epoch = message["epoch"]
            check(message["version"] == self.replica.version, f"caught up elsewhere: {message}")
        elif kind == "outcome":
            check("version" in message, f"a mutation was not logged: {message}")
            self.pending.pop(message["n"], None)
            self.heard = min(self.pending, default=self.next) - 1
        return message


class Shell:
    """The real client, `samelist shell`, as another user in a state folder of its own."""

    def __init__(self, program, url, list_name):
        self.environment = os.environ | {"XDG_STATE_HOME": tempfile.mkdtemp()}
        self.ls = [program, "ls", list_name, "--json", "--server", url]
        self.process = subprocess.Popen(
            [program, "shell", "--server", url, "--as", "bob"], env=self.environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.do(f"open {list_name}")

    def do(self, command):
        print(command, file=self.process.stdin, flush=True)
        while (line := self.process.stdout.readline()).startswith("*"):
            pass
        check(line.startswith("ok"), f"the shell answered {line!r} to {command!r}")

    def rows(self):
        done = subprocess.run(self.ls, env=self.environment, text=True, capture_output=True)
        check(done.returncode == 0, f"ls ended with {done.returncode}: {done.stderr}")
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        return [{"id": row["id"], "fields": row["fields"]} for row in rows]


def check(holds, otherwise):
    if not holds:
        print(f"second client: {otherwise}")
        sys.exit(1)


def compare(ana, shell, when):
    ana.ask("ping")
    mine, theirs = ana.replica.rows(), shell.rows()
    check(mine == theirs, f"{when}: {mine} here, {theirs} there")


def main(url, program):
    socket_url = "ws" + url.removeprefix("http") if url.startswith("http") else url
    ana = Client(socket_url, "ana", f"python-{secrets.token_hex(4)}")
    ana.open()
    texts = {"tea": "Tea", "milk": "Milk 🥛 \"whole\"", "bread": "Bread\n\\ brown"}
    ana.do(*({"insert": i, "f": {"title": t, "cups": 1.5}} for i, t in texts.items()))
    shell = Shell(program, url, ana.list)
    compare(ana, shell, "after inserting")

    shell.do("add --id egg title=Egg --after milk")
    shell.do("delete milk")
    shell.do("move bread --first")
    ana.do({"insert": "oil", "at": {"after": "milk"}, "f": {}})
    ana.do({"insert": "jam", "at": {"before": "egg"}, "f": {"title": "Jam"}}, {"restore": "milk"})
    ana.do({"move": ["egg", "tea"], "at": {"before": "bread"}})
    ana.do({"count": "tea", "field": "cups", "by": 2}, {"set": "milk", "f": {"cups": None}})
    compare(ana, shell, "after editing side by side")

    # An answer is lost with the connection, and others go on meanwhile.
    before = ana.replica.version
    lost = ana.submit({"count": "tea", "field": "cups", "by": 100})
    ana.socket.socket.shutdown(socket.SHUT_RDWR)
    shell.do("add --id salt title=Salt --first")
    shell.do("delete oil")
    ana.open()
    ana.hear(lost)
    ana.ask("ping")
    check(ana.parts == 0, "resuming sent a snapshot instead of the missing entries")
    missing = list(range(before + 1, ana.replica.version + 1))
    check(ana.versions == missing, f"resumed with {ana.versions}, missing were {missing}")
    log = ana.ask("history", limit=50)["entries"]
    times = [(entry["c"], entry["n"]) for entry in log].count((ana.id, lost))
    check(times == 1, f"mutation {lost} stands {times} times in the log")
    check(ana.replica.fields["tea"]["cups"] == 103.5, "the repeated count was counted again")
    compare(ana, shell, "after resuming")

    fresh = Client(socket_url, "carol", ana.list)
    fresh.open()
    check(fresh.parts > 0, "a first opening brought no snapshot")
    check(fresh.replica.order == ana.replica.order, "a snapshot has another order than the entries")
    compare(fresh, shell, "from a snapshot")
    print(f"second client: the same {len(ana.replica.rows())} rows on both sides")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    signal.signal(signal.SIGALRM, lambda *_: check(False, "took longer than 60 seconds"))
    signal.alarm(60)
    try:
        main(sys.argv[1], sys.argv[2])
    except Exception as error:
        check(False, f"{type(error).__name__}: {error}")
