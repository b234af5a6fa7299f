import Crypto
import Foundation

/// A SMART Health Card: a compact JWS whose payload is deflated JSON around a FHIR bundle.
struct SMARTHealthCard: Sendable {
    /// More than any card holds: what inflates to more is refused.
    static let greatestPayload = 1 << 20

    /// The compact JWS, as it was given.
    let jws: String
    /// The name of the key it says it is signed with.
    let keyIdentifier: String
    let issuer: String
    let issued: Date
    let expiration: Date?
    /// What kinds of record it is, such as `https://smarthealth.cards#immunization`.
    let types: [String]
    let bundle: FHIRBundleSummary

    private let signed: Data
    private let signature: Data

    /// Reads a card, from a compact JWS or from the digits of a `shc:/` code. The signature is not looked at.
    ///
    /// - Throws: ``SMARTHealthCardError``.
    init(_ text: String) throws(SMARTHealthCardError) {
        jws = text.hasPrefix("shc:/") ? try Self.letters(text.dropFirst(5)) : text
        let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.bytes(parts[0]), let payload = Self.bytes(parts[1]),
            let signature = Self.bytes(parts[2])
        else { throw .malformed }
        guard let head = Self.object(header), head["alg"] as? String == "ES256", head["zip"] as? String == "DEF",
            let kid = head["kid"] as? String
        else { throw .header }
        guard let json = try? RawInflate.inflate([UInt8](payload), limit: Self.greatestPayload) else {
            throw .compression
        }
        guard let body = Self.object(Data(json)), let issuer = body["iss"] as? String,
            let notBefore = (body["nbf"] as? NSNumber)?.doubleValue,
            let credential = body["vc"] as? [String: Any], let types = credential["type"] as? [String],
            let subject = credential["credentialSubject"] as? [String: Any],
            let bundle = subject["fhirBundle"] as? [String: Any], notBefore.isFinite
        else { throw .payload }
        keyIdentifier = kid
        self.issuer = issuer
        issued = Date(timeIntervalSince1970: notBefore)
        expiration = (body["exp"] as? NSNumber).map { Date(timeIntervalSince1970: $0.doubleValue) }
        self.types = types
        self.bundle = FHIRBundleSummary(bundle)
        signed = Data((parts[0] + "." + parts[1]).utf8)
        self.signature = signature
    }

    /// Checks the signature against an issuer's keys.
    ///
    /// - Throws: ``SMARTHealthCardError/unknownKey`` and ``SMARTHealthCardError/signature``.
    func verify(with keys: JSONWebKeys) throws(SMARTHealthCardError) {
        guard let key = keys.signingKey(named: keyIdentifier) else { throw .unknownKey }
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            key.isValidSignature(signature, for: signed)
        else { throw .signature }
    }

    private static func object(_ data: Data) -> [String: Any]? {
        (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
    }

    /// The bytes of base64url without padding.
    static func bytes(_ text: some StringProtocol) -> Data? {
        guard text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }) else {
            return nil
        }
        var plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        plain += String(repeating: "=", count: (4 - plain.count % 4) % 4)
        return Data(base64Encoded: plain)
    }

    /// The JWS that pairs of digits stand for: each letter's code less 45.
    private static func letters(_ digits: Substring) throws(SMARTHealthCardError) -> String {
        let values = digits.utf8.map { Int($0) - 48 }
        guard values.count.isMultiple(of: 2), values.allSatisfy({ (0...9).contains($0) }) else { throw .malformed }
        var letters: [UInt8] = []
        for index in stride(from: 0, to: values.count, by: 2) {
            let code = values[index] * 10 + values[index + 1] + 45
            guard code < 123 else { throw .malformed }
            letters.append(UInt8(code))
        }
        return String(decoding: letters, as: UTF8.self)
    }
}
