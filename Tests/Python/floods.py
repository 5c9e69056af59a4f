#!/usr/bin/env python3
"""Floods a server while the load test runs on it, and compares what honest clients wait.

    Tests/Python/floods.py                      every flood; about six minutes
    Tests/Python/floods.py pings deep-json      some; --rounds 3, --seconds 5, --clients 100

Two release servers run. The load test is always on the first, in rounds of three runs: alone, while
the second is flooded, while the first is. The second run has what the flooder itself takes from the
processors, so the last ratio is the server's. A ratio is taken in one round; the middle one counts.
--first gives servers and load test the processors before all else (root): on a machine that others
use, too, whoever does more waits longer for them, and that is not what is measured here. Ends with 1 where that is beyond --limit (2), or a server is not whole afterwards.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: samelist.v1\r\n\r\n"
)
HELLO = b'{"t":"hello","v":1,"client":"flood","name":"mallory"}'


def frame(head, payload=b""):
    """With a mask of zeros, which is one, too."""
    if len(payload) < 126:
        length = bytes([0x80 | len(payload)])
    else:
        length = b"\xfe" + len(payload).to_bytes(2, "big")
    return bytes([head]) + length + bytes(4) + payload


def text(payload):
    return frame(0x81, payload)


def dial(port):
    peer = socket.create_connection(("127.0.0.1", port), timeout=10)
    peer.setblocking(False)
    return peer


def drip(port, told, slow=1_000):
    """Handshakes that never end, a byte of each at a time."""
    peers = [dial(port) for _ in range(slow)]
    request = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + b"x" * 4_000
    for byte in request:
        for peer in list(peers):
            try:
                peer.send(bytes([byte]))
            except BlockingIOError:
                continue
            except OSError:
                peers.remove(peer)
                told["handshake dropped"] += 1
        if not peers:
            return
        time.sleep(0.05)


def come_and_go(port, told):
    """10,000 opens and closes: TCP alone, and whole handshakes by turns."""
    for turn in range(10_000):
        peer = dial(port)
        if turn % 2:
            peer.send(HANDSHAKE)
            select.select([peer], [], [], 5)
        peer.close()
        told["opened and closed"] += 1


def pour(port, told, wave, first=b""):
    """Greeted, then the same bytes until the server has had enough."""
    peer = dial(port)
    peer.send(HANDSHAKE)
    select.select([peer], [], [], 10)
    heard = peer.recv(1 << 16)
    peer.send(text(HELLO) + first)
    wave *= max(1, 60_000 // len(wave))
    at = 0
    while True:
        readable, writable, _ = select.select([peer], [peer], [], 10)
        try:
            if readable:
                part = peer.recv(1 << 18)
                heard = (heard + part)[-4_096:]
                if not part:
                    break
            if writable:
                sent = peer.send(wave[at:])
                at = (at + sent) % len(wave)
                told["MB"] += sent / 1e6
        except BlockingIOError:
            continue
        except OSError:
            break
    told[ending(heard)] += 1
    peer.close()


def ending(heard):
    """The code of the last goodbye, or that of the close frame."""
    codes = re.findall(rb'"t":"goodbye"[^}]*"code":(\d+)', heard)
    if codes:
        return f"closed {int(codes[-1])}"
    closes = re.findall(rb"\x88[\x02-\x7d](..)", heard, re.DOTALL)
    return f"closed {int.from_bytes(closes[-1], 'big')}" if closes else "cut"


OPENS = text(b'{"t":"open","list":"flood","create":true}') + text(b'{"t":"close","list":"flood"}')
HUGE = b'{"t":"submit","list":"flood","n":1,"ops":[{"insert":"' + b"x" * 60_000 + b'"}]}'
FLOODS = {
    "slow-handshakes": drip,
    "one-byte-fragments": lambda port, told: pour(port, told, frame(0, b" "), frame(1)),
    "pings": lambda port, told: pour(port, told, frame(0x89, b"123")),
    "opens-and-closes": come_and_go,
    "lists-opened-and-closed": lambda port, told: pour(port, told, OPENS),
    "deep-json": lambda port, told: pour(port, told, text(b"[" * 10_000)),
    "huge-ids": lambda port, told: pour(port, told, text(HUGE)),
    "questions": lambda port, told: pour(port, told, text(b'{"t":"lists","r":1}')),
    "unreadable": lambda port, told: pour(port, told, text(b'{"t":1')),
}


def flood(name, port):
    """In a process of its own, until SIGTERM; prints what it met."""
    told = collections.Counter()

    def end(*_):
        print(json.dumps(told), flush=True)
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    while True:
        try:
            FLOODS[name](port, told)
            told["waves"] += 1
        except OSError:
            told["refused"] += 1
            time.sleep(0.01)


def niceness(options):
    return (lambda: os.nice(-10)) if options.first else None


class Server:
    def __init__(self, options, folder):
        self.process = subprocess.Popen(
            [options.programs / "samelistd", "serve", "--listen", "127.0.0.1:0", "--data", folder,
             "--log-level", "error"],
            stdout=subprocess.PIPE, text=True, preexec_fn=niceness(options))
        line = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)\b", line.split("127.0.0.1", 1)[1]).group(1))

    def memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024

    def cpu(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1]
        return sum(map(int, fields.split()[11:13])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.process.terminate()
        return self.process.wait(20)


def load(options, server):
    command = [
        options.programs / "samelist-load", "fan-out", "--server", f"ws://127.0.0.1:{server.port}",
        "--clients", str(options.clients), "--writers", "5", "--rate", str(options.rate),
        "--seconds", str(options.seconds), "--json", "-q"]
    done = subprocess.run(
        command, capture_output=True, text=True, preexec_fn=niceness(options))
    if done.returncode != 0:
        sys.exit(f"floods: the load test ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout)["figures"]


def loaded(options, server, name=None, target=None):
    """The figures of a load test on `server`, while `target` is flooded, and what that met."""
    if not name:
        return load(options, server), {}
    command = [sys.executable, __file__, "--flood", name, "--port", str(target.port)]
    flooder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        figures = load(options, server)
    finally:
        flooder.terminate()
    return figures, json.loads(flooder.communicate()[0])


def play(options, name, server, other):
    """A line about a flood; True: within the limit."""
    rounds = []
    for _ in range(options.rounds):
        waits = [loaded(options, server)[0], loaded(options, server, name, other)[0]]
        memory, cpu = server.memory(), server.cpu()
        figures, met = loaded(options, server, name, server)
        grown, used = server.memory() - memory, server.cpu() - cpu
        waits = [one[options.figure] for one in [*waits, figures]]
        rounds.append((waits, grown, used / options.seconds, met))
    rounds.sort(key=lambda one: one[0][2] / one[0][1])
    (alone, beside, under), _, used, met = rounds[len(rounds) // 2]
    ratio = statistics.median(one[0][2] / one[0][1] for one in rounds)
    raw = statistics.median(one[0][2] / one[0][0] for one in rounds)
    grown = max(one[1] for one in rounds)
    met = ", ".join(f"{what} {count:.0f}" for what, count in met.items() if what != "waves")
    print(f"{name} | {alone * 1e3:.0f} | {beside * 1e3:.0f} | {under * 1e3:.0f} | {raw:.1f} | "
          f"{ratio:.1f} | {used:.0%} | {grown:+.1f} MiB | {met}", flush=True)
    return ratio <= options.limit


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("floods", nargs="*", metavar="FLOOD", help=", ".join(FLOODS))
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/release")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--rate", type=int, default=100, help="edits a second")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--first", action="store_true", help="before all else (root)")
    parser.add_argument("--limit", type=float, default=2)
    parser.add_argument("--figure", default="delivery_p99")
    parser.add_argument("--flood", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.flood:
        flood(options.flood, options.port)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="samelist-floods-"))
    servers = [Server(options, folder / name) for name in ("flooded", "beside")]
    print("flood | alone, ms | another flooded, ms | this one, ms | of alone | of another | "
          "server's CPU | memory | the flooder met")
    beyond = []
    try:
        for name in options.floods or FLOODS:
            if not play(options, name, *servers):
                beyond.append(name)
        codes = [server.end() for server in servers]
    finally:
        for server in servers:
            server.process.kill()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"beyond {options.limit} ×: {', '.join(beyond) or 'none'}; servers ended with {codes}")
    return 1 if beyond or any(codes) else 0


if __name__ == "__main__":
    sys.exit(main())
