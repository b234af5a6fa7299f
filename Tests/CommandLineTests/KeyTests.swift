import Foundation
import ProcessTestSupport
import Testing

@Suite("hk key and encrypted stores")
struct KeyTests {
    private let scratch = Scratch()

    private var key: String { scratch.file("key").path }

    /// Runs a command with a key or a passphrase in its environment.
    private func run(_ line: String, _ environment: [String: String] = [:]) throws -> CommandRun {
        try CommandRun(shell: "\(BuiltProgram.hk.path) \(line)", store: scratch.store, environment: environment)
    }

    private func encryptedStore() throws -> String {
        let store = try scratch.demoStore().path
        _ = try run("key make \(key)")
        let added = try run("key add --key-file \(key)")
        #expect(added.errors == "" && added.output == "Encrypted \(store): 3,000 samples and everything else.\n")
        return store
    }

    @Test("A store is encrypted, used, and decrypted")
    func thereAndBack() throws {
        let store = scratch.store.path
        _ = try scratch.demoStore()
        #expect(try run("key").output == "\(store) is not encrypted.\n")
        let samples = try run("samples bodyMass --json").output
        #expect(
            try run("key make \(key)").output
                == "Created the key file \(key). Keep a copy in another place: a store can’t be opened without its key.\n"
        )
        #expect(try run("key make \(key)").errors == "Error: The key file \(key) cannot be created: File exists.\n")
        // As ~/.config/openhealthkit/key on a new system.
        let nested = scratch.file("new/folder/key")
        #expect(try run("key make \(nested.path)").status == 0)
        let folder = nested.deletingLastPathComponent().path
        let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
        #expect(FileManager.default.fileExists(atPath: nested.path) && mode == 0o700)
        let added = try run("key add --key-file \(key) --json").json() as? [String: Any]
        #expect(added?["isEncrypted"] as? Bool == true)
        #expect(try run("key").output == "\(store) is encrypted. It is opened with a key file.\n")
        let status = try run("key status --json").json() as? [String: Any]
        #expect(status?["keys"] as? [String] == ["keyFile"])
        for line in ["samples bodyMass --json --key-file \(key)", "samples bodyMass --key-file \(key) --json"] {
            #expect(try run(line).output == samples)
        }
        #expect(try run("samples bodyMass --json", ["HEALTHKIT_KEY_FILE": key]).output == samples)
        #expect(
            try run("key add --key-file \(key)").errors
                == "Error: \(store) is already encrypted. “hk key change” changes its key.\n")
        #expect(
            try run("key remove --key-file \(key)").output == "Decrypted \(store): 3,000 samples and everything else.\n"
        )
        #expect(try run("samples bodyMass --json").output == samples)
        #expect(try run("key remove").errors == "Error: “\(store)” is not encrypted.\n")
        #expect(try run("key change").status == 64)
    }

    @Test("hk key and hk doctor warn before a key has encrypted what it may; then the store is read and gets a new key")
    func exhaustedKey() throws {
        let store = try encryptedStore()
        let environment = ["HEALTHKIT_KEY_FILE": key]
        func set(encryptionCounter count: UInt64) throws {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: store))
            try file.seek(toOffset: 2_048)
            try file.write(contentsOf: withUnsafeBytes(of: count.littleEndian) { Data($0) })
            try file.close()
        }
        #expect(try run("key").lines.count == 1)
        try set(encryptionCounter: 1 << 29)
        #expect(try run("key").output.contains("Its key has encrypted 50 % of the pages that one key may"))
        let doctor = try run("doctor", environment)
        #expect(doctor.status == 0 && doctor.output.contains("key      Its key has encrypted 50 %"), "\(doctor.output)")
        #expect((try run("key --json").json() as? [String: Any])?["encryptionCounter"] as? Int == 1 << 29)

        try set(encryptionCounter: 1 << 30)
        let add = "add bodyMass 70 kg --start 2001-02-01"
        let refused = try run(add, environment)
        #expect(refused.status == 1 && refused.errors.contains("“hk key remove” and “hk key add” give it a new one"))
        #expect(try run("samples bodyMass", environment).lines.count > 1)
        #expect(try run("key remove", environment).status == 0)
        #expect(try run("key add", environment).status == 0)
        #expect(try run(add, environment).errors == "")
        #expect(try run("key").lines.count == 1)
    }

    @Test("A backup from before a store was encrypted takes its place only encrypted, and a damaged one not at all")
    func previousBackup() throws {
        let store = try scratch.demoStore().path
        let folder = scratch.file("backups").path
        _ = try run("key make \(key)")
        let samples = try run("samples bodyMass --json").output
        #expect(try run("backup \(folder)").status == 0)
        #expect(try run("key add --key-file \(key)").status == 0)
        let refused = try run("restore \(folder) --replace")
        #expect(refused.status == 1)
        #expect(
            refused.errors
                == "Error: The store at “\(store)” is encrypted, and the backup 2025-11-16T170000Z isn’t. Give the store’s key, with which the restored one is encrypted, or move the store away first.\n"
        )
        let restored = try run("restore \(folder) --replace", ["HEALTHKIT_KEY_FILE": key])
        #expect(restored.errors == "")
        #expect(
            restored.output
                == """
                Restored the backup 2025-11-16T170000Z to \(store).
                The previous store is \(store).before-2025-11-16T170000Z.
                It is encrypted with the key of the previous store; the backup isn’t encrypted.

                """)
        #expect(try run("samples bodyMass --json").status == 64)
        #expect(try run("samples bodyMass --json --key-file \(key)").output == samples)
        #expect(try run("doctor --key-file \(key)").status == 0)
    }

    @Test("While its key is added and removed again and again, a store keeps what other commands save")
    func race() throws {
        let store = try scratch.demoStore().path
        let hk = BuiltProgram.hk.path
        _ = try run("key make \(key)")
        // A program that opens the store while its file is replaced waits for the new one.
        let writers = (1...2).map { writer in
            """
            (for n in $(seq 12); do for key in '' '--key-file \(key)'; do
            '\(hk)' add bodyMass 70 kg --start 2001-02-0\(writer) --metadata n=$n $key 2>>'\(store).errors'; done; done >'\(store).saved-\(writer)') &
            """
        }
        let run = try CommandRun(
            shell: """
                \(writers.joined(separator: "\n"))
                for n in $(seq 8); do for change in add remove; do
                '\(hk)' key $change --key-file '\(key)' 2>>'\(store).errors' >/dev/null; done; done; wait; cat '\(store)'.saved-* | wc -l
                """, store: scratch.store)
        let saved = try #require(Int(run.lines.last ?? ""))
        let errors = try String(contentsOfFile: store + ".errors", encoding: .utf8).split(separator: "\n")
        // Changing a key needs the store for itself; a writer may not be given it in time either.
        let expected = [
            "open.", "encrypted.", "encrypts it.", "changes its key.", "has just written to \(store).",
            "HEALTHKIT_KEY_FILE.",
        ]
        #expect(
            errors.filter { error in !expected.contains { error.hasSuffix($0) } && !error.contains("has replaced") }
                == [])
        let encrypted = try self.run("key").output.contains("is encrypted")
        let environment = encrypted ? ["HEALTHKIT_KEY_FILE": key] : [:]
        let doctor = try self.run("doctor", environment)
        #expect(doctor.lines.last == "No problems found.", "\(doctor.output)\(doctor.errors)")
        let samples = try self.run("samples bodyMass --from 2001-02-01 --to 2001-02-02 --limit 0 --json", environment)
            .output
        #expect(saved > 0 && samples.matches(of: /"uuid"/).count == saved)
    }

    @Test("A key is changed to a passphrase and back")
    func change() throws {
        let store = try encryptedStore()
        let changed = try run("key change --key-file \(key)", ["HEALTHKIT_NEW_PASSPHRASE": "a horse and a battery"])
        #expect(changed.output == "Changed the key of \(store). Backups that were made before keep the old one.\n")
        #expect(try run("key").output == "\(store) is encrypted. It is opened with a passphrase.\n")
        let doctor = try run("doctor", ["HEALTHKIT_PASSPHRASE": "a horse and a battery"])
        #expect(doctor.lines.last == "No problems found.")
        let wrong = try run("doctor", ["HEALTHKIT_PASSPHRASE": "a horse"])
        #expect(wrong.errors == "Error: The passphrase is not that of \(store).\n" && wrong.status == 1)
        #expect(
            try run("doctor --key-file \(key)").errors
                == "Error: \(store) is encrypted with a passphrase, and a key file was given.\n")
        let back = try run("key change --new-key-file \(key)", ["HEALTHKIT_PASSPHRASE": "a horse and a battery"])
        #expect(back.status == 0)
        #expect(try run("types --key-file \(key)").status == 0)
    }

    @Test("A short passphrase is refused unless it is accepted with --weak, and then opens the store")
    func weakPassphrase() throws {
        let short = ["HEALTHKIT_PASSPHRASE": "a horse"]
        let sentence =
            "Error: The passphrase has fewer than 12 characters and can be guessed. Use a longer one, or accept it with “hk key add --weak”.\n"
        let created = try run("add stepCount 7 count", short)
        #expect(created.status == 1 && created.errors == sentence)
        #expect(!FileManager.default.fileExists(atPath: scratch.store.path))
        let store = try scratch.emptyStore().path
        let added = try run("key add", short)
        #expect(added.status == 1 && added.errors == sentence)
        #expect(try run("key").output == "\(store) is not encrypted.\n")
        #expect(try run("key add --weak", short).status == 0)
        #expect(try run("add stepCount 7 count", short).status == 0)
        let new = ["HEALTHKIT_PASSPHRASE": "a horse", "HEALTHKIT_NEW_PASSPHRASE": "batteries"]
        #expect(try run("key change", new).errors == sentence)
        #expect(try run("key change --weak", new).status == 0)
        #expect(try run("doctor --repair", ["HEALTHKIT_PASSPHRASE": "batteries"]).status == 0)
        #expect(try run("key remove", ["HEALTHKIT_PASSPHRASE": "batteries"]).status == 0)
    }

    @Test("Passphrases that aren't UTF-8 are refused instead of being all the same")
    func invalidPassphrase() throws {
        let store = try scratch.demoStore().path
        let hk = BuiltProgram.hk.path
        let added = try CommandRun(
            shell: "HEALTHKIT_PASSPHRASE=$(printf '\\377\\376') \(hk) key add", store: scratch.store)
        #expect(
            added.errors == "Error: The passphrase in HEALTHKIT_PASSPHRASE isn’t valid UTF-8.\n" && added.status == 1)
        #expect(try run("key").output == "\(store) is not encrypted.\n")
    }

    @Test(
        "Wrong and missing keys are reported in one line",
        arguments: [
            "types", "sql 'SELECT 1'", "backup copies", "today", "serve", "mcp", "key change", "export out.zip",
        ])
    func errors(command: String) throws {
        let store = try encryptedStore()
        let none = try CommandRun(
            shell: "cd \(scratch.folder.path) && \(BuiltProgram.hk.path) \(command) < /dev/null", store: scratch.store)
        #expect(none.errors == "Error: “\(store)” is encrypted. Give its key with --key-file or HEALTHKIT_KEY_FILE.\n")
        #expect(none.status == 64)
        let other = scratch.file("other").path
        _ = try run("key make \(other)")
        let wrong = try CommandRun(
            shell: "cd \(scratch.folder.path) && \(BuiltProgram.hk.path) \(command) --key-file \(other) < /dev/null",
            store: scratch.store)
        if command != "key change" {
            #expect(wrong.errors == "Error: The key file is not that of \(store).\n" && wrong.status == 1)
        }
    }

    @Test(
        "Files that an interrupted change left are reported by hk key, and removed by the next command that opens the store"
    )
    func interrupted() throws {
        let store = try encryptedStore()
        for suffix in ["", "-wal"] {
            try Data("not encrypted".utf8).write(to: URL(fileURLWithPath: store + ".changing-key" + suffix))
        }
        let status = try run("key").lines
        #expect(status.first == "\(store) is encrypted. It is opened with a key file.")
        #expect(status.last?.contains("was interrupted: \(store).changing-key is a copy.") == true)
        #expect(try run("doctor --key-file \(key)").status == 0)
        #expect(
            !(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).contains {
                $0.contains("changing-key")
            }))
        #expect(try run("key").lines.count == 1)
    }

    @Test("A key for a store that is not encrypted, and a key file that others can read, are errors")
    func refused() throws {
        let store = try scratch.demoStore().path
        _ = try run("key make \(key)")
        let plain = try run("types --key-file \(key)")
        #expect(plain.errors == "Error: \(store) is not encrypted, and a key was given. “hk key add” encrypts it.\n")
        chmod(key, 0o644)
        #expect(
            try run("types --key-file \(key)").errors
                == "Error: The key file \(key) can be read by others. Make it yours alone: chmod 600 \(key).\n")
        let database = try run("key --store postgresql://localhost/health?person=anna")
        #expect(
            database.errors
                == "Error: Only stores in files have a key. Encrypt the disk of a database’s server, and use TLS to reach it.\n"
        )
        #expect(
            try run("key add < /dev/null").errors
                == "Error: Give the key with --key-file, HEALTHKIT_KEY_FILE or HEALTHKIT_PASSPHRASE.\n")
    }

    @Test("Import, export, copy, backup and restore work on encrypted stores")
    func commands() throws {
        _ = try run("key make \(key)")
        let environment = ["HEALTHKIT_KEY_FILE": key]
        #expect(try run("import \(Demo.shared.file("demo.zip").path)", environment).status == 0)
        #expect(try run("key").output == "\(scratch.store.path) is encrypted. It is opened with a key file.\n")
        let (copy, decoy, folder) = (
            scratch.file("copy.sqlite").path, scratch.file("new.sqlite").path, scratch.file("backups").path
        )
        #expect(try run("copy \(scratch.store.path) \(copy)", environment).status == 0)
        #expect(try run("copy \(Demo.shared.store.path) \(decoy)", environment).status == 0)
        #expect(try run("backup \(folder)", environment).output.contains(" had changed."))
        #expect(try run("backup \(folder) --verify", environment).output.contains("of which nothing had changed."))
        let restored = scratch.file("restored.sqlite").path
        #expect(try run("restore \(folder) --store \(restored)", environment).status == 0)
        #expect(try run("import \(Demo.shared.file("demo.zip").path) --dry-run", environment).status == 0)
        let expected = try CommandRun(["stats", "steps", "--json"], store: Demo.shared.store).output
        for path in [copy, decoy, restored, scratch.store.path] {
            #expect(try run("key --store \(path)").output.contains("is encrypted."))
            #expect(try run("stats steps --json --store \(path)", environment).output == expected)
            #expect(try run("doctor --store \(path)", environment).status == 0)
        }
        let rows = try run("sql 'SELECT count(*) AS n FROM samples' --json", environment)
        #expect(rows.errors == "" && rows.status == 0)
        let archive = scratch.file("again.zip").path
        #expect(try run("export \(archive)", environment).status == 0)
        #expect(try run("doctor --repair --store \(copy)", environment).status == 0)
    }
}
