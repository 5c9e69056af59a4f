"""Rows of what people do all day: files in and out, a server's start, the full screen."""
import fcntl
import json
import os
import pathlib
import pty
import select
import struct
import termios
import time

from programs import Broken, Server
from rows import Figure

LIST = "bench"


def timed(name, work):
    begun = time.monotonic()
    answer = work()
    return Figure(name, time.monotonic() - begun, "s"), answer


def fill(server, count):
    """Imports a list of so many rows; the time that it took."""
    rows = server.folder / "rows.jsonl"
    with open(rows, "w") as out:
        for number in range(count):
            out.write(json.dumps({"id": f"row-{number}", "title": f"Row number {number}"}) + "\n")
    server.run("new", LIST)
    with open(rows) as given:
        return timed("import_s", lambda: server.run("import", LIST, "-", stdin=given))[0]


def files(bench):
    """Import and export of a list of 100,000, and the server's start on the log that this left."""
    count = bench.sized(100_000, 100)
    with Server(bench.programs) as server:
        taken = fill(server, count)
        given, exported = timed("export_s", lambda: server.run("export", LIST))
        if len(exported.splitlines()) != count:
            raise Broken(f"{count} rows went in, {len(exported.splitlines())} came out")
        status = server.stop()
        if status != 0:
            raise Broken(f"the server ended with {status} on SIGTERM")
        started, _ = timed("start_s", server.start)
    return [taken, given, started]


class Screen:
    """The full screen on a pseudo-terminal of 80 by 24."""

    def __init__(self, server):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(server.folder)
            words = [server.samelist, "open", LIST, "--as", "setup"]
            os.execve(words[0], words, {**server.environment("setup"), "TERM": "xterm"})
        size = struct.pack("HHHH", 24, 80, 0, 0)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, size)

    def see(self, text):
        seen = b""
        while text.encode() not in seen:
            if not select.select([self.terminal], [], [], 60)[0]:
                raise Broken(f"`{text}` was not seen but {seen[-200:]}")
            seen += os.read(self.terminal, 1 << 16)

    def press(self, key):
        os.write(self.terminal, key.encode())
        select.select([self.terminal], [], [], 1)
        while select.select([self.terminal], [], [], 0.05)[0]:
            os.read(self.terminal, 1 << 16)

    def cpu(self):
        """Milliseconds that its threads have run."""
        tasks = pathlib.Path(f"/proc/{self.process}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6

    def end(self):
        try:
            os.write(self.terminal, b"q")
            while os.read(self.terminal, 1 << 16):
                pass
        except OSError:  # the terminal's other side is gone
            pass
        os.close(self.terminal)
        os.waitpid(self.process, 0)


def screen(bench):
    """The full screen on a list of 100,000: CPU of its first frame and of a key, on and offline."""
    figures = []
    with Server(bench.programs) as server:
        fill(server, bench.sized(100_000, 100))
        first = Screen(server)  # leaves the copy of the list
        first.see("Row number 0")
        first.end()
        for state in ("online", "offline"):
            shown = Screen(server)
            shown.see("Row number 0")
            figures.append(Figure(f"first_frame_{state}_ms", shown.cpu(), "ms"))
            for key, name in (("j", "down"), ("\x04", "page"), (" ", "done")):
                before = shown.cpu()
                for _ in range(20):
                    shown.press(key)
                cost = (shown.cpu() - before) / 20
                figures.append(Figure(f"{name}_{state}_ms", cost, "ms"))
            shown.end()
            server.stop()
    return figures
