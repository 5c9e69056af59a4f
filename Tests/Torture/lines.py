"""Bad lines between clients and server, with kills of both, until so many connections were met."""
import asyncio

from proxy import Proxy
from run import Run


async def play(count, rng):
    proxy = Proxy(rng.random())
    await proxy.start()
    run = Run("lines", proxy, clients=8)
    await run.server.start()
    tasks = run.begin()
    turn = killed = 0
    while sum(proxy.met.values()) < count:
        await asyncio.sleep(0.1)
        turn += 1
        if turn % 20 == 0:
            await run.server.restart()
            killed += 1
        if turn % 3 == 0:
            rng.choice(run.clients).die()
    proxy.TROUBLES = ("none",)
    entries, wrong = await run.end(tasks)
    met = ", ".join(f"{n} {name}" for name, n in proxy.met.items())
    proxy.stop()
    return run.tally(entries, wrong, met, kills=killed)
