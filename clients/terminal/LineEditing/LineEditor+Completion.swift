internal import CLibedit

/// The Tab key.
extension LineEditor {
    /// Completes the word before the cursor as far as all candidates agree, and shows them where
    /// they do not.
    func completeWord() -> UInt8 {
        guard let editor, let line = el_line(editor), let start = line.pointee.buffer,
            let cursor = line.pointee.cursor
        else { return UInt8(CC_ERROR) }
        let bytes = UnsafeRawBufferPointer(start: start, count: cursor - start)
        let text = String(decoding: bytes, as: UTF8.self)
        let word = text.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
        let candidates = complete(text)
        guard let first = candidates.first else { return UInt8(CC_REFRESH_BEEP) }
        let agreed = candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        let rest = agreed.dropFirst(word.count) + (candidates.count == 1 ? " " : "")
        if rest.isEmpty {
            let shown = candidates.prefix(100).joined(separator: "  ")
            post(.show(shown + (candidates.count > 100 ? "  …" : "") + "\n"))
        } else {
            el_insertstr(editor, String(rest))
        }
        return UInt8(CC_REFRESH)
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}
