/// A mistake in the calling program. The original raises an exception that Swift cannot catch, so the
/// process ends here too, with the original's words.
///
/// Every check says by its place in the sources which one it is; a test makes each mistake and looks
/// where the process ended, so that no check goes untested.
enum ProgrammerError {
    /// Ends the process with the name and reason of the exception.
    static func raise(
        _ reason: String, name: String = "NSInvalidArgumentException", file: StaticString = #fileID, line: UInt = #line
    ) -> Never {
        fatalError("\(name): \(reason)", file: file, line: line)
    }
}
