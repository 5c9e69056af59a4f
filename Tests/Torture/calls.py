"""SIGKILL at the n-th call that writes or flushes, for n = 1 … count, on one data folder."""
import asyncio

from run import Run

NEEDS = "strace"
CALLS = ("pwrite64", "fdatasync", "fsync", "write", "ftruncate")


async def play(count, rng):
    run = Run("calls")
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
            await run.server.restart()
            await asyncio.sleep(0.1)
    await run.server.restart()
    entries, wrong = await run.end(tasks)
    return run.tally(entries, wrong, f"{hit} of {count} calls killed it", kills=hit)
