import Testing

extension Optional where Wrapped == ExitTest.Result {
    /// The standard error of a process that ended.
    var errorText: String {
        map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    }
}
