import Crypto
import Foundation

/// An EU Digital COVID Certificate: a COSE message with one signature around a CBOR web token, deflated and
/// in base 45 behind `HC1:` (eHealth Network, Electronic Health Certificate Specification 1.0.5).
struct EUDigitalCOVIDCertificate: Sendable {
    /// More than any certificate holds: what inflates to more is refused.
    static let greatestSize = 1 << 20

    /// Numbers of the specifications: COSE headers (RFC 9052), claims (RFC 8392, and the certificate's own).
    private enum Number {
        static let signedMessage: UInt64 = 18
        static let algorithm: Int64 = 1
        static let keyIdentifier: Int64 = 4
        static let es256: Int64 = -7
        static let issuer: Int64 = 1
        static let expiration: Int64 = 4
        static let issued: Int64 = 6
        static let certificates: Int64 = -260
        static let version1: Int64 = 1
    }

    /// The text of the code, as it was given.
    let text: String
    /// The name of the key it says it is signed with, in base64.
    let keyIdentifier: String
    let issuer: String
    let issued: Date
    let expiration: Date?
    let types: [String]
    let fullName: String
    /// Year, month and day, as far as given.
    let birth: [Int]
    /// Vaccines, tests and diseases, as the value sets number them.
    let itemNames: [String]
    let relevantDate: Date?

    private let signed: [UInt8]
    private let signature: [UInt8]

    /// Reads a certificate from the text of its code. The signature is not looked at.
    ///
    /// - Throws: ``EUDigitalCOVIDCertificateError``.
    init(_ text: String) throws(EUDigitalCOVIDCertificateError) {
        guard text.hasPrefix("HC1:"), let packed = Base45.bytes(text.dropFirst(4)) else { throw .malformed }
        self.text = text
        // Two bytes of zlib's before the deflated data; its checksum behind is left to the signature.
        guard packed.count > 2, packed[0] & 0x0F == 8,
            let message = try? RawInflate.inflate(Array(packed[2...]), limit: Self.greatestSize)
        else { throw .compression }
        guard var envelope = try? CBORReader.value(of: message) else { throw .envelope }
        if case .tagged(Number.signedMessage, let inner) = envelope { envelope = inner }
        guard let parts = envelope.list, parts.count == 4, let protected = parts[0].bytes,
            let payload = parts[2].bytes, let signature = parts[3].bytes
        else { throw .envelope }
        let header = (try? CBORReader.value(of: protected)) ?? .null
        guard header[Number.algorithm] == .integer(Number.es256),
            let key = (header[Number.keyIdentifier] ?? parts[1][Number.keyIdentifier])?.bytes
        else { throw .header }
        guard let claims = try? CBORReader.value(of: payload),
            let certificate = claims[Number.certificates]?[Number.version1],
            let issued = claims[Number.issued]?.double, issued.isFinite
        else { throw .payload }
        let entries = Self.entries.compactMap { group in
            certificate[group.key]?.list?.first.map { (group, $0) }
        }
        guard let (group, entry) = entries.first else { throw .payload }
        keyIdentifier = Data(key).base64EncodedString()
        self.issuer = claims[Number.issuer]?.text ?? entry["co"]?.text ?? ""
        self.issued = Date(timeIntervalSince1970: issued)
        expiration = claims[Number.expiration]?.double.flatMap { $0.isFinite ? Date(timeIntervalSince1970: $0) : nil }
        types = [group.type, HKVerifiableClinicalRecordCredentialType.covid19.rawValue]
        let name = certificate["nam"]
        fullName = [name?["gn"]?.text ?? name?["gnt"]?.text, name?["fn"]?.text ?? name?["fnt"]?.text]
            .compactMap { $0 }.joined(separator: " ")
        let numbers = (certificate["dob"]?.text ?? "").prefix(10).split(separator: "-").map { Int($0) }
        birth = numbers.contains(nil) ? [] : numbers.compactMap { $0 }
        itemNames = group.items.compactMap { entry[$0]?.text }.prefix(1).map { $0 }
        relevantDate = entry[group.date]?.text.flatMap { FHIRBundleSummary.date($0) }
        signed = Self.signedBytes(protected: protected, payload: payload)
        self.signature = signature
    }

    /// The kinds of certificate: key, what the original calls it, what names the item, when it happened.
    private static let entries: [(key: String, type: String, items: [String], date: String)] = [
        ("v", HKVerifiableClinicalRecordCredentialType.immunization.rawValue, ["mp", "vp"], "dt"),
        ("t", HKVerifiableClinicalRecordCredentialType.laboratory.rawValue, ["nm", "ma", "tt"], "sc"),
        ("r", HKVerifiableClinicalRecordCredentialType.recovery.rawValue, ["tg"], "fr"),
    ]

    /// Checks the signature against an issuer's keys, which are named by their identifiers in base64.
    ///
    /// - Throws: ``EUDigitalCOVIDCertificateError/unknownKey`` and ``EUDigitalCOVIDCertificateError/signature``.
    func verify(with keys: JSONWebKeys) throws(EUDigitalCOVIDCertificateError) {
        guard let key = keys.signingKey(named: keyIdentifier) else { throw .unknownKey }
        guard let made = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            key.isValidSignature(made, for: Data(signed))
        else { throw .signature }
    }

    /// What is signed: a list of a name, the header, nothing, and the payload.
    static func signedBytes(protected: [UInt8], payload: [UInt8]) -> [UInt8] {
        let name = Array("Signature1".utf8)
        return [0x84, 0x60 | UInt8(name.count)] + name + byteString(protected) + byteString([]) + byteString(payload)
    }

    private static func byteString(_ bytes: [UInt8]) -> [UInt8] {
        let count = bytes.count
        let head: [UInt8] =
            switch count {
            case 0..<24: [0x40 | UInt8(count)]
            case 24..<0x100: [0x58, UInt8(count)]
            case 0x100..<0x1_0000: [0x59, UInt8(count >> 8), UInt8(count & 0xFF)]
            default: [0x5A] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
            }
        return head + bytes
    }
}
