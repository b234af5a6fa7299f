import CryptoExtras
import Foundation

/// The scrypt hash of a password, with its own salt. The password isn't stored.
package struct PasswordHash: Codable, Hashable, Sendable {
    var salt: Data
    var hash: Data
    /// The parameters of scrypt, N, r and p.
    var rounds: Int
    var blockSize: Int
    var parallelism: Int

    private static let hashBytes = 32

    /// Hashes a password. This takes about a quarter of a second of a processor.
    ///
    /// - Parameter rounds: N, a power of two, to which the work and the memory of a hash are proportional. Passwords of
    ///   people have the default: 32 MiB for each of three passes, which OWASP considers equal to one pass over 128 MiB.
    /// - Throws: ``PasswordError`` if the password is too short or too long.
    package init(_ password: String, rounds: Int = 1 << 15) throws {
        guard (12...1_000).contains(password.unicodeScalars.count) else {
            throw PasswordError(
                "The password must have 12 to 1,000 characters. Four random words are a good password.")
        }
        var generator = SystemRandomNumberGenerator()
        salt = Data((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        (self.rounds, blockSize, parallelism) = (rounds, 8, 3)
        hash = Data()
        hash = try derived(from: password)
    }

    init(text: String) throws {
        self = try JSONDecoder().decode(PasswordHash.self, from: Data(text.utf8))
    }

    /// The hash as it is stored, in JSON.
    var text: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }

    /// Returns whether a password is this one, in a time that doesn't depend on how much of it is right.
    package func matches(_ password: String) -> Bool {
        (try? derived(from: password)).map { Secret.areEqual($0, hash) } ?? false
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

/// A password with which a person signs in.
package struct StoredPassword: Hashable, Sendable {
    package var id: String
    /// The person whose store the sessions may use; `nil` for the owner of the server.
    package var person: String?
    var hash: PasswordHash
    /// The browser that asks, if it has signed in with the password before.
    package var browser: String?
}

/// A password that can't be set.
public struct PasswordError: Error, CustomStringConvertible, Sendable {
    /// The reason, as a sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Checks one password at a time, which bounds the memory that guessing takes.
package actor PasswordChecker {
    private var decoy: PasswordHash?

    package init() {}

    /// Returns whether a password is right. Without a stored one, it takes as long as for a wrong one, so that the time
    /// doesn't reveal who has a password.
    package func check(_ password: String, _ stored: StoredPassword?) -> Bool {
        if let stored { return stored.hash.matches(password) }
        if decoy == nil { decoy = try? PasswordHash(Secret.make()) }
        _ = decoy?.matches(password)
        return false
    }

    /// Hashes a password.
    ///
    /// - Throws: ``PasswordError``.
    package func hash(_ password: String) throws -> PasswordHash {
        try PasswordHash(password)
    }
}
