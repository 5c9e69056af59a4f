"""What a log says of single elements: the states each went through, and which entry wrote what."""
from dataclasses import dataclass

from plainlist import PlainList


@dataclass
class State:
    """An element from one entry to the next that touches it."""

    version: int
    is_alive: bool
    fields: dict
    by: str  # whose entry it was
    kind: str  # insert, set, delete, restore


class History:
    """Read from entries once. A text is written once in a log, so its writer is known."""

    def __init__(self, entries):
        self.states = {}  # ID: states, oldest first
        self.writers = {}  # (ID, field, value): (version, by)
        self.entries = {entry["v"]: entry for entry in entries}
        plain = PlainList()
        for entry in entries:
            plain.apply(entry)
            for op in entry["ops"]:
                self.take(entry, op)
        self.rows = [(element, plain.fields[element]) for element in plain.living]

    def take(self, entry, op):
        kind = next(k for k in ("insert", "set", "count", "move", "delete", "restore",
                                "describe", "forget") if k in op)
        if kind in ("move", "describe", "forget"):
            return
        element = op[kind]
        states = self.states.setdefault(element, [])
        fields = dict(states[-1].fields) if states else {}
        written = op.get("f", {}) if kind in ("insert", "set") else {}
        if kind == "restore" and op["f"] != fields:
            raise AssertionError(f"{element} was restored as what it was not: {op['f']}")
        fields |= written
        states.append(State(entry["v"], kind != "delete", fields, entry["by"], kind))
        for field, value in written.items():
            self.writers.setdefault((element, field, value), []).append((entry["v"], entry["by"]))

    def versions(self, element, field, value):
        return [version for version, _ in self.writers.get((element, field, value), [])]

    def writer(self, element, field, value):
        return self.writers.get((element, field, value), [(0, None)])[0]

    def was_alive(self, element, version):
        """Whether an element could be written right before a version; one to be made always can."""
        before = [state for state in self.states.get(element, []) if state.version < version]
        return element is None or bool(before) and before[-1].is_alive
