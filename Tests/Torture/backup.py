"""Copies made while all work: each is a beginning of the log, and what was told before is in it."""
import asyncio
import subprocess

from rig import SAMELISTD, read_log
from run import Run

COPIES = 5


async def play(_, rng):
    run = Run("backup")
    await run.server.start()
    tasks = run.begin()
    copies = [await copy_and_restore(run, turn) for turn in range(COPIES)]
    entries, wrong = await run.end(tasks)
    for told, copied in copies:
        if copied != entries[: len(copied)]:
            wrong.append(("out of order", "a backup is no beginning of the log"))
        versions = {(e["c"], e["n"]): e["v"] for e in copied}
        wrong += [("lost", f"{client} {n} was told before the backup, and is not in it")
                  for client, acknowledged in told.items() for n, version in acknowledged.items()
                  if versions.get((client, n)) != version]
    return run.tally(entries, wrong, f"{COPIES} backups under load")


async def copy_and_restore(run, turn):
    """What was told before the copy, and the log that is in it."""
    await asyncio.sleep(0.4)
    told = {c.client: dict(c.acknowledged) for c in run.clients}
    copy, folder = run.server.base / f"copy{turn}.db", run.server.base / f"restored{turn}"
    process = await asyncio.create_subprocess_exec(
        SAMELISTD, "backup", "--data", str(run.server.data), "--to", str(copy),
        stdout=subprocess.DEVNULL)
    if await process.wait() != 0:
        raise AssertionError("backup failed")
    for verb in (["restore", "--from", str(copy)], ["check"]):
        subprocess.run([SAMELISTD, *verb, "--data", str(folder)], check=True,
                       stdout=subprocess.DEVNULL)
    return told, read_log(folder)
