"""Walks through what a shell's user saw and did, and has every editor's events checked."""
from editors import EVENTS, Watch, fields_in


class Told:
    """`faults` are (kind, sentence); `events` is how many were checked."""

    def __init__(self, shell, history, record=None):
        self.shell, self.history = shell, history
        self.open, self.asleep = {}, {}  # Watches by element
        self.faults, self.events, self.command = [], 0, None
        self.is_fetching = False  # a reload was answered, and its snapshot has not come
        for self.at, line in enumerate(record or shell.record):
            self.take(line[0], line[2:])
        self.end()

    def take(self, mark, text):
        if mark == ">":
            self.asked(text.split(" "))
        elif mark == "|":
            self.rows.append(text.split(" "))
        elif mark == "*":
            self.event(text.split(" "))
        elif mark == "<":
            self.answered(text.split(" "))
            self.command = None
        elif text == "killed":
            self.killed()
            self.command = None
        elif text != "started":
            self.fault(f"the shell {text}", kind="other")

    def asked(self, command):
        self.command, self.rows = command, []
        if command == ["reload"]:
            # What the snapshot brings may lie under one's own work for a while.
            for watch in self.open.values():
                watch.is_fetched = True
        watch = self.open.get(command[-2]) if command[0] == "draft" else None
        if watch and watch.policy == "draft":
            watch.begin(dict([command[-1].split("=")]))

    def fault(self, what, element="", kind="wrong event"):
        if what:
            told = f"{self.shell.name}, line {self.at}: {element} {what}"
            self.faults.append((kind, told))

    def event(self, words):
        name, element = words[0], words[1]
        if name not in EVENTS:
            if name not in ("skipped", "refused"):
                self.fault(" ".join(words))
            return
        self.events += 1
        watch = self.open.get(element)
        if watch is None and element in self.asleep:
            watch = self.open[element] = self.asleep.pop(element)
        if watch is None:
            return self.fault(f"is not edited, and was told {words}", element)
        # A snapshot knows who wrote an element last, and not which field.
        watch.is_fetched |= self.is_fetching or self.command == ["reload"]
        fields, by = fields_in(words[2:]), words[-1] if words[-2] == "by" else None
        if name == "changed":
            self.fault(watch.changed(fields, by), element)
        elif name == "conflict":
            self.fault(watch.conflict(words[2], by=by, **fields), element)
        elif name == "vanished" and words[2] != "deleted":
            self.fault(f"was told {words}", element)
        else:
            self.fault(getattr(watch, name)(by), element)

    def answered(self, words):
        """What a command came to."""
        if self.command is None:
            return self.fault(f"answered {words} to nothing", kind="other")
        verb, *rest = self.command
        is_done = words[0] == "ok"
        # Where the server is away, a reload is answered before it is done.
        if is_done and verb in ("reload", "sync"):
            self.is_fetching = words[1:] == ["offline"]
        element = rest[0] if rest else None
        watch = self.open.get(element)
        if verb == "edit" and is_done:
            if watch:
                self.closed(watch)
            self.watch(element, rest[1].lstrip("-"), fields_in(words[2:]))
        elif verb == "draft" and watch:
            watch.end(is_done)
        elif verb in ("commit", "save-new") and is_done and watch:
            if words[1] == "pending":
                watch.closing = verb
            else:
                self.open.pop(element)
                self.saved(watch, verb, words[1])
        elif verb == "cancel" and is_done:
            self.open.pop(element, None)
        elif verb == "editors" and is_done:
            self.shown()
        elif words[1:2] == ["not_open"] and watch:
            self.closed(watch)

    def watch(self, element, policy, fields):
        own = f"own_{self.shell.name}"
        watch = self.open[element] = Watch(element, policy, fields, self.history, own)
        if not watch.ways:
            self.fault(f"opened with what never was: {fields}", element)

    def closed(self, watch):
        """It is no longer there: because of what was on its way, or else its draft is lost."""
        was_asleep = self.asleep.pop(watch.element, None)
        self.open.pop(watch.element, None)
        if watch.closing:
            self.saved(watch, watch.closing)
        elif watch.kept or not was_asleep:
            self.fault(f"is closed by nobody, with {watch.kept}", watch.element, "lost")

    def saved(self, watch, verb, version=None):
        """A commit that closed its editor is in the log once; `work.py` sees to `save-new`."""
        for field, value in watch.draft.items() if verb == "commit" else ():
            found = self.history.versions(watch.element, field, value)
            if len(found) != 1 or version not in (None, str(found[0])):
                kind = "twice" if len(found) > 1 else "lost"
                self.fault(f"saved {value} as {version}, logged as {found}", watch.element, kind)

    def killed(self):
        """Editors with a draft come back; what was under way may have been done, or not."""
        self.is_fetching = False  # the next process asks for what is missing
        if self.command and self.command[0] in ("commit", "cancel", "save-new"):
            if watch := self.open.get(self.command[1]):
                watch.closing = watch.closing or "perhaps"
        for element, watch in self.open.items():
            if watch.kept or watch.unsure:
                self.asleep[element] = watch
        for watch in self.asleep.values():
            watch.sleep()
        self.open = {}

    def shown(self):
        """The rows of `editors`."""
        there = set()
        for element, policy, state, *more in self.rows:
            there.add(element)
            watch = self.open.get(element) or self.asleep.get(element)
            if watch is None or watch.policy != policy:
                self.fault("has an editor that nobody opened", element)
            elif policy == "draft":
                self.open[element] = watch
                self.asleep.pop(element, None)
                self.fault(watch.wake(state, fields_in(more)), element)
            else:
                self.fault(watch.be(state), element)
        for watch in [*self.open.values(), *self.asleep.values()]:
            if watch.element not in there:
                self.closed(watch)

    def end(self):
        for element, watch in self.open.items():
            self.fault(watch.left_untold(), element)
        for element, watch in self.asleep.items():
            self.fault("did not come back", element, "lost")


def unnoticed(shell, history, rng, tries=10):
    """The checker checked: an event said twice, or of somebody else, must be a fault. Answers the
    forgeries that were none."""
    record, found = shell.record, []
    events = [i for i, line in enumerate(record) if line.startswith("* ") and " by " in line
              and line.split(" ")[1] in EVENTS and f"own_{shell.name}" not in line
              and "> reload" not in record[max(0, i - 50):i]]
    for at in rng.sample(events, min(tries, len(events))):
        for forged in ([record[at], record[at]], [record[at].rsplit(" ", 1)[0] + " nobody"]):
            if not Told(shell, history, record[:at] + forged + record[at + 1:]).faults:
                found.append(("other", f"{shell.name}, line {at}: {forged} was not noticed"))
    return found
