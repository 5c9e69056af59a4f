"""What a shell told its user of its work, against the log: saved or pending is in it, once."""

TOKENS = {"add": "--id", "save-new": "--id"}


class Work:
    """One piece of work that the log shows by a text that nothing else bears."""

    def __init__(self, element, field, token, at):
        self.element, self.field, self.token, self.at = element, field, token, at
        self.answer = None  # `None`: killed before
        # What an editor's commit carries may be proposed again, behind what came later.
        self.is_in_turn = element is None or field is not None

    def versions(self, history):
        if self.field is None:
            return [state.version for state in history.states.get(self.token, [])
                    if state.kind == "insert"]
        return history.versions(self.element, self.field, self.token)


def work_of(shell):
    """All that the record of a shell holds, and how often it was told of skipped work."""
    work, drafts, told, open_work = [], {}, {}, []
    for at, line in enumerate(shell.record):
        words = line.split(" ")
        if words[0] == ">":
            open_work = begun(words[1], words[2:], at, drafts)
            work += open_work
        elif words[0] == "<":
            for piece in open_work:
                piece.answer = words[1:]
            open_work = []
        elif words[:1] == ["*"] and words[1] in ("skipped", "refused"):
            told[words[2]] = told.get(words[2], 0) + 1
        elif line == "! killed":
            open_work = []
    return work, told


def begun(verb, rest, at, drafts):
    if verb in TOKENS:
        return [Work(rest[0] if verb == "save-new" else None, None,
                     rest[rest.index(TOKENS[verb]) + 1], at)]
    if verb == "set" or verb == "draft" and rest[1].startswith("own_"):
        field, token = rest[1].split("=")
        return [Work(rest[0], field, token, at)]
    return []


def check_work(shell, history):
    """Faults as (kind, sentence), and how much was acknowledged."""
    faults, acknowledged, missing = [], 0, {}
    work, told = work_of(shell)
    for piece in work:
        versions, answer = piece.versions(history), piece.answer
        what = f"{shell.name}, line {piece.at}: {piece.token} was answered {answer}"
        if len(versions) > 1:
            faults.append(("twice", f"{what}, logged as {versions}"))
        if answer and answer[0] == "error" and versions:
            faults.append(("twice", f"{what}, and logged as {versions}"))
        if answer and answer[0] == "ok":
            acknowledged += 1
            if answer[1] == "pending" and not versions and piece.field:
                missing[piece.element] = missing.get(piece.element, 0) + 1
            elif not versions:
                faults.append(("lost", f"{what}, and is not in the log"))
            elif answer[1] not in ("pending", piece.token, str(versions[0])):
                faults.append(("lost", f"{what}, and was logged as {versions}"))
    for element, n in missing.items():
        if told.get(element, 0) < n:
            faults.append(("lost", f"{shell.name}: {n} pieces of pending work on {element} are "
                           f"not in the log, and {told.get(element, 0)} were told"))
    return faults + list(check_order(shell, work, history)), acknowledged


def check_order(shell, work, history):
    """Work is logged in the order in which it was done. What was skipped, since its element was
    gone, and whose outcome was not heard, is resolved anew when it is sent again, perhaps late."""
    earliest = None  # the first of what was done later
    for piece in reversed([piece for piece in work if piece.is_in_turn]):
        version = min(piece.versions(history), default=None)
        if version is None:
            continue
        if earliest is not None and version > earliest and history.was_alive(piece.element, earliest):
            yield ("out of order", f"{shell.name}, line {piece.at}: {piece.token} was logged as "
                   f"{version}, what was done later as {earliest}")
        earliest = version if earliest is None else min(earliest, version)
