public import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A search for health data in the logs of programs. Everything that the programs started by tests write to their
/// standard error is searched here, by the rule that also applies to servers in the test process. If something is
/// found, the test process fails at its end.
public enum ChildMessages {
    private struct State {
        var isChecked = false
        var found: [(program: String, line: String)] = []
        var allowed: [String] = []
    }

    private static let state = Mutex(State())

    /// Returns the lines that look as if they had health data in them: a day or a time of a day, a number with a
    /// fraction, or a key of HealthKit's metadata. Addresses, versions and identifiers don't look so.
    public static func suspicious(_ lines: [String]) -> [String] {
        // What comes before isn't part of a word, an identifier or an address. `\d` alone would match “¼”, too.
        let forms = [
            /(?:^|[^\w.\-])\d{4}-\d\d-\d\d(?:T|$|[^\w\-])/, /(?:^|[^\w.\-])\d\d:\d\d:\d\d(?:$|\W)/,
            /(?:^|[^\w.\-])\d+\.\d+(?:$|[^\w.\-])/, /\bHK[A-Z]\w*Key\b/,
        ].map { $0.asciiOnlyDigits() }
        return lines.filter { line in forms.contains { line.contains($0) } }
    }

    /// The suspicious lines of a program's standard error.
    ///
    /// - Parameter arguments: The words after the name of the program. An error may quote what it was given.
    public static func suspicious(_ errors: String, of arguments: [String]) -> [String] {
        let given = arguments.filter { $0.count > 1 }.sorted { $0.count > $1.count }
        let lines = errors.split(whereSeparator: \.isNewline).filter { line in
            var line = String(line)
            // The time of a log message is the time of the test.
            line.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+\-]\d\d:?\d\d)\s/, with: "")
            // What an error says should be written instead.
            line.replace(/Use a form like .*$/, with: "…")
            for word in given { line = line.replacingOccurrences(of: word, with: "…") }
            // A backup is named by the time at which it was made.
            line.replace(/\b\d{4}-\d\d-\d\dT\d{6}Z/, with: "…")
            // How long it took, and how large a file is.
            line.replace(/\d+\.\d+(?= (?:s|ms|[kMG]B)\b)/, with: "…")
            return !suspicious([line]).isEmpty
        }
        return lines.map(String.init)
    }

    /// Searches what a program has written to its standard error.
    ///
    /// - Parameter arguments: The words after the name of the program.
    public static func record(_ errors: String, of arguments: [String]) {
        let lines = suspicious(errors, of: arguments)
        let isFirst = state.withLock { state in
            state.found += lines.map { (arguments.prefix(3).joined(separator: " "), $0) }
            defer { state.isChecked = true }
            return !state.isChecked
        }
        if isFirst { atexit { ChildMessages.checkAtExit() } }
    }

    /// Declares that the tests of this process make programs write lines with these words.
    ///
    /// - Parameter reason: Why that isn't health data of a store.
    public static func allow(_ words: String, because reason: String) {
        precondition(!words.isEmpty && reason.count > 10, "A reason is needed.")
        state.withLock { $0.allowed.append(words) }
    }

    private static func checkAtExit() {
        let found = state.withLock { state in
            state.found.filter { found in !state.allowed.contains { found.line.contains($0) } }
        }
        guard !found.isEmpty else { return }
        print("error: Programs wrote to their standard error what looks like health data:")
        for (program, line) in found { print("\(program): \(line)") }
        fflush(nil)
        _exit(1)
    }
}

/// A file for the standard error of a program, which is searched at its end.
public final class ChildErrors: Sendable {
    private let path: String
    private let arguments: [String]
    /// The handle to which the process writes.
    public let handle: FileHandle

    /// - Parameter arguments: The words after the name of the program.
    public init(of arguments: [String]) throws {
        path = NSTemporaryDirectory() + "child-errors-" + UUID().uuidString
        self.arguments = arguments
        try Data().write(to: URL(fileURLWithPath: path))
        handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }

    /// The text that the program has written until now.
    public var text: String { String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self) }

    deinit {
        ChildMessages.record(text, of: arguments)
        try? FileManager.default.removeItem(atPath: path)
    }
}
