/// The subscriptions of one list, by connection. All of them are gone through in about the order in
/// which they came: so entries go out by way of memory that lies together.
struct Readers {
    private(set) var all: [Subscription] = []
    private var ids: [ConnectionID] = []
    /// Where each is in `all`.
    private var places: [ConnectionID: Int] = [:]

    var count: Int { all.count }
    var isEmpty: Bool { all.isEmpty }
    /// In the order of `all`.
    var keys: [ConnectionID] { ids }

    subscript(id: ConnectionID) -> Subscription? {
        get { places[id].map { all[$0] } }
        set {
            guard let newValue else {
                remove(id)
                return
            }
            if let place = places[id] {
                all[place] = newValue
            } else {
                places[id] = all.count
                all.append(newValue)
                ids.append(id)
            }
        }
    }

    /// The last one takes the place of what goes.
    @discardableResult
    mutating func remove(_ id: ConnectionID) -> Subscription? {
        guard let place = places.removeValue(forKey: id), let last = ids.last else { return nil }
        if last != id { places[last] = place }
        all.swapAt(place, all.count - 1)
        ids.swapAt(place, ids.count - 1)
        ids.removeLast()
        return all.removeLast()
    }
}
