"""One server with its data folder, which is killed, started, traced and checked."""
import asyncio
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMELISTD = os.environ.get("SAMELISTD", str(ROOT / ".build/release/samelistd"))


class Server:
    """`samelistd serve`, perhaps under strace, which makes its n-th call fail or kills it there."""

    def __init__(self, folder=None):
        self.base = pathlib.Path(folder or tempfile.mkdtemp(prefix="torture-"))
        self.data = self.base / "data"
        self.process, self.port, self.log = None, None, self.base / "log"
        self.ready = asyncio.Event()
        self.environment = None

    async def start(self, inject=()):
        """Answers whether it serves; with a fault at an early call it may not come so far."""
        command = [SAMELISTD, "serve", "--listen", f"127.0.0.1:{self.port or 0}",
                   "--data", str(self.data), "--log-level", "warning"]
        if inject:
            rules = [word for rule in inject for word in ("-e", f"inject={rule}")]
            command = ["strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", *rules, *command]
        with open(self.log, "ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *command, stdout=subprocess.PIPE, stderr=log, start_new_session=True,
                env=self.environment)
        line = (await self.process.stdout.readline()).decode()
        found = re.search(r"ws://127\.0\.0\.1:(\d+)", line)
        if not found:
            await self.process.wait()
            return False
        self.port = int(found[1])
        self.ready.set()
        return True

    async def kill(self):
        self.ready.clear()
        if self.process and self.process.returncode is None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if self.process:
            await self.process.wait()

    async def restart(self):
        await self.kill()
        await self.start()

    def entries(self):
        """The whole log, read from a copy of the folder, oldest first, and what `check` says."""
        checked = subprocess.run([SAMELISTD, "check", "--data", str(self.data)],
                                 capture_output=True, text=True)
        if checked.returncode != 0:
            raise AssertionError(f"check: {checked.stdout}{checked.stderr}")
        return read_log(self.data), checked.stdout.strip()

    def remove(self):
        shutil.rmtree(self.base, ignore_errors=True)


def read_log(data):
    """Entries as a folder holds them, read without our own program: a record is a byte of format,
    two numbers of 8 bytes that only the server needs, and the entry's JSON."""
    database = sqlite3.connect(f"file:{data}/samelist.db?mode=ro", uri=True)
    try:
        rows = database.execute(
            "SELECT bytes FROM records JOIN lists ON list = number WHERE name = 'torture' "
            "ORDER BY version").fetchall()
    finally:
        database.close()
    return [json.loads(row[0][17:]) for row in rows]
