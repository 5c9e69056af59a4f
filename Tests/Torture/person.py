"""Who sits at a shell: adds, renames, deletes, restores and moves elements, and edits some of them.

The elements that a person edits are none of those that it deletes, restores or renames outside of
its editors, so that what its editors hear is due to others.
"""
import asyncio

from shell import Died

SHARED = 24


class Person:
    def __init__(self, number, count, shell, rng):
        self.shell, self.rng, self.name = shell, rng, shell.name
        groups = {number, (number + 1) % count}
        self.edited = [f"e{i}" for i in range(SHARED) if i % count in groups]
        self.others = [f"e{i}" for i in range(SHARED) if i % count not in groups]
        self.editors = {}  # ID: policy, as far as this person knows
        self.vanished = set()
        self.sent = set()  # IDs whose commit is on its way: these editors are left alone
        self.tokens, self.is_offline, self.is_leaving = 0, False, False
        self.deeds = [
            (12, self.add), (16, self.rename), (6, self.delete), (12, self.restore),
            (8, self.move), (30, self.edit), (24, self.draft), (9, self.commit),
            (3, self.cancel), (4, self.save_new), (2, self.go), (2, self.look), (1, self.reload)]

    async def live(self):
        """Until told to leave; a shell that was killed is started again."""
        while not self.is_leaving:
            try:
                await self.arrive()
                while not self.is_leaving:
                    weights, deeds = zip(*self.deeds)
                    await self.rng.choices(deeds, weights)[0]()
                    await asyncio.sleep(self.rng.uniform(0, 0.02))
            except Died:
                await asyncio.sleep(self.rng.uniform(0, 0.1))

    async def arrive(self):
        await self.shell.start()
        self.is_offline = False
        _, answer = await self.shell.say("open torture")
        while not answer.startswith("ok"):
            await asyncio.sleep(0.1)
            _, answer = await self.shell.say("open torture")
        await self.look()

    async def settle(self):
        """What is pending has gone, and all that was logged has come."""
        await self.shell.say("online")
        _, answer = await self.shell.say("sync")
        assert answer == "ok", f"{self.name}: sync answers {answer}"

    async def look(self):
        rows, answer = await self.shell.say("editors")
        assert answer.startswith("ok"), answer
        words = [row.split(" ") for row in rows]
        self.editors = {element: policy for element, policy, *_ in words}
        self.sent = {element for element, _, state, *_ in words if state == "committing"}

    def token(self):
        self.tokens += 1
        return f"{self.name}-{self.tokens}"

    def place(self):
        return self.rng.choice(["--first", "--last", f"--after {self.rng.choice(self.others)}",
                                f"--before {self.rng.choice(self.edited)}"])

    async def add(self):
        await self.shell.say(f"add title=new --id {self.token()} {self.place()}")

    async def rename(self):
        field = self.rng.choice(["title", "title", "note"])
        await self.shell.say(f"set {self.rng.choice(self.others)} {field}={self.token()}")

    async def delete(self):
        await self.shell.say(f"delete {self.rng.choice(self.others)}")

    async def restore(self):
        await self.shell.say(f"restore {self.rng.choice(self.others)}")

    async def move(self):
        await self.shell.say(f"move {self.rng.choice(self.others)} {self.place()}")

    async def edit(self):
        closed = [element for element in self.edited if element not in self.editors]
        if closed:
            element, policy = self.rng.choice(closed), self.rng.choice(["live", "draft", "draft"])
            _, answer = await self.shell.say(f"edit {element} --{policy}")
            if answer.startswith("ok"):
                self.editors[element] = policy

    def one(self, *policies):
        return self.rng.choice([e for e, policy in self.editors.items()
                                if policy in policies and e not in self.sent] or [None])

    async def draft(self):
        if element := self.one("live", "draft"):
            is_live = self.editors[element] == "live"
            field = f"own_{self.name}" if is_live else self.rng.choice(["title", "note"])
            self.learn(element, await self.shell.say(f"draft {element} {field}={self.token()}"))

    async def commit(self):
        if element := self.one("draft"):
            how = self.rng.choice(["--if-unchanged", "--overwrite"])
            _, answer = await self.shell.say(f"commit {element} {how}")
            self.done(element, answer)

    async def cancel(self):
        if element := self.one("live", "draft"):
            await self.shell.say(f"cancel {element}")
            self.editors.pop(element)

    async def save_new(self):
        gone = sorted(self.vanished & set(self.editors))
        if gone:
            element = self.rng.choice(gone)
            self.vanished.discard(element)
            _, answer = await self.shell.say(f"save-new {element} --id {self.token()}")
            self.done(element, answer)

    async def go(self):
        await self.shell.say("online" if self.is_offline else "offline")
        self.is_offline = not self.is_offline
        if self.is_offline:
            self.deeds.append((20, self.go))
        else:
            self.deeds = self.deeds[:13]

    async def reload(self):
        await self.shell.say("reload")

    def done(self, element, answer):
        """A commit, or its like, was answered."""
        if answer.startswith("ok pending"):
            self.sent.add(element)
        elif answer.startswith("ok"):
            self.editors.pop(element)
        self.learn(element, (None, answer))

    def learn(self, element, said):
        code = said[1].split(" ")[1] if said[1].startswith("error") else None
        if code == "not_open":
            self.editors.pop(element, None)
        if code == "removed":
            self.vanished.add(element)
