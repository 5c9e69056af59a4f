import FuzzShared
import ListModel
import Samelist

// What people type as a server, and texts that name things.
fuzz { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    if let address = ServerAddress(text) {
        precondition(ServerAddress(address.description) == address, "read otherwise: \(address)")
    }
    if let epoch = Epoch(text) { precondition(epoch.description == text && Epoch(text) == epoch) }
    for name in names(text) { precondition(name.text == text && (1...64).contains(bytes.count)) }
}

func names(_ text: String) -> [any Identifier] {
    let names: [(any Identifier)?] = [
        ListName(text), ElementID(text), FieldName(text), ClientID(text), UserName(text),
    ]
    return names.compactMap(\.self)
}
