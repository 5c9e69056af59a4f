extension Verbs {
    @MainActor static func export(_ call: inout Invocation) async throws(Failure) {}
    @MainActor static func importing(_ call: inout Invocation) async throws(Failure) {}
}
