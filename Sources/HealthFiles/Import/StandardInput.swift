/// The standard input of a program, as a file to import.
package enum StandardInput {
    /// The path that represents standard input.
    package static let path = "-"
    /// The name of standard input in messages.
    package static let name = "standard input"
}
