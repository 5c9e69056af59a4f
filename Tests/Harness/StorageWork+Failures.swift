internal import ListAuthority
internal import ListModel

/// Work that a disk refuses, as the server's shell tells the authority.
extension StorageWork {
    var isWrite: Bool {
        switch self {
        case .create, .drop, .renew, .append, .save: true
        case .load, .readForeign, .read, .history: false
        }
    }

    func failed(_ sentence: String) -> Event {
        let refusal = Refusal(.storageFailed, sentence)
        return switch self {
        case .create(let name, _): .created(name, refusal)
        case .drop(let name, _): .dropped(name, refusal)
        case .renew(let name, let epoch): .renewed(name, epoch, refusal)
        case .append(let name, _, _), .readForeign(let name, _):
            .appendFailed(name, .failed(sentence))
        case .save(let name, _, _, _): .saved(name, at: .zero, first: .zero)
        case .load(let name): .loaded(name, .failure(refusal))
        case .read(let name, _, _, let id): .read(name, for: id, nil)
        case .history(let name, _, _, _, let asker, let request):
            .history(name, for: asker, request, .failure(refusal))
        }
    }
}
