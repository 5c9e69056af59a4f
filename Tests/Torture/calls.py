"""SIGKILL at the n-th call that writes or flushes, on one data folder: pwrite64 for n = 1 … count,
and every fourth time another one at a quarter of it, since the n-th flush takes n flushes of time."""
import asyncio

from run import Run

NEEDS = "strace"
FLUSHES = ("fdatasync", "write", "fdatasync", "fsync", "fdatasync", "ftruncate")


def call_at(n):
    return ("pwrite64", n) if n % 4 else (FLUSHES[n // 4 % len(FLUSHES)], n // 4)


async def play(count, rng):
    run = Run("calls")
    await run.server.start()
    tasks = run.begin()
    await asyncio.sleep(0.3)
    hit = {}
    for n in range(1, count + 1):
        call, at = call_at(n)
        await run.server.kill()
        served = await run.server.start([f"{call}:signal=SIGKILL:when={at}"])
        try:
            await asyncio.wait_for(run.server.process.wait(), 1.5 if served else 5)
            hit[call] = hit.get(call, 0) + 1
        except asyncio.TimeoutError:
            pass
        run.server.ready.clear()
        if n % 10 == 0:  # a while in which something is acknowledged
            await run.server.restart()
            await asyncio.sleep(0.1)
    await run.server.restart()
    entries, wrong = await run.end(tasks)
    at = ", ".join(f"{n} at {call}" for call, n in sorted(hit.items()))
    return run.tally(entries, wrong, f"killed {at}", kills=sum(hit.values()))
