import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a stream can show.
struct Terminal: Sendable {
    let isTerminal: Bool
    let columns: Int
    let hasColor: Bool

    /// Whether somebody types.
    static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Standard output and standard error as they are now.
    static let output = Terminal(descriptor: STDOUT_FILENO)
    static let error = Terminal(descriptor: STDERR_FILENO)

    private init(descriptor: Int32) {
        isTerminal = isatty(descriptor) == 1
        var size = winsize()
        columns = isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 100
        let environment = ProcessInfo.processInfo.environment
        hasColor = isTerminal && environment["NO_COLOR"] == nil && environment["TERM"] != "dumb"
    }

    /// The text in a style, or as it is where colours are not to be had.
    func styled(_ text: String, _ style: Style) -> String {
        hasColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Escape codes of the styles in use.
    enum Style: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    /// Writes to standard error.
    static func complain(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
