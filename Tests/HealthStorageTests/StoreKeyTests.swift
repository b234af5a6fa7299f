import Foundation
import HealthStorage
import Testing

@testable import HealthStorageFiles
@testable import HealthStorageSQLite

@Suite struct StoreKeyTests {
    let encrypted: EncryptedStore
    private var path: String { encrypted.store.path }

    init() throws {
        encrypted = try EncryptedStore()
    }

    private func otherKey(_ name: String = "other") throws -> StoreKey {
        let path = encrypted.store.path(name)
        if !FileManager.default.fileExists(atPath: path) { try StoreKey.makeFile(at: path) }
        return try StoreKey(file: path)
    }

    private func error(_ body: () throws -> Void) -> StorageError? {
        do {
            try body()
            return nil
        } catch {
            return error as? StorageError
        }
    }

    private func opening(_ key: StoreKey?) -> StorageError? {
        error { try encrypted.store.open(EncryptedStore.options(key)).close() }
    }

    // MARK: Key files

    @Test func keyFilesAreRandomAndTheirOwners() throws {
        let one = try String(contentsOfFile: encrypted.store.path("key"), encoding: .utf8)
        _ = try otherKey()
        let two = try String(contentsOfFile: encrypted.store.path("other"), encoding: .utf8)
        #expect(one.count == 45 && two.count == 45 && one != two)
        let permissions = try FileManager.default.attributesOfItem(atPath: encrypted.store.path("key"))[
            .posixPermissions]
        #expect((permissions as? NSNumber)?.intValue == 0o600)
        #expect(
            error { try StoreKey.makeFile(at: encrypted.store.path("key")) }?.description
                == "The key file \(encrypted.store.path("key")) cannot be created: File exists.")
        #expect("\(encrypted.key)" == "a store’s key" && !"\(encrypted.options)".contains(one.prefix(20)))
    }

    @Test func keyFilesOfOthersAndOtherFilesAreRefused() throws {
        let file = encrypted.store.path("key")
        for mode: mode_t in [0o640, 0o604, 0o620] {
            chmod(file, mode)
            #expect(
                error { _ = try StoreKey(file: file) }?.description
                    == "The key file \(file) can be read by others. Make it yours alone: chmod 600 \(file)")
        }
        chmod(file, 0o400)
        _ = try StoreKey(file: file)
        #expect(
            error { _ = try StoreKey(file: file + "-") }?.description
                == "The key file \(file)- cannot be read: No such file or directory.")
        for text in ["", "x", "xZtmFPNj1+ZUWXSDaTndaTfWpxAvmiLXuuABnQArmx", String(repeating: "g", count: 64)] {
            let wrong = encrypted.store.path("wrong")
            try Data(text.utf8).write(to: URL(fileURLWithPath: wrong))
            chmod(wrong, 0o600)
            #expect(
                error { _ = try StoreKey(file: wrong) }?.description
                    == "\(wrong) is not a key file. A key file has one line with 32 bytes in base64, as “hk key make” writes it."
            )
        }
    }

    @Test func hexadecimalKeyFilesAreTheSame() throws {
        try encrypted.open().close()
        let bytes = try #require(
            Data(
                base64Encoded: String(contentsOfFile: encrypted.store.path("key"), encoding: .utf8).trimmingCharacters(
                    in: .newlines)))
        let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let file = encrypted.store.path("hex")
        try Data("  \(hex.uppercased())\r\n".utf8).write(to: URL(fileURLWithPath: file))
        chmod(file, 0o600)
        #expect(try opening(StoreKey(file: file)) == nil)
    }

    @Test func passphrasesAreNormalized() throws {
        let path = encrypted.store.path("passphrase.sqlite")
        // An accent as one character, and as two.
        try SQLiteStorage(path: path, options: EncryptedStore.options(StoreKey(passphrase: "caf\u{E9} noir"))).close()
        try SQLiteStorage(path: path, options: EncryptedStore.options(StoreKey(passphrase: "cafe\u{301} noir"))).close()
        #expect(error { _ = try StoreKey(passphrase: "") }?.description == "The passphrase is empty.")
        let wrong = try StoreKey(passphrase: "cafe noir")
        #expect(
            error { try SQLiteStorage(path: path, options: EncryptedStore.options(wrong)).close() }
                == StorageError(.encrypted, "The passphrase is not that of \(path)."))
    }

    @Test("A passphrase with fewer than 12 characters is weak, which those that ask for one refuse")
    func weakPassphrases() throws {
        for (passphrase, isWeak) in [("elevenchars", true), ("twelve chars", false), ("cafe\u{301} noir 1", true)] {
            let key = try StoreKey(passphrase: passphrase)
            #expect(key.isWeak == isWeak, "\(passphrase)")
            let refused = error { try key.requireStrength() }
            #expect((refused?.kind == .encrypted) == isWeak && refused?.description.contains(passphrase) != true)
        }
        #expect(!encrypted.key.isWeak)
    }

    @Test("A passphrase costs at least N = 2¹⁷, r = 8, p = 1; a store with less is opened")
    func scryptCost() throws {
        let path = encrypted.store.path("passphrase.sqlite")
        let key = try StoreKey(passphrase: "correct horse battery")
        try SQLiteStorage(path: path, options: EncryptedStore.options(key)).close()
        #expect(try Array(encrypted.bytes("passphrase.sqlite")[512..<516]) == [2, 17, 8, 1])
        let secret = SecretBytes(randomCount: 32)
        let slot = try EncryptionHeader.Slot(
            secret, with: key, cost: ScryptCost(logarithm: 12, blockSize: 8, parallelism: 1))
        let opened = try #require(try EncryptionHeader.Slot(sector: slot.bytes[...])?.open(with: key))
        #expect(opened.withUnsafeBytes { Array($0) } == secret.withUnsafeBytes { Array($0) })
    }

    @Test func aPassphraseIsReadFromTheEnvironmentOnce() throws {
        setenv("STORE_KEY_TESTS", "a long passphrase", 1)
        defer { unsetenv("STORE_KEY_TESTS") }
        #expect(try StoreKey(passphraseIn: "STORE_KEY_TESTS")?.kind == .passphrase)
        // Programs that are started inherit the name only.
        #expect(getenv("STORE_KEY_TESTS").map { String(cString: $0) } == "")
        #expect(try StoreKey(passphraseIn: "STORE_KEY_TESTS") == nil)
    }

    // MARK: Wrong keys

    @Test func wrongAndMissingKeysAreErrors() throws {
        try encrypted.open().close()
        let before = try encrypted.bytes()
        #expect(try opening(otherKey()) == StorageError(.encrypted, "The key file is not that of \(path)."))
        #expect(
            try opening(StoreKey(passphrase: "x"))
                == StorageError(.encrypted, "\(path) is encrypted with a key file, and a passphrase was given."))
        #expect(opening(nil) == StorageError(.encrypted, "\(path) is encrypted."))
        #expect(
            error { try SQLiteStorage(path: path).close() }
                == StorageError(
                    .encrypted, "\(path) is encrypted. Give its key with HEALTHKIT_KEY_FILE or HEALTHKIT_PASSPHRASE."))
        #expect(try encrypted.bytes() == before && encrypted.store.files() == ["health.sqlite", "key", "other"])
        #expect(try SQLiteStorage.keyKinds(of: path) == [.keyFile])
    }

    @Test func aKeyForAStoreThatIsNotEncryptedIsAnError() throws {
        try encrypted.store.open(EncryptedStore.options(nil)).close()
        let before = try encrypted.bytes()
        #expect(
            opening(encrypted.key)
                == StorageError(.encrypted, "\(path) is not encrypted, and a key was given. “hk key add” encrypts it."))
        #expect(try encrypted.bytes() == before)
        #expect(try SQLiteStorage.keyKinds(of: path) == [])
        guard case .none = try StoreEncryption.key(encrypted.key).fitting(path) else {
            Issue.record("The key was kept.")
            return
        }
    }

    // MARK: The header

    @Test func damagedHeadersAreErrors() throws {
        try encrypted.open().close()
        let whole = try encrypted.bytes()
        func opening(_ change: (inout [UInt8]) -> Void) throws -> StorageError? {
            var bytes = whole
            change(&bytes)
            try encrypted.write(bytes)
            return self.opening(encrypted.key)
        }
        #expect(try opening { _ in } == nil)
        #expect(
            try opening { $0 = Array($0[..<600]) }
                == StorageError(.damaged, "\(path) is encrypted, and ends within its header."))
        #expect(
            try opening { $0 = Array($0[..<4_096]) }
                == StorageError(.damaged, "\(path) is encrypted, and ends before its first page."))
        #expect(try opening { $0[16] = 2 } == StorageError(.notAStore, "\(path) was encrypted by a newer version."))
        #expect(try opening { $0[0] ^= 1 } == StorageError(.notAStore, "\(path) is not a health store."))
        // Any byte of the key.
        for byte in [512, 513, 514, 515, 520, 551, 552, 600, 611, 612, 627] {
            #expect(
                try opening { $0[byte] ^= 1 }
                    == StorageError(.damaged, "\(path) is encrypted, and the header with its key is damaged."),
                "\(byte)")
        }
        // A cost that would need more memory than allowed, with a matching checksum.
        var slot = try EncryptionHeader.Slot(
            SecretBytes(0..<32), with: encrypted.key, cost: ScryptCost(logarithm: 20, blockSize: 32))
        slot.kind = .passphrase
        #expect(
            try opening { $0.replaceSubrange(512..<1_024, with: slot.bytes) }
                == StorageError(.damaged, "\(path) is encrypted, and the header with its key is damaged."))
    }

    @Test("Pages are counted before they are encrypted; beyond the bound of random nonces, the store can only be read")
    func encryptionCounter() throws {
        func count() throws -> UInt64 { try #require(try SQLiteStorage.encryptionCounter(of: path)).count }
        func set(_ count: UInt64) throws {
            var bytes = try encrypted.bytes()
            bytes.replaceSubrange(2_048..<2_056, with: withUnsafeBytes(of: count.littleEndian) { Array($0) })
            try encrypted.write(bytes)
        }
        var storage = try encrypted.open()
        try Rows.write(1, to: storage)
        let first = try count()
        #expect(first > 0 && first % 64 == 0)
        for number in 2...100 { try Rows.write(number, to: storage) }
        // Each wrote a page at least.
        #expect(try count() >= first + 64)
        // A copy has the same key, and so the number.
        try storage.writeSnapshot(to: encrypted.store.path("snapshot"))
        try storage.close()
        #expect(try SQLiteStorage.encryptionCounter(of: encrypted.store.path("snapshot"))?.count ?? 0 >= count())

        try set(EncryptionCounter.limit / 2)
        #expect(try SQLiteStorage.encryptionCounter(of: path)?.isNearLimit == true)
        try set(EncryptionCounter.limit - 1)
        storage = try encrypted.open()
        var (refused, written): (StorageError?, Int) = (nil, 100)
        while refused == nil, written < 400 {
            written += 1
            refused = error { try Rows.write(written, to: storage) }
        }
        #expect(
            refused?.kind == .unreachable && refused?.description.contains("hk key remove") == true, "\(refused as Any)"
        )
        // What was written before stays, in the log and in the file.
        #expect(try Rows.lastWrite(in: storage) == written - 1)
        try storage.close()
        #expect(try count() == EncryptionCounter.limit + 63)
        storage = try encrypted.open()
        #expect(try Rows.lastWrite(in: storage) == written - 1)
        #expect(error { try Rows.write(written, to: storage) }?.kind == .unreachable)
        try storage.close()
    }

    @Test func keysAreChangedWhileTheStoreIsOpen() throws {
        let storage = try encrypted.open()
        try Rows.write(1, to: storage)
        let (other, third) = (try otherKey(), try otherKey("third"))
        try SQLiteStorage.changeKey(of: path, from: encrypted.key, to: other)
        try Rows.write(2, to: storage)
        #expect(opening(encrypted.key) == StorageError(.encrypted, "The key file is not that of \(path)."))
        #expect(opening(other) == nil)
        #expect(
            error { try SQLiteStorage.changeKey(of: path, from: encrypted.key, to: third) }
                == StorageError(.encrypted, "The key file is not that of \(path)."))
        try SQLiteStorage.changeKey(of: path, from: other, to: third)
        #expect(opening(other)?.kind == .encrypted && opening(third) == nil)
        try Rows.write(3, to: storage)
        try storage.close()
        let last = try encrypted.store.open(EncryptedStore.options(third))
        #expect(try Rows.lastWrite(in: last) == 3)
        try last.close()
        // Nothing but the header has changed: no copy of the first key is left in it.
        #expect(
            try encrypted.bytes()[1_024..<1_536].contains { $0 != 0 }
                != encrypted.bytes()[512..<1_024].contains { $0 != 0 })
    }

    @Test func anInterruptedChangeLeavesBothKeys() throws {
        try encrypted.open().close()
        let before = try encrypted.bytes()
        let other = try otherKey()
        try SQLiteStorage.changeKey(of: path, from: encrypted.key, to: other)
        // The new copy is written before the old one is erased.
        var between = try encrypted.bytes()
        between.replaceSubrange(512..<1_024, with: before[512..<1_024])
        try encrypted.write(between)
        #expect(opening(encrypted.key) == nil && opening(other) == nil)
        #expect(try SQLiteStorage.keyKinds(of: path) == [.keyFile, .keyFile])
        // A write that was torn leaves the old one.
        var torn = before
        torn.replaceSubrange(1_024..<1_100, with: between[1_024..<1_100])
        try encrypted.write(torn)
        #expect(opening(encrypted.key) == nil && opening(other)?.kind == .encrypted)
        // Changing it again, from either of them, leaves one.
        for old in [encrypted.key, other] {
            try encrypted.write(between)
            let third = try otherKey("third")
            try SQLiteStorage.changeKey(of: path, from: old, to: third)
            #expect(
                opening(encrypted.key)?.kind == .encrypted && opening(other)?.kind == .encrypted
                    && opening(third) == nil)
        }
    }

    // MARK: Exclusive reading

    @Test func exclusiveReadingNeedsTheStoreAlone() throws {
        let storage = try encrypted.open()
        try Rows.write(1, to: storage)
        #expect(
            error {
                try SQLiteStorage.readExclusively(path, encryption: .key(encrypted.key)) { _ in
                    _ = Issue.record("It is open.")
                }
            }
                == StorageError(.busy, "Another program has \(path) open."))
        try storage.close()
        var options = encrypted.options
        options.busyTimeout = 0
        try SQLiteStorage.readExclusively(path, encryption: .key(encrypted.key)) { storage in
            let last = try Rows.lastWrite(in: storage)
            #expect(last == 1)
            #expect(error { try encrypted.store.open(options).close() }?.kind == .busy)
        }
        #expect(opening(encrypted.key) == nil)
    }
}
