"""Cuts of power: what was written and not flushed is lost, page by page as it happens (DB1)."""
import asyncio

from powered import PoweredServer
from run import Run

NEEDS = "clang"  # it comes with the toolchain


async def play(count, rng):
    server = PoweredServer()
    run = Run("power", server=server)
    await server.start()
    tasks = run.begin()
    for turn in range(count):
        await asyncio.sleep(rng.uniform(0.05, 0.4))
        await server.cut(rng)
        if not await server.start():
            raise AssertionError(f"cut {turn}: the server does not start: {server.log.read_text()}")
    entries, wrong = await run.end(tasks)
    return run.tally(entries, wrong, f"{count} cuts, {server.lost} pages lost")
