internal import ListReplica

/// How a commit meets what others wrote meanwhile.
public enum CommitMode: Sendable {
    /// Refuses with the conflict.
    case ifUnchanged
    /// Writes over what others wrote.
    case overwrite
    /// Merges texts by words, and refuses where both changed the same ones.
    case merge

    var mode: ListReplica.Editor.Commit.Mode {
        switch self {
        case .ifUnchanged: .ifUnchanged
        case .overwrite: .overwrite
        case .merge: .merge
        }
    }
}
