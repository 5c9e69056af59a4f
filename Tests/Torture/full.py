"""A small tmpfs fills up: refused, reads go on, space comes, all goes on in the same process."""
import asyncio
import json
import os
import subprocess

from client import Client
from run import Run, Tally
from websockets.asyncio.client import connect

TIMES = 3


async def play(_, rng):
    run = Run("full")
    place = str(run.server.base)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", place],
                             capture_output=True)
    if mounted.returncode != 0:
        print("full: skipped, a tmpfs cannot be mounted here")
        return Tally()
    try:
        await run.server.start()
        tasks = run.begin()
        for turn in range(TIMES):
            await fill_and_empty(run, place, turn)
        entries, wrong = await run.end(tasks)
        return run.tally(entries, wrong, f"{TIMES} times full, one process")
    finally:
        await run.server.kill()
        subprocess.run(["umount", "-l", place])
        run.server.remove()


async def fill_and_empty(run, place, turn):
    ballast, free = f"{place}/ballast", os.statvfs(place)
    with open(ballast, "wb") as file:
        try:
            file.write(b"x" * max(0, free.f_bavail * free.f_bsize - 65_536))
        except OSError:
            pass
    refused = run.refused
    while run.refused < refused + 5:
        await asyncio.sleep(0.02)
    await read_once(Client(f"reader{turn}", run.server.port, 0))
    before = run.acknowledged
    os.unlink(ballast)
    for _ in range(200):
        await asyncio.sleep(0.05)
        if run.acknowledged > before + 500:
            return
    raise AssertionError("space came, and nothing is acknowledged")


async def read_once(reader):
    """Somebody who opens the list while nothing can be written, and gets it."""
    async with connect(f"ws://127.0.0.1:{reader.port}/", subprotocols=["samelist.v1"],
                       compression=None) as socket:
        await reader.say(socket, t="hello", v=1, client=reader.client, name=reader.name)
        await reader.say(socket, t="open", list="torture")
        while json.loads(await asyncio.wait_for(socket.recv(), 10))["t"] != "caught-up":
            pass
