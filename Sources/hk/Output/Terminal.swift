import Foundation

/// The capabilities of an output stream.
struct Terminal: Sendable {
    let isTerminal: Bool
    /// Whether text can be drawn again in place, which the terminal `dumb` can't.
    let hasCursor: Bool
    let columns: Int
    let hasColor: Bool

    /// Whether standard input is a terminal.
    static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Standard output and standard error as they are now.
    static let output = Terminal(descriptor: STDOUT_FILENO)
    static let error = Terminal(descriptor: STDERR_FILENO)

    private init(descriptor: Int32) {
        isTerminal = isatty(descriptor) == 1
        var size = winsize()
        columns =
            isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 100
        hasCursor = isTerminal && getenv("TERM").map { String(cString: $0) } != "dumb"
        hasColor = hasCursor && getenv("NO_COLOR") == nil
    }

    /// The text in a style, or unchanged if the stream doesn't support styles.
    func styled(_ text: String, _ style: Style) -> String {
        hasColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// The text on lines that fit the terminal, all but the first after `indent` spaces; unchanged elsewhere.
    func wrapped(_ text: String, after indent: Int) -> String {
        guard isTerminal, indent + 20 < columns else { return text }
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, Table.width(last) + 1 + Table.width(String(word)) <= columns - indent {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
    }

    /// An entry of a list: its beginning, which takes `indent` columns, and wrapped text behind it, or below it on a
    /// terminal that is too narrow for both.
    func entry(_ beginning: String, _ text: String, after indent: Int) -> String {
        guard isTerminal, indent + 20 >= columns else { return beginning + wrapped(text, after: indent) }
        return String(beginning.reversed().drop { $0 == " " }.reversed()) + "\n    " + wrapped(text, after: 4)
    }

    /// The escape codes of text styles.
    enum Style: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
        /// In colors that themes don't change.
        case whiteOnBlack = "38;5;231;48;5;16"
    }

    static func printError(_ text: String) {
        // There is nowhere to report that this fails.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
