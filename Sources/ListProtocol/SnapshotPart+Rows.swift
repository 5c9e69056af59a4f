package import ListModel

extension ListState {
    /// Puts the rows of a part behind all others, in their order. False where one is there twice.
    package mutating func append(_ rows: [SnapshotPart.Row]) -> Bool {
        rows.allSatisfy { row in
            switch row {
            case .element(let element): append(element)
            case .grave(let id, let grave): append(graveOf: id, grave)
            }
        }
    }
}
