"""kill -9 of the server, and connections of clients cut, while all work as fast as they can."""
import asyncio

from run import Run


async def play(count, rng):
    run = Run("kills")
    await run.server.start()
    tasks = run.begin()
    for _ in range(count):
        await asyncio.sleep(rng.uniform(0.05, 0.4))
        for client in rng.sample(run.clients, rng.randrange(0, 3)):
            client.die()
        await run.server.kill()
        await run.server.start()
    entries, wrong = await run.end(tasks)
    return run.tally(entries, wrong, f"{count} kills of the server", kills=count)
