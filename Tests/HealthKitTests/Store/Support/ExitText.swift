import Testing

extension Optional where Wrapped == ExitTest.Result {
    /// What a process that ended wrote to standard error.
    var errorText: String {
        map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    }
}
