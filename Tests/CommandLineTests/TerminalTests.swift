import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Colors and a progress line that updates in place, which appear on terminals only.
@Suite("On a terminal")
struct TerminalTests {
    private let scratch = Scratch()

    /// `TIOCSPTLCK` and `TIOCGPTN`.
    private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

    /// Runs a command on a new pseudoterminal and returns its output.
    ///
    /// - Parameter answers: What is typed, a line at each prompt that ends with a colon.
    private func onTerminal(
        _ arguments: [String], store: URL, columns: UInt16 = 0, environment: [String: String] = [:],
        answers: [String] = []
    ) throws -> String {
        var answers = answers
        // Does what posix_openpt and related functions do, which the C library's module doesn't expose.
        let main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (unlocked, number) = (Int32(0), Int32(0))
        try #require(
            main >= 0 && ioctl(main, Self.setLock, &unlocked) == 0 && ioctl(main, Self.getNumber, &number) == 0)
        let side = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(side >= 0)
        var size = winsize()
        size.ws_col = columns
        try #require(ioctl(side, UInt(TIOCSWINSZ), &size) == 0)
        let process = CommandRun.process(arguments, store: store)
        process.environment?.merge(environment) { $1 }
        process.standardOutput = FileHandle(fileDescriptor: side)
        process.standardError = FileHandle(fileDescriptor: side)
        process.standardInput = answers.isEmpty ? FileHandle.nullDevice : FileHandle(fileDescriptor: side)
        try process.run()
        close(side)
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(main, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            // When the other side is closed, reading fails instead of returning 0.
            guard count > 0 else { break }
            text += buffer[..<count]
            if text.ends(in: ": "), !answers.isEmpty {
                let answer = answers.removeFirst() + "\n"
                write(main, answer, answer.utf8.count)
            }
        }
        close(main)
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }

    @Test("Headings are bold and bars are colored, unless NO_COLOR is set")
    func colors() throws {
        let plain = try CommandRun(["types"], store: Demo.shared.store).output
        let shown = try onTerminal(["types"], store: Demo.shared.store)
        #expect(shown.hasPrefix("\u{1B}[1mtype  "))
        func stripped(_ text: String) -> String {
            text.replacing("\r\n", with: "\n").replacing(/\u{1B}\[[0-9]+m/, with: "")
        }
        #expect(stripped(shown) == plain)
        let bare = try onTerminal(["types"], store: Demo.shared.store, environment: ["NO_COLOR": "1"])
        #expect(bare.replacing("\r\n", with: "\n") == plain)
        let chart = try onTerminal(["stats", "stepCount", "--every", "day", "--chart"], store: Demo.shared.store)
        #expect(chart.contains("\u{1B}[36m█"))
        #expect(!plain.contains("\u{1B}"))
    }

    @Test("An import shows a progress line that updates in place and disappears at the end")
    func progress() throws {
        let archive = scratch.file("large.xml")
        _ = try CommandRun(["generate", archive.path, "--records", "60000"], store: scratch.store)
        let shown = try onTerminal(["import", archive.path], store: scratch.store)
        #expect(shown.contains(/\r\u{1B}\[K.*[█░]{8,}.* %  [0-9,]+ records  [0-9,]+ MB\/s  [0-9]+ s left/))
        #expect(shown.contains("\r\u{1B}[K\u{1B}[1mtype "))
        let dumb = try onTerminal(
            ["import", archive.path], store: scratch.file("dumb.sqlite"), environment: ["TERM": "dumb"])
        #expect(dumb.hasPrefix("type ") && !dumb.contains("\u{1B}") && !dumb.contains("█"))
    }

    @Test("hk delete asks, and deletes only after a yes")
    func deletion() throws {
        let store = try scratch.demoStore()
        func count() throws -> Int {
            try CommandRun(["samples", "bodyMass", "--limit", "0", "--json"], store: store).objects().count
        }
        let before = try count()
        let no = try onTerminal(["delete", "bodyMass"], store: store, answers: [""])
        #expect(no.contains("Delete these \(before) samples? (y/N): ") && no.hasSuffix("Nothing was deleted.\r\n"))
        #expect(try count() == before && before > 1)
        let yes = try onTerminal(["delete", "bodyMass"], store: store, answers: ["y"])
        #expect(yes.hasSuffix("Deleted \(before).\r\n"))
        #expect(try count() == 0)
    }

    @Test("A passphrase is asked for, and not shown")
    func passphrase() throws {
        let store = try scratch.demoStore()
        let different = try onTerminal(
            ["key", "add"], store: store, environment: ["NO_COLOR": "1"], answers: ["one", "two"])
        #expect(
            different
                == "New passphrase of \(store.path): \r\nRepeat the passphrase: \r\nError: The passphrases don’t match.\r\n"
        )
        let added = try onTerminal(["key", "add"], store: store, answers: ["a quiet river", "a quiet river"])
        #expect(
            added.hasSuffix("Encrypted \(store.path): 3,000 samples and everything else.\r\n")
                && !added.contains("river"))
        let shown = try onTerminal(["types"], store: store, environment: ["NO_COLOR": "1"], answers: ["a quiet river"])
        let plain = try CommandRun(["types"], store: Demo.shared.store).output
        #expect(shown == "Passphrase of \(store.path): \r\n" + plain.replacing("\n", with: "\r\n"))
        let wrong = try onTerminal(["types"], store: store, environment: ["NO_COLOR": "1"], answers: ["another river"])
        #expect(wrong == "Passphrase of \(store.path): \r\nError: The passphrase is not that of \(store.path).\r\n")
    }

    @Test(
        "Nothing is wider than the terminal",
        arguments: [
            ["sources"], ["samples", "workout"], ["samples", "food"], ["types"], ["rings"],
            ["sql", "SELECT * FROM source_revisions LIMIT 1"],
            ["sql", "SELECT start_date, source, identifier FROM samples LIMIT 1500"], ["sql", "--schema"],
            ["stats", "stepCount", "--every", "day", "--chart"], ["stats", "heartRate", "--every", "day", "--chart"],
            ["stats", "sleepAnalysis", "--every", "day"], ["sleep"], ["workouts"], ["workouts", "1"],
            ["workouts", "--weekly"],
            ["workouts", "--records"], ["today"],
        ])
    func widths(arguments: [String]) throws {
        let shown = try onTerminal(arguments, store: Demo.shared.store, columns: 80, environment: ["NO_COLOR": "1"])
        for line in shown.replacing("\r\n", with: "\n").split(separator: "\n") {
            #expect(line.count <= 80, "\(line)")
        }
        #expect(shown.contains("\n"))
    }

    /// Where columns don't fit even shortened, each row takes a line per column.
    @Test(
        "Nothing is wider than a narrow terminal either",
        arguments: [
            ["sql", "SELECT * FROM samples LIMIT 1100"], ["sql", "SELECT * FROM workouts"], ["sources"],
            ["rings", "--last", "7d"],
            ["stats", "heartRate", "--every", "week"], ["stats", "stepCount", "--every", "day", "--chart"],
            ["watch", "--once", "--all", "workout"], ["sql", "SELECT * FROM samples WHERE 0"],
            ["sql", "--schema"],
        ])
    func narrow(arguments: [String]) throws {
        let shown = try onTerminal(arguments, store: scratch.demoStore(), columns: 48, environment: ["NO_COLOR": "1"])
        let lines = shown.replacing("\r\n", with: "\n").split(separator: "\n")
        for line in lines { #expect(line.count <= 48, "\(line)") }
        #expect(!lines.isEmpty)
        // Every row, also those after the ones that the widths are those of.
        if arguments.last?.hasSuffix("1100") == true {
            #expect(
                lines.filter { $0.hasPrefix("type ") }.count == 1_100
                    && lines.filter { $0.hasPrefix("sequence ") }.count == 1_100)
        }
    }

    @Test("The error prefix is red")
    func errors() throws {
        #expect(
            try onTerminal(["stats", "zzz"], store: Demo.shared.store).hasPrefix("\u{1B}[31mError:\u{1B}[0m “zzz”"))
    }
}

extension [UInt8] {
    /// Whether these are the last bytes.
    fileprivate func ends(in text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
