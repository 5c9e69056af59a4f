"""A real `samelist shell` between pipes, which is killed and started over the same state folder.

Its `record` is what its user saw and did, in order: `! started`, `> COMMAND`, `* EVENT`, `| ROW`
(of `editors`), `< ANSWER`, `! killed`. Whoever checks it needs nothing else.
"""
import asyncio
import os
import pathlib
import shutil
import signal

from rig import SAMELISTD

SAMELIST = str(pathlib.Path(SAMELISTD).with_name("samelist"))
PATIENCE = 30  # seconds any answer may take


class Died(Exception):
    """The process ended while an answer was awaited."""


class Shell:
    def __init__(self, name, base, server, is_slow=False):
        self.name, self.server, self.home = name, server, pathlib.Path(base) / name
        self.home.mkdir()
        self.is_slow = is_slow and shutil.which("strace")
        self.record, self.process, self.rows, self.notes_rows = [], None, [], False
        self.answers, self.reading, self.is_killed = None, None, False

    async def start(self):
        environment = os.environ | {
            "HOME": str(self.home), "XDG_STATE_HOME": str(self.home / "state"),
            "XDG_CONFIG_HOME": str(self.home / "config"), "TERM": "dumb", "NO_COLOR": "1",
            "SAMELIST_SERVER": f"ws://127.0.0.1:{self.server.port}"}
        command = [SAMELIST, "shell", "--as", self.name]
        if self.is_slow:  # each write takes its time: what was kept is on disk before it is told
            command = ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "--seccomp-bpf",
                       "-e", "inject=write:delay_enter=30000", *command]
        self.process = await asyncio.create_subprocess_exec(
            *command, env=environment, stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
            start_new_session=True, limit=1 << 20)
        self.is_killed = False
        self.record.append("! started")
        self.answers = asyncio.Queue()
        self.reading = asyncio.ensure_future(self.read())

    async def read(self):
        while line := (await self.process.stdout.readline()).decode():
            if not line.endswith("\n"):
                break  # killed in the middle of it: nobody saw it
            line = line.rstrip("\n")
            if line.startswith("* "):
                self.record.append(line)
            elif line.split(" ")[0] in ("ok", "error"):
                self.record.append(f"< {line}")
                self.answers.put_nowait(line)
            else:
                self.rows.append(line)
                if self.notes_rows:
                    self.record.append(f"| {line}")
        self.record.append("! killed" if self.is_killed else "! ended by itself")
        self.answers.put_nowait(None)

    async def say(self, command):
        """The rows printed and the answer. Raises `Died` where the process ends before."""
        # Rows belong to the record only where a checker wants them: a list is long.
        self.rows, self.notes_rows = [], command == "editors"
        self.record.append(f"> {command}")
        try:
            self.process.stdin.write(f"{command}\n".encode())
            await self.process.stdin.drain()
        except OSError:
            pass
        try:
            answer = await asyncio.wait_for(self.answers.get(), PATIENCE)
        except asyncio.TimeoutError:
            raise AssertionError(f"{self.name}: `{command}` is not answered") from None
        if answer is None:
            raise Died
        return self.rows, answer

    async def kill(self):
        """kill -9, and all that it said before has been read. Its user may start it again before
        this is over."""
        self.is_killed = True
        process, reading = self.process, self.reading
        if process and process.returncode is None:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if process:
            await process.wait()
            await reading
