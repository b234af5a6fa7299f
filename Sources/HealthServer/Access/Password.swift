import CryptoExtras
import Foundation

/// A password with which a person signs in. Only its scrypt hash is stored, with its own salt.
struct PasswordRecord: Codable, Hashable, Sendable {
    var id: String
    /// The person whose store the sessions may use; `nil` for the owner of the server.
    var person: String?
    var created: Date
    var salt: Data
    var hash: Data
    /// The parameters of scrypt, N, r and p.
    var rounds: Int
    var blockSize: Int
    var parallelism: Int
    /// The hashes of the cookies of browsers that have signed in with it, the last ones.
    var devices: [String] = []

    /// The number of browsers that are remembered.
    static let maximumDevices = 50
    private static let hashBytes = 32

    /// Hashes a password. This takes about a quarter of a second of a processor.
    ///
    /// - Throws: ``PasswordError`` if it is too short or too long.
    init(_ password: String, of person: String?, now: Date) throws {
        guard (12...1_000).contains(password.unicodeScalars.count) else {
            throw PasswordError(
                "The password must have 12 to 1,000 characters. Four random words are a good password.")
        }
        id = Secret.makeIdentifier()
        self.person = person
        created = now
        var generator = SystemRandomNumberGenerator()
        salt = Data((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        // 32 MiB for each of three passes, which OWASP considers equal to one pass over 128 MiB.
        (rounds, blockSize, parallelism) = (1 << 15, 8, 3)
        hash = Data()
        hash = try derived(from: password)
    }

    /// Returns whether a password is this one, in a time that doesn't depend on how much of it is right.
    func matches(_ password: String) -> Bool {
        guard let found = try? derived(from: password), found.count == hash.count else { return false }
        return zip(found, hash).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private func derived(from password: String) throws -> Data {
        // Keyboards write the same character in several ways.
        let text = password.precomposedStringWithCompatibilityMapping
        let key = try KDF.Scrypt.deriveKey(
            from: Data(text.utf8), salt: salt, outputByteCount: Self.hashBytes, rounds: rounds, blockSize: blockSize,
            parallelism: parallelism)
        return key.withUnsafeBytes { Data($0) }
    }
}

/// A password that can't be set.
public struct PasswordError: Error, CustomStringConvertible, Sendable {
    /// What is wrong, in a sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Checks one password at a time, which bounds the memory that guessing takes.
actor PasswordChecker {
    private var decoy: PasswordRecord?

    /// Returns whether a password is right. Without a record, it takes as long as for a wrong one, so that the time
    /// doesn't reveal who has a password.
    func check(_ password: String, _ record: PasswordRecord?) -> Bool {
        if let record { return record.matches(password) }
        if decoy == nil { decoy = try? PasswordRecord(Secret.make(), of: nil, now: .distantPast) }
        _ = decoy?.matches(password)
        return false
    }

    /// Hashes a password.
    ///
    /// - Throws: ``PasswordError``.
    func record(_ password: String, of person: String?, now: Date) throws -> PasswordRecord {
        try PasswordRecord(password, of: person, now: now)
    }
}
