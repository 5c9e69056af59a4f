import Testing

@Suite("The transcripts hold in process") struct TranscriptTests {
    @Test(arguments: Transcript.all) func `a transcript holds`(_ transcript: Transcript) throws {
        try Player(transcript).play()
    }

    @Test(arguments: Transcript.all)
    func `it holds with deliveries cut into single frames`(_ transcript: Transcript) throws {
        try Player(transcript, seed: 2, writeBytes: 1).play()
    }
}
