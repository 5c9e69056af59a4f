"""SIGKILL at the n-th call that writes or flushes, on one data folder: at pwrite64 for every n from 1
count; at fdatasync for the first quarter of them and every fifth behind that, since the n-th flush
takes n flushes of time; and every fourth time at one of the rarer calls, at a quarter of it.
"""
import asyncio

from run import Run

NEEDS = "strace"
RARE = ("write", "fsync", "ftruncate")


def calls_at(n, count):
    calls = [("pwrite64", n)]
    if n <= count // 4 or n % 5 == 0:
        calls.append(("fdatasync", n))
    if n % 4 == 0:
        calls.append((RARE[n // 4 % len(RARE)], n // 4))
    return calls


async def play(count, rng):
    run = Run("calls")
    await run.server.start()
    tasks = run.begin()
    await asyncio.sleep(0.3)
    hit = {}
    for n, (call, at) in ((n, call) for n in range(1, count + 1) for call in calls_at(n, count)):
        await run.server.kill()
        served = await run.server.start([f"{call}:signal=SIGKILL:when={at}"])
        try:
            await asyncio.wait_for(run.server.process.wait(), 1.5 if served else 5)
            hit[call] = hit.get(call, 0) + 1
        except asyncio.TimeoutError:
            pass
        run.server.ready.clear()
        if n % 10 == 0 and call == "fdatasync":  # a while in which something is acknowledged
            await run.server.restart()
            await asyncio.sleep(0.1)
    await run.server.restart()
    entries, wrong = await run.end(tasks)
    at = ", ".join(f"{n} at {call}" for call, n in sorted(hit.items()))
    return run.tally(entries, wrong, f"killed {at}", kills=sum(hit.values()))
