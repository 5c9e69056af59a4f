internal import ListReplica

/// Following a list in a task.
extension LiveList {
    /// All rows, then what changes, until the list is closed or the reading task is cancelled.
    ///
    /// Each reader has its own telling, from the beginning. Who reads slowly gets several changes
    /// as one, and never misses what they came to.
    public var changes: ListChanges<Item> { ListChanges(source: self) }

    /// What is refused from now on after it had been done here. Work whose `acknowledged()`
    /// somebody waits for is told there instead, and commits by their editors.
    public var refusals: ListRefusals {
        ListRefusals(telling: list.refusals, place: list.refusals.end)
    }
}

extension LiveList: RowSource {
    var ordered: RowOrder.Rows { RowOrder.Rows(list.state) }
}
