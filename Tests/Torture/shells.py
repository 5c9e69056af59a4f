"""kill -9 of real shells, with editors open and work under way, and of the server, under load."""
import asyncio
import random

from client import Client
from editors import fields_in
from history import History
from person import SHARED, Person
from run import Run
from shell import Shell
from told import Told, unnoticed
from work import check_work

PEOPLE, LOADS, RATE = 4, 4, 500  # RATE: operations a second of each of the clients of the load
MEDDLING = 0.15  # how much of the load is on the elements that the shells edit


class Meddler(Client):
    """Adds elements, and now and then does something to one that people share."""

    def __init__(self, name, rng):
        super().__init__(name, 0, 100_000_000, RATE)
        self.random = rng

    def work(self, n):
        if self.random.random() >= MEDDLING:
            return super().work(n)
        self.out_of_turn.add(n)
        element = f"e{self.random.randrange(SHARED)}"
        behind = {"after": f"e{self.random.randrange(SHARED)}"}
        place = self.random.choice(["first", "last", behind])
        return [self.random.choices([
            {"set": element, "f": {"title": f"{self.name}-{n}"}},
            {"set": element, "f": {"note": f"{self.name}-{n}"}},
            {"move": [element], "at": place}, {"delete": element}, {"restore": element},
        ], [10, 6, 4, 3, 6])[0]]


class Founder(Client):
    """Makes the elements that all share."""

    def __init__(self):
        super().__init__("founder", 0, SHARED)

    def work(self, n):
        return [{"insert": f"e{n - 1}", "f": {"title": f"founder-{n}"}}]


async def play(count, rng):
    run = Run("shells", clients=0)
    await run.server.start()
    run.clients = [Founder()]
    await asyncio.wait_for(asyncio.gather(*run.begin()), 30)
    founder = run.clients
    run.clients = [Meddler(f"load{i}", random.Random(rng.random())) for i in range(LOADS)]
    tasks = run.begin()
    people = [Person(i, PEOPLE, Shell(f"shell{i}", run.server.base, run.server, is_slow=i == 0),
                     random.Random(rng.random())) for i in range(PEOPLE)]
    lives = [asyncio.create_task(person.live()) for person in people]
    killed = await trouble(run, people, lives, count, rng)
    for person in people:
        person.is_leaving = True
    await asyncio.gather(*lives)
    run.finish_work()
    await asyncio.wait_for(asyncio.gather(*tasks), 60)
    lists = await settle(people)
    entries, wrong = await run.end([])
    history = History(entries)
    told = [Told(person.shell, history) for person in people]
    done = [check_work(person.shell, history) for person in people]
    await asyncio.gather(*(person.shell.kill() for person in people))
    wrong += [fault for part in told for fault in part.faults]
    wrong += [fault for faults, _ in done for fault in faults]
    wrong += [fault for person in people for fault in unnoticed(person.shell, history, rng)]
    wrong += [("other", f"{person.name}: lists another list than the log comes to")
              for person, shown in zip(people, lists) if shown != history.rows]
    run.clients += founder
    for person in people:
        (person.shell.home / "record").write_text("\n".join(person.shell.record))
    return run.tally(
        entries, wrong, f"{killed[0]} kills of shells, {killed[1]} of the server",
        kills=sum(killed), acknowledged=sum(n for _, n in done), events=sum(t.events for t in told))


async def trouble(run, people, lives, count, rng):
    """Kills until it were so many; answers how many of shells, and of the server."""
    shells = servers = 0
    while shells + servers < count:
        await asyncio.sleep(rng.uniform(0.1, 0.6))
        for life in lives:
            if life.done():
                life.result()
        doing = rng.randrange(4)
        if doing != 0:
            victims = rng.sample(people, rng.choice([1, 1, 2]))
            await asyncio.gather(*(person.shell.kill() for person in victims))
            shells += len(victims)
        if doing in (0, 1):
            await run.server.kill()
            await asyncio.sleep(rng.choice([0, 0.3]))
            await run.server.start()
            servers += 1
    return shells, servers


async def settle(people):
    """Everybody is in step: first all outcomes come home, then what they caused. Answers what each
    lists."""
    for turn in range(2):
        for person in people:
            if person.shell.process.returncode is not None:
                await person.arrive()
            await person.settle()
    lists = []
    for person in people:
        await person.look()
        rows, _ = await person.shell.say("list")
        words = [row.split(" ") for row in rows]
        lists.append([(element, fields_in(fields)) for element, *fields in words])
    return lists
