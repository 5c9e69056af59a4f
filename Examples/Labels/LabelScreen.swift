import Samelist

struct Label: ListElement {
    var id = ElementID.new()
    var name: String
    var isIncluded = true
}

/// Labels, filtered by text, by "included only", in either order; each can be renamed and included
/// or not. What an action means is said by ID, so that no filter makes it mean another label.
@MainActor
final class LabelScreen {
    let labels: LiveList<Label>
    private(set) var shown: LiveView<Label>
    var filter = "" { didSet { look() } }
    var includedOnly = false { didSet { look() } }
    var isReversed = false { didSet { look() } }

    init(_ labels: LiveList<Label>) {
        self.labels = labels
        shown = labels.view()
    }

    private func look() {
        let (filter, includedOnly, isReversed) = (filter.lowercased(), includedOnly, isReversed)
        shown = labels.view(
            where: { label in
                (filter.isEmpty || label.name.lowercased().contains(filter))
                    && (label.isIncluded || !includedOnly)
            },
            sortedBy: { isReversed ? $0.name > $1.name : $0.name < $1.name })
    }

    var text: String {
        shown.elements.map { "\($0.isIncluded ? "+" : "-")\($0.name)" }.joined(separator: " ")
    }

    /// Opens the editor of a row that is shown.
    func edit(_ row: Int) throws -> Editor<Label> { try shown.edit(shown[row].id) }

    /// Saves what was typed, also where the filter no longer shows the label. Of a label that is
    /// gone nothing is written.
    func save(_ editor: Editor<Label>) async -> String {
        do {
            try await editor.commit()
            return "saved"
        } catch .vanished {
            editor.discard()
            return "Edit skipped: \(editor.element.name) was removed"
        } catch {
            return error.sentence
        }
    }
}
