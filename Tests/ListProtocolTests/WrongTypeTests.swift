import ListModel
import ListProtocol
import Testing

/// Every member of every example, one at a time, replaced by what it must not be, or left out.
struct WrongTypeTests {
    private let decoder = MessageDecoder(limits: Limits())

    @Test(arguments: Side.allCases)
    func `a value of the wrong type is malformed, and the fault says where`(side: Side) throws {
        for line in side.lines(of: try Goldens.read()) {
            let message = try decoder.decodeValue(Array(line.utf8))
            var count = 0
            for spoilt in spoilings(of: message, at: "") {
                count += 1
                let fault = side.fault(of: MessageEncoder.encode(spoilt.value), by: decoder)
                #expect(fault?.code == .malformed, "\(spoilt.path) of \(line)")
                #expect(fault?.sentence.hasPrefix("\"\(spoilt.path)") == true, "\(line)")
            }
            #expect(count > 0)
        }
    }

    @Test(arguments: Side.allCases)
    func `a member that is missing is named, or has a meaning of its own`(side: Side) throws {
        for line in side.lines(of: try Goldens.read()) {
            guard case .object(let message) = try decoder.decodeValue(Array(line.utf8)) else {
                Issue.record("no object: \(line)")
                return
            }
            for name in message.keys {
                let rest = MessageEncoder.encode(.object(message.filter { $0.key != name }))
                guard let fault = side.fault(of: rest, by: decoder) else { continue }
                #expect(fault.code == .malformed)
                #expect(
                    fault.sentence == "\"\(name)\" is missing" || name == "version"
                        || name == "noop" || name == "refused", "\(fault.sentence) in \(line)")
            }
        }
    }

    @Test(arguments: Side.allCases) func `unknown members are ignored`(side: Side) throws {
        for line in side.lines(of: try Goldens.read()) {
            let more = line.replacing("{\"t\":", with: "{\"zz\":[{\"ops\":3}],\"t\":")
            #expect(try side.recode(Array(more.utf8), by: decoder) == Array(line.utf8))
        }
    }

    private struct Spoilt {
        let path: String
        let value: Value
    }

    /// `value` with one value of another type in it, once for each place that it has.
    private func spoilings(of value: Value, at path: String) -> [Spoilt] {
        var result: [Spoilt] = []
        if !path.isEmpty { result.append(Spoilt(path: path, value: wrong(value))) }
        switch value {
        case .object(let members):
            // What stands in fields is free.
            for (name, member) in members where !path.hasSuffix(".f") {
                let inner = spoilings(of: member, at: path.isEmpty ? name : "\(path).\(name)")
                result += inner.map { spoilt in
                    let other = members.merging([name: spoilt.value]) { $1 }
                    return Spoilt(path: spoilt.path, value: .object(other))
                }
            }
        case .array(let values):
            for (index, member) in values.enumerated() {
                if case .object(let fields) = member, path.hasPrefix("rows"), !fields.isEmpty {
                    continue
                }
                result += spoilings(of: member, at: "\(path)[\(index)]").map { spoilt in
                    var others = values
                    others[index] = spoilt.value
                    return Spoilt(path: spoilt.path, value: .array(others))
                }
            }
        default: break
        }
        return result
    }

    private func wrong(_ value: Value) -> Value {
        switch value {
        case .object: .array([])
        case .array: .object([:])
        case .text, .null: .double(1.5)
        default: .text("1")
        }
    }
}
