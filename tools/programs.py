"""The programs as the tools beside this file use them: a server of one's own, and shells.

Everything is waited for by what it says: the server by /readyz, a shell's command by the line
that answers it. Only loopback is used, and a temporary folder that `Server` owns.
"""
import http.client
import os
import pathlib
import queue
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ANSWER_S = 15.0  # how long anything may take to answer before it counts as broken


class Broken(Exception):
    """A program did not do what its page says; the sentence goes to the person who started us."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def get(port, path):
    """The status of a GET on loopback, or None while nobody listens."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def end(process):
    """SIGTERM, then after a while SIGKILL. Answers the exit code."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(ANSWER_S)
        except subprocess.TimeoutExpired:
            process.kill()
    return process.wait()


class Server:
    """`samelistd serve` on a free port and a temporary folder, both gone at the end of `with`."""

    def __init__(self, programs):
        self.samelistd, self.samelist = programs / "samelistd", programs / "samelist"
        for program in (self.samelistd, self.samelist):
            if not program.exists():
                raise Broken(f"{program} is not there: make build")

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="samelist-"))
        self.port, self.process = free_port(), None
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.process:
            end(self.process)
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self):
        log = self.folder / "server.log"
        command = [self.samelistd, "serve", "--listen", f"127.0.0.1:{self.port}"]
        # A session of its own: Ctrl-C reaches only the tool, which then ends things in order.
        with open(log, "ab") as out:
            self.process = subprocess.Popen(
                [*command, "--data", self.folder / "data"],
                stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)
        deadline = time.monotonic() + ANSWER_S
        while get(self.port, "/readyz") != 200:
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise Broken(f"the server is not ready: {log.read_text(errors='replace')}")
            time.sleep(0.01)

    def stop(self):
        return end(self.process)

    def environment(self, name):
        """What makes a client of `name` use this server, and keep its state in our folder."""
        home = self.folder / name
        home.mkdir(exist_ok=True)
        return {**os.environ, "HOME": str(home), "SAMELIST_SERVER": f"ws://127.0.0.1:{self.port}",
                "XDG_STATE_HOME": str(home / "state"), "XDG_CONFIG_HOME": str(home / "config"),
                "XDG_CACHE_HOME": str(home / "cache")}

    def run(self, *arguments, name="setup", **more):
        """One `samelist` command; answers what it printed."""
        done = subprocess.run(
            [self.samelist, *arguments], env=self.environment(name), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, **more)
        if done.returncode != 0:
            said = (done.stderr or done.stdout).strip()
            raise Broken(f"samelist {' '.join(arguments)} ended with {done.returncode}: {said}")
        return done.stdout


class Shell:
    """`samelist shell` over pipes: commands in, answers and events out."""

    def __init__(self, server, name):
        self.name, self.events, self.lines = name, [], queue.Queue()
        self.process = subprocess.Popen(
            [server.samelist, "shell", "--as", name], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1,
            env={**server.environment(name), "TERM": "dumb", "NO_COLOR": "1"},
            start_new_session=True)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def next_line(self, deadline, what):
        try:
            line = self.lines.get(timeout=max(deadline - time.monotonic(), 0.001))
        except queue.Empty:
            raise Broken(f"{self.name}: nothing came of `{what}` in {ANSWER_S:.0f} s") from None
        if line is None:
            raise Broken(f"{self.name}'s shell ended during `{what}`")
        return line

    def say(self, command):
        """The rows printed and the line that answers; events on the way are kept for `event`."""
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except OSError:
            raise Broken(f"{self.name}'s shell ended before `{command}`") from None
        rows, deadline = [], time.monotonic() + ANSWER_S
        while True:
            line = self.next_line(deadline, command)
            if line.startswith("* "):
                self.events.append(line)
            elif line.split(" ")[0] in ("ok", "error"):
                return rows, line
            elif line:
                rows.append(line)

    def event(self):
        """The next event, waited for."""
        deadline = time.monotonic() + ANSWER_S
        while not self.events:
            line = self.next_line(deadline, "waiting for an event")
            if line.startswith("* "):
                self.events.append(line)
        return self.events.pop(0)

    def close(self):
        end(self.process)
        self.process.stdin.close()
