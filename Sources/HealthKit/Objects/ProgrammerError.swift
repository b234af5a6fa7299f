/// A mistake in the calling program. The original raises an exception that Swift cannot catch, so the
/// process ends here too, with the original's words.
enum ProgrammerError {
    /// Ends the process with the name and reason of the exception.
    static func raise(_ reason: String, name: String = "NSInvalidArgumentException") -> Never {
        fatalError("\(name): \(reason)")
    }
}
