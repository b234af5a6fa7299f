import Crypto
import Foundation
import HealthCompression
import HealthKit

/// An EU Digital COVID Certificate: a COSE message with one signature around a CBOR web token, deflated and
/// in base 45 behind `HC1:` (eHealth Network, Electronic Health Certificate Specification 1.0.5).
struct EUDigitalCOVIDCertificate: Sendable {
    /// Larger than any certificate. Data that inflates to more is rejected.
    static let maximumSize = 1 << 20

    /// Numbers from the specifications: COSE headers (RFC 9052), claims (RFC 8392 and the certificate's own).
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

    /// The text of the code that the certificate was read from.
    let text: String
    /// The identifier, in base64, of the key that the certificate claims to be signed with.
    let keyIdentifier: String
    let issuer: String
    let issued: Date
    let expiration: Date?
    let types: [String]
    let fullName: String
    /// Year, month and day, as far as they are given.
    let birth: DateComponents?
    /// Vaccines, tests and diseases, by their codes in the EU's value sets.
    let itemNames: [String]
    let relevantDate: Date?

    private let signed: [UInt8]
    private let signature: [UInt8]

    /// Reads a certificate from the text of its code. The signature is not checked.
    ///
    /// - Throws: ``EUDigitalCOVIDCertificateError``.
    init(_ text: String) throws(EUDigitalCOVIDCertificateError) {
        guard text.hasPrefix("HC1:"), let packed = Base45.bytes(text.dropFirst(4)) else { throw .malformed }
        self.text = text
        // Two header bytes of zlib precede the deflated data. Its checksum is ignored: the signature covers the data.
        guard packed.count > 2, packed[0] & 0x0F == 8,
            let message = try? Inflater.inflated(Array(packed[2...]), limit: Self.maximumSize)
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
        birth = CardDate.components(String((certificate["dob"]?.text ?? "").prefix(10)))
        itemNames = group.items.compactMap { entry[$0]?.text }.prefix(1).map { $0 }
        relevantDate = entry[group.date]?.text.flatMap { CardDate.instant($0) }
        signed = Self.signedBytes(protected: protected, payload: payload)
        self.signature = signature
    }

    /// The kinds of certificate: key, credential type, fields that can name the item, field of the date.
    private static let entries: [(key: String, type: String, items: [String], date: String)] = [
        ("v", HKVerifiableClinicalRecordCredentialType.immunization.rawValue, ["mp", "vp"], "dt"),
        ("t", HKVerifiableClinicalRecordCredentialType.laboratory.rawValue, ["nm", "ma", "tt"], "sc"),
        ("r", HKVerifiableClinicalRecordCredentialType.recovery.rawValue, ["tg"], "fr"),
    ]

    /// Verifies the signature with an issuer's keys, which are identified in base64.
    ///
    /// - Throws: ``EUDigitalCOVIDCertificateError/unknownKey`` and ``EUDigitalCOVIDCertificateError/signature``.
    func verify(with keys: JSONWebKeys) throws(EUDigitalCOVIDCertificateError) {
        guard let key = keys.signingKey(identifier: keyIdentifier) else { throw .unknownKey }
        guard let made = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            key.isValidSignature(made, for: Data(signed))
        else { throw .signature }
    }

    /// The signed bytes: a list of a context string, the header, an empty byte string and the payload (RFC 9052 §4.4).
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

/// The reason why text is not an EU Digital COVID Certificate that can be trusted. Contains nothing from the
/// certificate.
enum EUDigitalCOVIDCertificateError: Error, Hashable, CustomStringConvertible {
    /// Not `HC1:` and base 45.
    case malformed
    /// The bytes do not inflate, or inflate to more than ``EUDigitalCOVIDCertificate/maximumSize``.
    case compression
    /// Not a COSE message with one signature.
    case envelope
    /// Signed with an algorithm other than ES256, or without a key identifier.
    case header
    /// Not a certificate of a vaccination, a test or a recovery.
    case payload
    /// None of the given keys has the identifier in the header.
    case unknownKey
    /// The signature does not match the key and the signed bytes.
    case signature

    var description: String {
        switch self {
        case .malformed: "The certificate is not the text of a code that begins with HC1:."
        case .compression: "The certificate cannot be decompressed."
        case .envelope: "The certificate is not a COSE message with one signature."
        case .header: "The certificate is not signed with ES256 and an identified key."
        case .payload: "The certificate is not for a vaccination, a test or a recovery."
        case .unknownKey: "The certificate is signed with a key that is not one of the issuer's keys."
        case .signature: "The certificate's signature is not valid."
        }
    }
}

/// The encoding of bytes in QR codes (RFC 9285): three characters out of 45 for two bytes.
enum Base45 {
    private static let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)
    private static let values: [UInt8: Int] = Dictionary(
        uniqueKeysWithValues: characters.enumerated().map { ($0.element, $0.offset) })

    /// The decoded bytes; `nil` for other characters, a trailing character, and triples that exceed two bytes.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.map { values[$0] ?? -1 }
        guard digits.count % 3 != 1, !digits.contains(-1) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 3 * 2 + 1)
        for start in stride(from: 0, to: digits.count, by: 3) {
            let isPair = start + 2 < digits.count
            let number = digits[start] + digits[start + 1] * 45 + (isPair ? digits[start + 2] * 2_025 : 0)
            guard number <= (isPair ? 0xFFFF : 0xFF) else { return nil }
            if isPair { bytes.append(UInt8(number >> 8)) }
            bytes.append(UInt8(number & 0xFF))
        }
        return bytes
    }
}
