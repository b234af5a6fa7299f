import ArgumentParser
import Foundation
import HealthBackup
import HealthStorageFiles
import HealthStorageSQLite

/// `hk key`: encrypts the store, and changes or removes its key.
struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Encrypt the store; change or remove its key.",
        discussion: """
            An encrypted store is opened with a key file or a passphrase: every command takes --key-file, HEALTHKIT_KEY_FILE \
            or HEALTHKIT_PASSPHRASE, or asks on the terminal. A passphrase is never an argument, because other users could \
            see it. A store can’t be opened without its key, so keep a copy in another place.

              hk key make ~/.config/openhealthkit/key
              hk key add --key-file ~/.config/openhealthkit/key
              hk key change
              hk key remove
            """,
        subcommands: [Status.self, Make.self, Add.self, Change.self, Remove.self], defaultSubcommand: Status.self)

    /// `hk key`: says whether the store is encrypted.
    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Say whether the store is encrypted, and with what kind of key.")

        @OptionGroup var options: StoreOptions

        private struct Answer: Encodable {
            var store: String
            var isEncrypted: Bool
            var keys: [String]
            /// The pages that the key has encrypted.
            var encryptionCounter: UInt64?
        }

        func run() throws {
            let path = try options.encryptablePath()
            let kinds = try SQLiteStorage.keyKinds(of: path)
            let sealed = try SQLiteStorage.encryptionCounter(of: path)
            if options.json {
                return try JSONOutput.print(
                    Answer(
                        store: path, isEncrypted: !kinds.isEmpty,
                        keys: kinds.map { $0 == .keyFile ? "keyFile" : "passphrase" }, encryptionCounter: sealed?.count)
                )
            }
            let copy = StagingStore.path(for: path, .changingKey)
            defer {
                if FileManager.default.fileExists(atPath: copy) {
                    print(
                        "It is being encrypted or decrypted, or that was interrupted: \(copy) is a copy. The next command that opens the store removes it."
                    )
                }
            }
            guard !kinds.isEmpty else { return print("\(path) is not encrypted.") }
            let names = kinds.map { $0 == .keyFile ? "a key file" : "a passphrase" }
            print("\(path) is encrypted. It is opened with \(names.joined(separator: " or ")).")
            if let advice = sealed?.advice { print(advice) }
            if kinds.count > 1 {
                print("Changing its key was interrupted. Change it again, so that only the new key opens it.")
            }
        }
    }

    /// `hk key make FILE`: makes a key file.
    struct Make: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "make", abstract: "Create a key file with a random key that only you can read.")

        @Argument(help: "The file, which must not exist.", completion: .file())
        var file: String

        func run() throws {
            try StoreKey.makeFile(at: file)
            print(
                "Created the key file \(file). Keep a copy in another place: a store can’t be opened without its key.")
        }
    }

    /// `hk key add`: encrypts the store.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Encrypt the store.",
            discussion: """
                The key is that of --key-file, HEALTHKIT_KEY_FILE or HEALTHKIT_PASSPHRASE; without one, a passphrase is asked for. \
                No program may have the store open. The file that was not encrypted is deleted, but the disk may keep what it \
                had until it is overwritten, and older backups are not encrypted.
                """)

        @OptionGroup var strength: PassphraseStrength
        @OptionGroup var options: StoreOptions

        func run() throws {
            let path = try options.encryptablePath()
            let key = try strength.check(
                StoreKeyring.shared.key()
                    ?? KeyCommand.newKey(
                        of: path, hint: "Give the key with --key-file, HEALTHKIT_KEY_FILE or HEALTHKIT_PASSPHRASE."))
            let samples = try StoreEncryptionChange.encrypt(path, with: key)
            try KeyCommand.report(
                "Encrypted \(path): \(NumberOutput.grouped(samples)) samples and everything else.", options)
        }
    }

    /// `hk key change`: changes the key.
    struct Change: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change", abstract: "Change the key of an encrypted store, while other programs use it.",
            discussion: """
                The new key is that of --new-key-file or HEALTHKIT_NEW_PASSPHRASE; without one, a passphrase is asked for. Copies and \
                backups that were made before keep the old key, with which somebody who has both the old key and an old copy of \
                the file could also read the new one. If the old key is known to others, remove it and add a new one instead.
                """)

        @Option(name: .long, help: "The new key file.", completion: .file())
        var newKeyFile: String?

        @OptionGroup var strength: PassphraseStrength
        @OptionGroup var options: StoreOptions

        func run() throws {
            let path = try options.encryptablePath()
            let old = try KeyCommand.key(of: path)
            try SQLiteStorage.changeKey(of: path, from: old, to: strength.check(newKey(of: path)))
            try KeyCommand.report(
                "Changed the key of \(path). Backups that were made before keep the old one.", options)
        }

        private func newKey(of path: String) throws -> StoreKey {
            if let newKeyFile { return try StoreKey(file: newKeyFile) }
            if let key = try StoreKey(passphraseIn: "HEALTHKIT_NEW_PASSPHRASE") { return key }
            return try KeyCommand.newKey(
                of: path, hint: "Give the new key with --new-key-file or HEALTHKIT_NEW_PASSPHRASE.")
        }
    }

    /// `hk key remove`: decrypts the store.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Decrypt the store. No program may have it open.")

        @OptionGroup var options: StoreOptions

        func run() throws {
            let path = try options.encryptablePath()
            let samples = try StoreEncryptionChange.decrypt(path, with: KeyCommand.key(of: path))
            try KeyCommand.report(
                "Decrypted \(path): \(NumberOutput.grouped(samples)) samples and everything else.", options)
        }
    }

    /// Whether a new passphrase may be short.
    struct PassphraseStrength: ParsableArguments {
        @Flag(name: .long, help: "Accept a passphrase with fewer than 12 characters, which can be guessed.")
        var weak = false

        func check(_ key: StoreKey) throws -> StoreKey {
            if !weak { try key.requireStrength() }
            return key
        }
    }

    private struct Changed: Encodable {
        var store: String
        var isEncrypted: Bool
    }

    private static func report(_ sentence: String, _ options: StoreOptions) throws {
        guard options.json else { return print(sentence) }
        try JSONOutput.print(
            Changed(store: options.path, isEncrypted: !SQLiteStorage.keyKinds(of: options.path).isEmpty))
    }

    /// Asks for a new passphrase; where nobody can be asked, throws a hint.
    private static func newKey(of path: String, hint: String) throws -> StoreKey {
        guard PassphrasePrompt.isPossible else { throw UsageError(hint) }
        return try StoreKey(passphrase: PassphrasePrompt.readNew("New passphrase of \(path): "))
    }

    /// The present key of an encrypted store.
    private static func key(of path: String) throws -> StoreKey {
        guard try !SQLiteStorage.keyKinds(of: path).isEmpty else { throw UsageError("“\(path)” is not encrypted.") }
        return try StoreKeyring.shared.key(for: path)
    }
}

extension EncryptionCounter {
    /// Advice for the time before the key expires; `nil` long before.
    var advice: String? {
        guard isNearLimit else { return nil }
        let share = min(100, count * 100 / Self.limit)
        return
            "Its key has encrypted \(share) % of the pages that one key may; then it can only be read. “hk key remove” and “hk key add” give it a new one."
    }
}

extension StoreOptions {
    /// The path of a store that can be encrypted.
    ///
    /// - Throws: ``UsageError`` if there is no store, or it is in a database.
    fileprivate func encryptablePath() throws -> String {
        guard !isDatabase else {
            throw UsageError(
                "Only stores in files have a key. Encrypt the disk of a database’s server, and use TLS to reach it.")
        }
        try expectStore()
        return path
    }
}

/// Asks for a passphrase on the terminal, without showing it.
enum PassphrasePrompt {
    /// Lets this program open encrypted stores, and ask for a passphrase that it needs.
    static func register() {
        StoreKeyring.shared.ask { path in
            let isPassphrase = try SQLiteStorage.keyKinds(of: path).contains(.passphrase)
            guard isPassphrase, isPossible else {
                throw UsageError(
                    isPassphrase
                        ? "“\(path)” is encrypted. Give its passphrase with HEALTHKIT_PASSPHRASE, or run this command on a terminal."
                        : "“\(path)” is encrypted. Give its key with --key-file or HEALTHKIT_KEY_FILE.")
            }
            return try StoreKey(passphrase: read("Passphrase of \(path): "))
        }
    }

    /// The terminal's settings before the passphrase is asked for.
    // Used while one thread asks, and by the handler of its interruption.
    // On the heap: the compiler makes a variable of this type three bytes too short.
    nonisolated(unsafe) private static let shown = {
        let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        settings.initialize(to: termios())
        return settings
    }()

    /// Whether somebody can be asked.
    static var isPossible: Bool { Terminal.inputIsTerminal && Terminal.error.isTerminal }

    /// Reads a new passphrase, twice.
    ///
    /// - Throws: ``UsageError`` if there is none, or the second one is different.
    static func readNew(_ prompt: String, of kind: String = "passphrase") throws -> String {
        let first = try read(prompt, of: kind)
        guard try read("Repeat the \(kind): ", of: kind) == first else { throw UsageError("The \(kind)s don’t match.") }
        return first
    }

    private static func read(_ prompt: String, of kind: String = "passphrase") throws -> String {
        tcgetattr(STDIN_FILENO, shown)
        var hidden = shown.pointee
        hidden.c_lflag &= ~tcflag_t(ECHO)
        // Control-C leaves the terminal as it was.
        let previous = signal(SIGINT) { number in
            tcsetattr(STDIN_FILENO, TCSANOW, PassphrasePrompt.shown)
            signal(number, SIG_DFL)
            raise(number)
        }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        Terminal.printError(prompt)
        let line = readLine(strippingNewline: true)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, shown)
        signal(SIGINT, previous)
        Terminal.printError("\n")
        guard let line, !line.isEmpty else { throw UsageError("No \(kind) was entered.") }
        // What isn't UTF-8 was replaced when it was read.
        guard !line.contains("\u{FFFD}") else { throw UsageError("The \(kind) isn’t valid UTF-8.") }
        return line
    }
}
