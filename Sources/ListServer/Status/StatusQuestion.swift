internal import Glibc
package import ListModel
internal import ListProtocol

/// Asks the server that runs in a data folder.
package enum StatusQuestion {
    package enum Fault: Error, Equatable, CustomStringConvertible {
        case noServer(String)
        case notAllowed(String)
        case noAnswer(String)

        package var description: String {
            switch self {
            case .noServer(let folder):
                "no server runs in \(folder); start it with samelistd serve, or name its folder "
                    + "with --data."
            case .notAllowed(let folder):
                "only the user whose \(folder) it is, and root, may ask the server that runs there."
            case .noAnswer(let folder): "the server that runs in \(folder) does not answer."
            }
        }
    }

    package static func status(of folder: String) throws(Fault) -> ServerStatus {
        guard let status = ServerStatus(try ask("status", folder)) else {
            throw .noAnswer(folder)
        }
        return status
    }

    package static func readers(
        of list: ListName, _ tenant: Tenant, in folder: String
    ) throws(Fault) -> ListReaders {
        guard let readers = ListReaders(try ask("readers \(tenant.key(list))", folder)) else {
            throw .noAnswer(folder)
        }
        return readers
    }

    private static func ask(_ question: String, _ folder: String) throws(Fault) -> Value {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .noAnswer(folder) }
        defer { close(descriptor) }
        StatusAddress.setPatience(descriptor)
        guard StatusAddress.of(folder, { connect(descriptor, $0, $1) }) == 0 else {
            throw errno == EACCES || errno == EPERM ? .notAllowed(folder) : .noServer(folder)
        }
        let line = Array((question + "\n").utf8)
        guard send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else {
            throw .noAnswer(folder)
        }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.last != UInt8(ascii: "\n") {
            let count = recv(descriptor, &part, part.count, 0)
            guard count > 0 else { throw .noAnswer(folder) }
            bytes += part.prefix(count)
        }
        guard let value = try? MessageDecoder(limits: Limits()).decodeValue(bytes) else {
            throw .noAnswer(folder)
        }
        return value
    }
}
