/// A page of the manual, as man(7) has it: made of the tables that the help is made of.
package struct ManualPage {
    package enum Block {
        case paragraph(String)
        /// A word that is explained.
        case tagged(String, String)
        /// Lines as they are typed.
        case lines([String])
        case heading(String)
    }

    private let name: String
    private let section: Int
    private let summary: String
    private let version: String
    private let synopsis: [String]
    private let sections: [(title: String, blocks: [Block])]

    package init(
        name: String, section: Int, summary: String, version: String, synopsis: [String],
        sections: [(title: String, blocks: [Block])]
    ) {
        self.name = name
        self.section = section
        self.summary = summary
        self.version = version
        self.synopsis = synopsis
        self.sections = sections
    }

    /// In the language of troff.
    package var text: String {
        var lines = [
            #".\" Made by `make man` from the tables of the program; changes here are lost."#,
            ".TH \(name.uppercased()) \(section) \"\" \"Samelist \(version)\"",
            ".SH NAME", "\(name) \\- \(Self.escaped(summary))", ".SH SYNOPSIS", ".nf",
        ]
        lines += synopsis.map(Self.line)
        lines.append(".fi")
        for section in sections {
            lines.append(".SH \(Self.escaped(section.title))")
            for block in section.blocks { lines += Self.lines(of: block) }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func lines(of block: Block) -> [String] {
        switch block {
        case .paragraph(let text): [".PP", line(text)]
        case .tagged(let word, let text): [".TP", ".B " + quoted(word), line(text)]
        case .lines(let texts): [".PP", ".RS 4", ".nf"] + texts.map(line) + [".fi", ".RE"]
        case .heading(let title): [".SS " + quoted(title)]
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + escaped(text).replacing("\"", with: "\\(dq") + "\""
    }

    /// A line that begins with a dot or an apostrophe would be a request.
    private static func line(_ text: String) -> String {
        let first = text.first
        return (first == "." || first == "'" || first == " " ? "\\&" : "") + escaped(text)
    }

    private static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case "^": "\\(ha"
            case "~": "\\(ti"
            case "…": "\\&..."
            default: String(character)
            }
        }.joined()
    }
}

extension Flag {
    /// Its spelling in the manual.
    package var manualBlock: ManualPage.Block {
        let letter = letter.map { "-\($0), " } ?? ""
        return .tagged(letter + "--" + name + (value.map { " " + $0 } ?? ""), summary + ".")
    }
}
