import Crypto
package import Foundation

/// Random secrets: tokens, cookies and sign-in codes.
///
/// A secret has 256 random bits, so that its plain SHA-256 hash, which is all that is stored, can't be reversed by
/// guessing. Slow password hashes are for secrets that people choose.
package enum Secret {
    /// The beginning of every token, by which tools that search for leaked secrets recognize it.
    package static let tokenPrefix = "ohk_"

    /// A new secret of 43 URL-safe characters.
    package static func make() -> String {
        base64URL(SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) })
    }

    /// A new identifier of 12 URL-safe characters.
    package static func makeIdentifier() -> String {
        // Letters and digits only, so that it can be selected with a double click and doesn't look like an option.
        let letters = Array("abcdefghijkmnopqrstuvwxyz23456789")
        return String((0..<12).map { _ in letters.randomElement() ?? "x" })
    }

    /// The SHA-256 hash of a secret, in hexadecimal digits.
    package static func digest(_ secret: some StringProtocol) -> String { digest(Data(secret.utf8)) }

    /// The SHA-256 hash of bytes, in hexadecimal digits.
    package static func digest(_ bytes: some DataProtocol) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(64)
        for byte in SHA256.hash(data: bytes) {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns whether two texts are equal, in a time that depends only on their length.
    package static func areEqual(_ one: String, _ two: String) -> Bool { areEqual(Data(one.utf8), Data(two.utf8)) }

    /// Returns whether the bytes of two secrets are equal, in a time that depends only on their number.
    static func areEqual(_ one: Data, _ two: Data) -> Bool {
        one.count == two.count && zip(one, two).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Bytes in base64, with characters that URLs and file names may have.
    package static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The bytes of such a text; `nil` for any other.
    package static func data(base64URL text: String) -> Data? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let data = Data(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + padding)
        return data.flatMap { base64URL($0) == text ? $0 : nil }
    }
}
