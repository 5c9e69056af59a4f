import Foundation

/// A text file of the tree, by its path from the package's root.
struct TextFile: Sendable {
    let path: String
    let lines: [String]
    /// Of Swift files; empty for others.
    let source: [SwiftSource.Line]

    init(_ path: String, _ text: String) {
        self.path = path
        lines = text.components(separatedBy: "\n")
        source = path.hasSuffix(".swift") ? SwiftSource(text).lines : []
    }

    var isSwift: Bool { path.hasSuffix(".swift") }
    /// What people run, as opposed to what tests it.
    var isProduct: Bool { path.hasPrefix("Sources/") || path.hasPrefix("clients/") }
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}

enum Tree {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every text file that is ours: not what was built, nor a server's data.
    static let files: [TextFile] = {
        let left = [".build", ".git", "samelist-data", "__pycache__", ".swiftpm"]
        var found: [TextFile] = []
        let walk = FileManager.default.enumerator(atPath: root.path)
        while let path = walk?.nextObject() as? String {
            if left.contains(String(path.split(separator: "/").last ?? "")) {
                walk?.skipDescendants()
            } else if let text = try? String(
                contentsOf: root.appending(path: path), encoding: .utf8)
            {
                found.append(TextFile(path, text))
            }
        }
        return found.sorted { $0.path < $1.path }
    }()

    static func file(_ path: String) -> TextFile? { files.first { $0.path == path } }
}
