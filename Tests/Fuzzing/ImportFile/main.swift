import FuzzShared
import ListModel

@testable import Terminal

// A file to be imported, in each format: the first byte says which.
fuzz { bytes in
    let formats = FileFormat.allCases
    guard let first = bytes.first else { return }
    let format = formats[Int(first) % formats.count]
    let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
    do throws(MalformedLine) {
        let rows = try format.rows(of: text)
        precondition(rows.allSatisfy { $0.line > 0 })
        let written = format.text(of: rows)
        let again = try format.rows(of: written)
        // A check list makes a line of a title that was none.
        precondition(format.text(of: again) == written, "written otherwise: \(written)")
        precondition(again == rows || format == .markdown, "read otherwise: \(written)")
    } catch {
        precondition(error.line > 0 && !error.sentence.isEmpty)
    }
}
