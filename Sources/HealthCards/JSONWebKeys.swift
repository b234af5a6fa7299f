import Crypto
import Foundation

/// An issuer's public keys, in the form issuers publish (a JWK set).
struct JSONWebKeys: Sendable {
    private let keys: [String: P256.Signing.PublicKey]

    /// Reads a JWK set and ignores keys of other kinds.
    ///
    /// - Throws: ``SMARTHealthCardError/malformed`` for bytes that are not a JWK set.
    init(_ data: Data) throws(SMARTHealthCardError) {
        guard let set = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any],
            let list = set["keys"] as? [[String: Any]]
        else { throw .malformed }
        var keys: [String: P256.Signing.PublicKey] = [:]
        for entry in list {
            guard entry["kty"] as? String == "EC", entry["crv"] as? String == "P-256",
                let identifier = entry["kid"] as? String,
                let x = (entry["x"] as? String).flatMap({ Base64URL.bytes($0) }), x.count == 32,
                let y = (entry["y"] as? String).flatMap({ Base64URL.bytes($0) }), y.count == 32,
                let key = try? P256.Signing.PublicKey(rawRepresentation: x + y)
            else { continue }
            keys[identifier] = key
        }
        self.keys = keys
    }

    func signingKey(identifier: String) -> P256.Signing.PublicKey? { keys[identifier] }
}

/// The base64 variant of JWS and JWK (RFC 4648 §5).
enum Base64URL {
    /// The bytes of base64url text without padding; `nil` for other text.
    static func bytes(_ text: some StringProtocol) -> Data? {
        guard text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }) else {
            return nil
        }
        var plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        plain += String(repeating: "=", count: (4 - plain.count % 4) % 4)
        return Data(base64Encoded: plain)
    }
}
