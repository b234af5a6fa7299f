import Crypto
package import Foundation
package import HealthEngine

/// A message to a browser, which its vendor's push service passes on and can't read (RFC 8291, with the key of a server
/// of RFC 8292).
package enum BrowserMessage {
    /// The size of a record, of which a message is one.
    private static let recordSize: UInt32 = 4_096

    /// Encrypts a message for a browser: a body with the content encoding `aes128gcm`.
    ///
    /// - Parameters:
    ///   - sender: The key pair of this message alone.
    ///   - salt: 16 random bytes.
    /// - Throws: ``DaemonError`` if the keys aren't those of a browser.
    static func encrypted(
        _ message: Data, to keys: BrowserKeys, from sender: P256.KeyAgreement.PrivateKey = .init(), salt: Data? = nil
    ) throws -> Data {
        let secret = try sender.sharedSecretFromKeyAgreement(with: try publicKey(of: keys))
        let salt = salt ?? SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
        let own = sender.publicKey.x963Representation
        let material = secret.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: keys.secret, sharedInfo: Data("WebPush: info\0".utf8) + keys.publicKey + own,
            outputByteCount: 32)
        let derived = { (info: String, count: Int) in
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material, salt: salt, info: Data("Content-Encoding: \(info)\0".utf8),
                outputByteCount: count)
        }
        let nonce = derived("nonce", 12).withUnsafeBytes { Data($0) }
        // The byte 2 ends the last record.
        let box = try AES.GCM.seal(
            message + [2], using: derived("aes128gcm", 16), nonce: try AES.GCM.Nonce(data: nonce))
        let header = salt + withUnsafeBytes(of: recordSize.bigEndian) { Data($0) } + [UInt8(own.count)] + own
        return header + box.ciphertext + box.tag
    }

    /// The browser's public key.
    ///
    /// - Throws: ``DaemonError`` if the keys aren't those of a browser.
    private static func publicKey(of keys: BrowserKeys) throws -> P256.KeyAgreement.PublicKey {
        guard keys.secret.count == 16, keys.publicKey.count == 65,
            let key = try? P256.KeyAgreement.PublicKey(x963Representation: keys.publicKey)
        else { throw DaemonError("The keys aren’t those of a browser") }
        return key
    }

    /// Whether keys are those of a browser.
    package static func isReachable(with keys: BrowserKeys) -> Bool { (try? publicKey(of: keys)) != nil }

    // MARK: The server

    /// The file of the key by which push services know this server, in the user's folder for all stores.
    package static func keyFile(in folder: String) -> String { folder + "/browsers.key" }

    /// The public key by which browsers subscribe to messages of this server, as base64 for URLs. The key is made when
    /// it is first asked for.
    ///
    /// - Throws: ``DaemonError`` if the file can't be written or read.
    package static func serverKey(_ file: String) throws -> String {
        if access(file, F_OK) != 0 { try WebhookSecret.create(file) }
        return base64(try signingKey(file).publicKey.x963Representation)
    }

    /// Any 32 bytes but one in four billion are a key, so that a file of a webhook's key has one.
    private static func signingKey(_ file: String) throws -> P256.Signing.PrivateKey {
        let bytes = try WebhookSecret.load(file)
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) else {
            throw DaemonError("The file \(file) with the webhook’s key has no key for browsers")
        }
        return key
    }

    /// The sender of messages, for the operators of push services.
    private static let subject = "https://github.com/openhealthkit/OpenHealthKit"
    /// The seconds for which a push service accepts a token, a day at most.
    private static let validity = 12 * 3_600

    /// The field `Authorization` of a message: a token for the push service's origin, signed with the server's key.
    ///
    /// - Parameter now: In seconds since 1970.
    /// - Throws: ``DaemonError`` if the key can't be read.
    static func authorization(_ url: String, keyFile: String, now: Int) throws -> String {
        let key = try signingKey(keyFile)
        let origin = url.prefixMatch(of: /[A-Za-z]+:\/\/[^\/?#]+/).map { String($0.output) } ?? url
        let claims = #"{"aud":"\#(origin)","exp":\#(now + validity),"sub":"\#(subject)"}"#
        let text = base64(Data(#"{"typ":"JWT","alg":"ES256"}"#.utf8)) + "." + base64(Data(claims.utf8))
        let signature = base64(try key.signature(for: Data(text.utf8)).rawRepresentation)
        return "vapid t=\(text).\(signature), k=\(base64(key.publicKey.x963Representation))"
    }

    /// The topic of an alert's messages, of which a push service keeps only the last one. It doesn't reveal the name.
    static func topic(_ alert: String, of keys: BrowserKeys) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data(alert.utf8), using: SymmetricKey(data: keys.secret))
        return String(base64(Data(code)).prefix(32))
    }

    // MARK: Base64 for URLs

    static func base64(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The bytes of a text as browsers write keys; `nil` if it isn't such a text.
    package static func bytes(_ text: String) -> Data? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + padding)
    }
}

extension BackgroundDeliveryStore {
    /// Removes a browser, with its alerts, if its push service has answered that it isn't subscribed any more.
    package func remove(
        _ bundleIdentifier: String, at target: DeliveryTarget, unsubscribed reason: String?,
        from targets: ConfirmedTargets
    ) throws {
        // It may have subscribed again meanwhile.
        guard reason == WebhookClient.unsubscribed, try application(bundleIdentifier)?.target == target else { return }
        targets.remove(target, of: bundleIdentifier)
        try remove(bundleIdentifier)
    }
}
