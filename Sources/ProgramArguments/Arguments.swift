internal import CPopt
import Glibc

/// The words and flags of a command line, flags before or after the words; taken apart by popt.
package struct Arguments {
    package private(set) var words: [String] = []
    private var values: [String: [String]] = [:]

    /// - Parameter arguments: without the program's name, which `program` is.
    package init(
        _ arguments: [String], of program: String, flags: [Flag]
    ) throws(UsageError) {
        let table = PoptTable(flags)
        let vector = CStrings([program] + arguments)
        let context = poptGetContext(
            nil, Int32(arguments.count) + 1, vector.pointers, table.start, 0)
        defer { poptFreeContext(context) }
        while true {
            let code = poptGetNextOpt(context)
            if code == -1 { break }
            guard code > 0 else { throw Self.fault(code, context, flags, program) }
            let value = poptGetOptArg(context)
            defer { free(value) }
            let text = value.map { String(cString: $0) } ?? ""
            values[flags[Int(code) - 1].name, default: []].append(text)
        }
        var rest = poptGetArgs(context)
        while let word = rest?.pointee {
            words.append(String(cString: word))
            rest = rest?.successor()
        }
    }

    package func has(_ flag: Flag) -> Bool { values[flag.name] != nil }

    /// The flags that were given.
    package var flags: Set<String> { Set(values.keys) }

    /// The last value given.
    package subscript(_ flag: Flag) -> String? { values[flag.name]?.last }

    /// All values given, in order.
    package func all(_ flag: Flag) -> [String] { values[flag.name] ?? [] }

    private static func fault(
        _ code: Int32, _ context: poptContext?, _ flags: [Flag], _ program: String
    ) -> UsageError {
        let bad =
            poptBadOption(context, UInt32(POPT_BADOPTION_NOALIAS))
            .map { String(cString: $0) } ?? ""
        switch code {
        case POPT_ERROR_BADOPT:
            let names = flags.map { "--\($0.name)" }
            let advice = suggestion(for: String(bad.prefix { $0 != "=" }), among: names)
            return UsageError(
                "there is no flag \(masked(bad)). "
                    + (advice.map { "Did you mean \($0)?" } ?? "See \(program) --help."))
        case POPT_ERROR_NOARG: return UsageError("\(bad) needs a value. See \(program) --help.")
        case POPT_ERROR_UNWANTEDARG: return UsageError("\(bad) takes no value.")
        default:
            return UsageError("\(masked(bad)): \(String(cString: poptStrerror(code))).")
        }
    }
}

/// popt's table of flags, ended by an entry of zeros; a flag's code is its place, from 1.
private final class PoptTable {
    private let entries: UnsafeMutableBufferPointer<PoptEntry>
    private let names: CStrings

    init(_ flags: [Flag]) {
        names = CStrings(flags.map(\.name))
        entries = .allocate(capacity: flags.count + 1)
        entries.initialize(repeating: PoptEntry())
        for (index, flag) in flags.enumerated() {
            entries[index].longName = names.pointers[index]
            entries[index].shortName = flag.letter?.asciiValue.map(CChar.init) ?? 0
            entries[index].argInfo = UInt32(flag.value == nil ? POPT_ARG_NONE : POPT_ARG_STRING)
            entries[index].val = Int32(index) + 1
        }
    }

    deinit { entries.deallocate() }

    var start: UnsafePointer<PoptEntry>? { UnsafePointer(entries.baseAddress) }
}

/// Texts for C, freed with the last reference.
private final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafePointer<CChar>?>
    private let count: Int

    init(_ texts: [String]) {
        count = texts.count
        pointers = .allocate(capacity: texts.count + 1)
        pointers.initialize(repeating: nil, count: texts.count + 1)
        for (index, text) in texts.enumerated() {
            pointers[index] = strdup(text).map { UnsafePointer($0) }
        }
    }

    deinit {
        for index in 0..<count { free(UnsafeMutablePointer(mutating: pointers[index])) }
        pointers.deallocate()
    }
}
