import Crypto
import Foundation

/// An issuer's public keys, as it publishes them (a JWK set).
struct JSONWebKeys: Sendable {
    private let keys: [String: P256.Signing.PublicKey]

    /// Reads a JWK set; keys of other kinds are passed over.
    ///
    /// - Throws: ``SMARTHealthCardError/malformed`` for bytes that are no JWK set.
    init(_ data: Data) throws(SMARTHealthCardError) {
        guard let set = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any],
            let list = set["keys"] as? [[String: Any]]
        else { throw .malformed }
        var keys: [String: P256.Signing.PublicKey] = [:]
        for entry in list {
            guard entry["kty"] as? String == "EC", entry["crv"] as? String == "P-256",
                let name = entry["kid"] as? String,
                let x = (entry["x"] as? String).flatMap({ SMARTHealthCard.bytes($0) }), x.count == 32,
                let y = (entry["y"] as? String).flatMap({ SMARTHealthCard.bytes($0) }), y.count == 32,
                let key = try? P256.Signing.PublicKey(rawRepresentation: x + y)
            else { continue }
            keys[name] = key
        }
        self.keys = keys
    }

    func signingKey(named name: String) -> P256.Signing.PublicKey? { keys[name] }
}
