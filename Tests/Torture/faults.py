"""ENOSPC and EIO at the n-th call: refused, then again well, without a restart."""
import asyncio

from run import Run

NEEDS = "strace"


async def play(_, rng):
    run = Run("faults")
    await run.server.start()
    tasks = run.begin()
    tried = 0
    for call in ("pwrite64", "fdatasync"):
        for error in ("ENOSPC", "EIO"):
            for n in (1, 2, 3, 5, 8, 13, 21, 34, 55):
                tried += await inject(run, call, error, n)
    entries, wrong = await run.end(tasks)
    return run.tally(entries, wrong, f"{tried} injections")


async def inject(run, call, error, n):
    """False: the server did not even start with it, and does without."""
    await run.server.kill()
    if not await run.server.start([f"{call}:error={error}:when={n}..{n + 3}"]):
        await run.server.start()
        return False
    process, before = run.server.process, run.acknowledged
    for _ in range(100):
        await asyncio.sleep(0.05)
        if run.acknowledged > before + 200:
            break
    else:
        raise AssertionError(f"{call} {error} at {n}: nothing is acknowledged any more")
    if process.returncode is not None:
        raise AssertionError(f"{call} {error} at {n}: the server ended")
    return True
