import FuzzShared
import ListModel

@testable import Terminal

// A line of the shell's language, and what is printed of a text that came from others.
fuzz { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    if let words = Tokens.split(text) {
        for word in words {
            // What is spelt is read back as the same value.
            let value = Tokens.value(word)
            precondition(Tokens.value(Tokens.spelling(of: value)) == value, "spelt otherwise")
            let json = Printing.json(value)
            precondition(Tokens.value(json) == value, "printed otherwise: \(json)")
            precondition(!json.unicodeScalars.contains(where: Printing.isUnsafe), "unsafe: \(json)")
        }
    }
    do throws(UsageFault) {
        _ = try ShellParser.parse(text)
    } catch {
        precondition(!error.sentence.isEmpty)
    }
    let printed = Printing.word(text) + Printing.masked(text) + Columns.cut(text, to: 20)
    precondition(!Printing.masked(printed).unicodeScalars.contains(where: Printing.isUnsafe))
    precondition(Columns.width(of: Columns.cut(Printing.masked(text), to: 20)) <= 20, "too wide")
}
