"""What editors were told, against the final log: each event true, each that was due told.

An editor's events are a walk through the states of its element: each leads to a later state that
differs from the one last shown by just what it tells, and at the end nothing is left untold. The
checker walks all ways at once that fit what was told.
"""
import json

EVENTS = ("changed", "conflict", "vanished", "returned")


def fields_in(words):
    pairs = (word.split("=", 1) for word in words if "=" in word)
    return {name: json.loads(value) for name, value in pairs}


class Watch:
    """One editor, from its opening to its end. `ways` are (shown, reached, alive): the state that
    it shows, the earliest one in which the list may have been when it last spoke, and whether it
    told that the element is there."""

    def __init__(self, element, policy, fields, history, own):
        self.element, self.policy, self.history, self.own = element, policy, history, own
        self.states = history.states[element]
        given = self.visible(fields)
        self.ways = {(i, i, True) for i, state in enumerate(self.states)
                     if state.is_alive and self.visible(state.fields) == given}
        self.first = min(self.ways, default=(0,))[0]
        self.draft, self.base, self.theirs = {}, {}, {}
        self.kept = {}  # of the draft: what was answered, and so survives
        self.unsure = {}  # typed, and not answered yet, or not before the kill
        self.is_fetched = False  # what it is told comes from a snapshot
        self.closing = None  # `commit` or `save-new`: on its way; `perhaps`: was not answered

    def visible(self, fields):
        return {name: value for name, value in fields.items() if name != self.own}

    def difference(self, shown, now, touched=()):
        before, after = self.states[shown].fields, self.states[now].fields
        return {name: value for name, value in self.visible(after).items()
                if before.get(name) != value and name not in self.draft and name not in touched}

    def begin(self, fields):
        """Something is being typed; it is not known yet on what."""
        self.unsure = fields
        self.look_under()

    def look_under(self):
        for field in set(self.unsure) - set(self.draft):
            shown = {self.states[shown].fields.get(field) for shown, _, _ in self.ways}
            self.base[field] = self.base.get(field, set()) | shown
            self.theirs[field] = self.theirs.get(field, set()) | shown

    def end(self, is_done):
        """It was answered."""
        if is_done:
            self.look_under()
            self.draft |= self.unsure
            self.kept |= self.unsure
        for field in set(self.base) - set(self.draft):
            del self.base[field], self.theirs[field]
        self.unsure = {}

    def sleep(self):
        """The process is killed. What was stored may be older than what was told, never newer."""
        last = max((reached for _, reached, _ in self.ways), default=0)
        self.ways = {(i, i, self.states[i].is_alive) for i in range(self.first, last + 1)}
        self.draft = dict(self.kept)
        for field in self.draft:
            self.theirs[field] |= self.base[field]
        for field in set(self.unsure) - set(self.draft):
            self.base[field] = {
                state.fields.get(field) for state in self.states[self.first:last + 1]}
            self.theirs[field] = set(self.base[field])

    def wake(self, state, fields):
        """As `editors` shows it after a start. Answers what is wrong."""
        if set(fields) - set(self.draft) - set(self.unsure):
            return f"has a draft that nobody typed: {fields}"
        for field, typed in self.draft.items():
            if fields.get(field) not in (typed, self.unsure.get(field)):
                return f"lost its draft {field}={typed}: {fields}"
        self.draft, self.kept, self.unsure = fields, dict(fields), {}
        return self.be(state)

    def be(self, state):
        """`editors` shows it in a state, which must be the one told."""
        ways = {way for way in self.ways if way[2] == (state != "vanished")}
        if not ways:
            return f"is {state}, and has not said so"
        self.ways = ways
        return None

    # What it is told; each answers what is wrong.

    def changed(self, told, by):
        told = self.visible(told)
        self.look_under()
        for field in set(told) & set(self.draft):
            if told[field] not in self.base[field] | {self.draft[field], self.unsure.get(field)}:
                return f"changed {field}, which the draft touches"
            self.theirs[field] = {told.pop(field)}
        if not told:
            return None
        writers = [self.history.writer(self.element, field, told[field]) for field in told]
        if max(writers)[1] != by and not self.wrote_last(by):
            return f"told that {by} changed {told}, which {max(writers)[1]} did"
        return self.go(self.after(told) | self.after(told, self.unsure), f"changed {told}")

    def after(self, told, touched=()):
        """Where it may be after a change."""
        return {(now, now, True) for shown, reached, alive in self.ways if alive
                for now in range(reached, len(self.states))
                if self.states[now].is_alive and self.difference(shown, now, touched) == told}

    def conflict(self, field, base, mine, theirs, by):
        self.look_under()
        if field not in self.draft and self.unsure.get(field) == mine:
            self.draft[field] = mine  # it was typed by then
        if mine not in (self.draft.get(field), self.unsure.get(field)):
            return f"a conflict of {field} with {mine}, which nobody typed"
        if base not in self.base[field]:
            return f"a conflict of {field} on the base {base}, which it was not"
        version, writer = self.history.writer(self.element, field, theirs)
        if writer != by and not self.wrote_last(by):
            return f"a conflict with {theirs} by {by}, which {writer} wrote"
        if not any(self.history.writer(self.element, field, known)[0] < version
                   for known in self.theirs[field]):
            return f"a conflict with {theirs}, which it knows"
        self.theirs[field] = {theirs}
        ways = set()
        for shown, reached, alive in self.ways:
            now = next((i for i in range(reached, len(self.states)) if self.states[i].is_alive
                        and self.states[i].fields.get(field) == theirs), None)
            if alive and now is not None:
                ways.add((shown, now, True))
        return self.go(ways, f"a conflict with {theirs}")

    def vanished(self, by):
        ways = {(now, now, False) for _, reached, alive in self.ways if alive
                for now in self.of_kind("delete", by) if now > reached}
        return self.go(ways, f"deleted by {by}")

    def returned(self, by):
        by = None if self.wrote_last(by) else by
        ways = set()
        for shown, _, alive in self.ways:
            graves = [i for i in self.of_kind("delete") if i >= shown and not alive]
            for grave in graves:
                now = min((i for i in self.of_kind("restore", by) if i > grave), default=None)
                if now is not None:
                    ways.add((grave, now, True))
        return self.go(ways, f"restored by {by}")

    def wrote_last(self, by):
        return self.is_fetched and any(state.by == by for state in self.states[self.first:])

    def of_kind(self, kind, by=None):
        return [i for i, state in enumerate(self.states)
                if state.kind == kind and by in (None, state.by)]

    def go(self, ways, told):
        if not ways:
            return f"told what is not so, or told before: {told}"
        self.ways = ways
        return None

    def left_untold(self):
        """At the end, when all that was logged has come."""
        now = self.states[-1]
        for shown, _, alive in self.ways:
            if alive != now.is_alive:
                continue
            if not alive or not self.difference(shown, len(self.states) - 1):
                break
        else:
            return f"was not told of {now}; it knows {sorted(self.ways)}"
        for field, mine in self.draft.items() if now.is_alive else ():
            known = self.theirs[field] | self.base[field] | {mine}
            if now.fields.get(field) not in known:
                return f"was not told of the conflict with {now.fields[field]} by {now.by}"
        return None
