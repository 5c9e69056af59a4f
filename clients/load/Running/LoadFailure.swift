/// Why a run could not be made, in a sentence for people.
struct LoadFailure: Error, Equatable {
    let sentence: String
    init(_ sentence: String) { self.sentence = sentence }
}
