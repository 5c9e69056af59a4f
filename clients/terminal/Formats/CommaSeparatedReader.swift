/// Takes a CSV text apart into cells, byte by byte.
struct CommaSeparatedReader {
    struct Record: Equatable {
        var cells: [String] = []
        /// Where it begins, from 1.
        var line: Int
    }

    /// What the next byte belongs to.
    private enum State {
        case beginning
        case plain
        case quoted
        /// Behind a quote within a quoted cell: a second one stands for a quote, else the cell is
        /// over.
        case quote
    }

    private var state = State.beginning
    private var cell: [UInt8] = []
    private var record = Record(line: 1)
    private var records: [Record] = []
    private var line = 1

    static func records(of text: String) throws(MalformedLine) -> [Record] {
        var reader = CommaSeparatedReader()
        var bytes = Array(text.utf8)[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        for byte in bytes { try reader.take(byte) }
        guard reader.state != .quoted else {
            throw MalformedLine(line: reader.record.line, sentence: "a quote is not closed")
        }
        if !reader.cell.isEmpty || !reader.record.cells.isEmpty { reader.endRecord() }
        return reader.records
    }

    private mutating func take(_ byte: UInt8) throws(MalformedLine) {
        if state == .quoted {
            if byte == UInt8(ascii: "\"") { state = .quote } else { cell.append(byte) }
            if byte == UInt8(ascii: "\n") { line += 1 }
            return
        }
        switch byte {
        case UInt8(ascii: "\""):
            switch state {
            case .beginning: state = .quoted
            case .quote:
                cell.append(byte)
                state = .quoted
            case .plain, .quoted:
                throw MalformedLine(line: line, sentence: "a quote stands in a cell without quotes")
            }
        case UInt8(ascii: ","): endCell()
        case UInt8(ascii: "\n"): endRecord()
        case UInt8(ascii: "\r"): break
        default:
            guard state != .quote else {
                throw MalformedLine(line: line, sentence: "something follows a closing quote")
            }
            state = .plain
            cell.append(byte)
        }
    }

    private mutating func endCell() {
        record.cells.append(String(decoding: cell, as: UTF8.self))
        cell = []
        state = .beginning
    }

    private mutating func endRecord() {
        endCell()
        records.append(record)
        line += 1
        record = Record(line: line)
    }
}
