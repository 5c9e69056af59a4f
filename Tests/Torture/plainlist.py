"""A list by the table of docs/protocol.md: linked in order, graves among the living."""


class PlainList:
    def __init__(self):
        self.after, self.before = {None: None}, {None: None}  # None stands in front and behind
        self.fields = {}  # of the living
        self.kept = {}  # of graves

    def take_row(self, row):
        """The next row of a snapshot; a text is a grave."""
        self.put(row if isinstance(row, str) else row[0], self.before[None])
        if not isinstance(row, str):
            self.fields[row[0]] = row[5]

    def apply(self, entry):
        for op in entry["ops"]:
            self.apply_one(op)

    def apply_one(self, op):
        if "insert" in op:
            self.put(op["insert"], op["after"])
            self.fields[op["insert"]] = op["f"]
        elif "set" in op:
            written = self.fields[op["set"]] | op["f"]
            self.fields[op["set"]] = {k: v for k, v in written.items() if v is not None}
        elif "count" in op:
            self.fields[op["count"]] = self.fields[op["count"]] | {op["field"]: op["is"]}
        elif "move" in op:
            behind = op["after"]
            for element in op["move"]:
                self.take_out(element)
                self.put(element, behind)
                behind = element
        elif "delete" in op:
            self.kept[op["delete"]] = self.fields.pop(op["delete"])
        elif "restore" in op:
            self.fields[op["restore"]] = op["f"]

    def put(self, element, behind):
        following = self.after[behind]
        self.after[behind], self.before[element] = element, behind
        self.after[element], self.before[following] = following, element

    def take_out(self, element):
        behind, following = self.before.pop(element), self.after.pop(element)
        self.after[behind], self.before[following] = following, behind

    @property
    def order(self):
        order, element = [], self.after[None]
        while element is not None:
            order.append(element)
            element = self.after[element]
        return order

    @property
    def living(self):
        return [element for element in self.order if element in self.fields]
