/// Something typed that cannot be meant, found out only once the command runs: an unknown type, a date
/// that is none. The exit status is that of a wrong option.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
