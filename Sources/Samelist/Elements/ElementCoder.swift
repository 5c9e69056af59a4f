internal import ListModel

/// Between values of an element's type and the fields of a list.
enum ElementCoder {
    static func fields<Element: ListElement>(of element: Element) throws(ListError) -> Fields {
        throw ListError(.unencodable, "")
    }

    static func decode<Element: ListElement>(_ element: ListModel.Element)
        -> Result<Element, ListError>
    {
        .failure(ListError(.undecodable, ""))
    }

    /// What is to be written so that an element becomes `after`; what its type does not know stays.
    static func changes<Element: ListElement>(
        from before: Element, to after: Element, in element: ListModel.Element
    ) throws(ListError) -> Fields {
        Fields()
    }

    /// The count that makes `after` of an element.
    static func count<Element: ListElement, Number: Encodable>(
        by amount: Number, from before: Element, to after: Element, in element: ListModel.Element
    ) throws(ListError) -> Operation {
        throw ListError(.unencodable, "")
    }
}
