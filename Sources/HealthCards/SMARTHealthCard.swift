import Crypto
import Foundation
import HealthCompression

/// A SMART Health Card: a compact JWS whose payload is deflated JSON around a FHIR bundle.
struct SMARTHealthCard: Sendable {
    /// Larger than the payload of any card. A payload that inflates to more is rejected.
    static let maximumPayload = 1 << 20

    /// The compact JWS that the card was read from.
    let jws: String
    /// The identifier of the key that the card claims to be signed with.
    let keyIdentifier: String
    let issuer: String
    let issued: Date
    let expiration: Date?
    /// The credential types, such as `https://smarthealth.cards#immunization`.
    let types: [String]
    let bundle: FHIRBundleSummary

    private let signed: Data
    private let signature: Data

    /// Reads a card from a compact JWS or from the text of a `shc:/` code. The signature is not checked.
    ///
    /// - Throws: ``SMARTHealthCardError``.
    init(_ text: String) throws(SMARTHealthCardError) {
        jws = text.hasPrefix("shc:/") ? try Self.characters(text.dropFirst(5)) : text
        let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.bytes(parts[0]), let payload = Base64URL.bytes(parts[1]),
            let signature = Base64URL.bytes(parts[2])
        else { throw .malformed }
        guard let head = Self.object(header), head["alg"] as? String == "ES256", head["zip"] as? String == "DEF",
            let kid = head["kid"] as? String
        else { throw .header }
        guard let json = try? Inflater.inflated([UInt8](payload), limit: Self.maximumPayload) else {
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

    /// Verifies the signature with an issuer's keys.
    ///
    /// - Throws: ``SMARTHealthCardError/unknownKey`` and ``SMARTHealthCardError/signature``.
    func verify(with keys: JSONWebKeys) throws(SMARTHealthCardError) {
        guard let key = keys.signingKey(identifier: keyIdentifier) else { throw .unknownKey }
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            key.isValidSignature(signature, for: signed)
        else { throw .signature }
    }

    private static func object(_ data: Data) -> [String: Any]? {
        (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
    }

    /// The JWS that the digits of a code represent: two for each character, its code minus 45.
    private static func characters(_ digits: Substring) throws(SMARTHealthCardError) -> String {
        let values = digits.utf8.map { Int($0) - 48 }
        guard values.count.isMultiple(of: 2), values.allSatisfy({ (0...9).contains($0) }) else { throw .malformed }
        var characters: [UInt8] = []
        for index in stride(from: 0, to: values.count, by: 2) {
            let code = values[index] * 10 + values[index + 1] + 45
            guard code < 123 else { throw .malformed }
            characters.append(UInt8(code))
        }
        return String(decoding: characters, as: UTF8.self)
    }
}

/// The reason why text is not a SMART Health Card that can be trusted. Contains nothing from the card.
enum SMARTHealthCardError: Error, Hashable, CustomStringConvertible {
    /// Not three parts in base64url, or a `shc:/` code that is not pairs of digits.
    case malformed
    /// The header names a signature or compression that the specification does not allow.
    case header
    /// The payload does not inflate, or inflates to more than ``SMARTHealthCard/maximumPayload`` bytes.
    case compression
    /// The payload is not JSON with an issuer, an issue date and a FHIR bundle.
    case payload
    /// None of the given keys has the identifier in the header.
    case unknownKey
    /// The signature does not match the key and the signed bytes.
    case signature

    var description: String {
        switch self {
        case .malformed: "The health card is not a compact JWS."
        case .header: "The health card's header is not that of a SMART Health Card."
        case .compression: "The health card's payload cannot be decompressed."
        case .payload: "The health card's payload is not that of a SMART Health Card."
        case .unknownKey: "The health card is signed with a key that is not one of the issuer's keys."
        case .signature: "The health card's signature is not valid."
        }
    }
}

/// The parts of a health card's FHIR bundle that a verifiable record shows: the person, the items and their date.
struct FHIRBundleSummary: Hashable, Sendable {
    var fullName = ""
    /// Year, month and day, as far as they are given.
    var birth: DateComponents?
    /// Vaccines and tests, in the bundle's order.
    var itemNames: [String] = []
    /// The date of the most recent item.
    var relevantDate: Date?

    /// Reads a bundle. Missing values and values of an unexpected kind are skipped.
    init(_ bundle: [String: Any]) {
        for entry in bundle["entry"] as? [[String: Any]] ?? [] {
            guard let resource = entry["resource"] as? [String: Any] else { continue }
            switch resource["resourceType"] as? String {
            case "Patient": read(patient: resource)
            case "Immunization": read(item: resource, code: "vaccineCode", dates: ["occurrenceDateTime"])
            case "Observation": read(item: resource, code: "code", dates: ["effectiveDateTime"])
            case "Condition": read(item: resource, code: "code", dates: ["onsetDateTime", "recordedDate"])
            default: break
            }
        }
    }

    private mutating func read(patient: [String: Any]) {
        if let name = (patient["name"] as? [[String: Any]])?.first {
            let parts = (name["given"] as? [String] ?? []) + [name["family"] as? String].compactMap { $0 }
            fullName = parts.isEmpty ? name["text"] as? String ?? "" : parts.joined(separator: " ")
        }
        birth = CardDate.components(patient["birthDate"] as? String ?? "")
    }

    private mutating func read(item: [String: Any], code: String, dates: [String]) {
        if let concept = item[code] as? [String: Any] {
            let coding = (concept["coding"] as? [[String: Any]])?.first
            let name = concept["text"] as? String ?? coding?["display"] as? String ?? coding?["code"] as? String
            if let name { itemNames.append(name) }
        }
        let found = dates.lazy.compactMap { item[$0] as? String }.compactMap(CardDate.instant).first
        if let found { relevantDate = max(relevantDate ?? found, found) }
    }
}

/// Parses the dates in cards and certificates.
enum CardDate {
    /// The numbers of a day, month or year; `nil` for other text.
    static func components(_ text: String) -> DateComponents? {
        let numbers = text.split(separator: "-").map { Int($0) }
        guard (1...3).contains(numbers.count), !numbers.contains(nil) else { return nil }
        return DateComponents(
            calendar: Calendar(identifier: .gregorian), year: numbers[0],
            month: numbers.count > 1 ? numbers[1] : nil, day: numbers.count > 2 ? numbers[2] : nil)
    }

    /// An ISO 8601 instant, or the beginning in UTC of a day, month or year; `nil` for other text.
    static func instant(_ text: String) -> Date? {
        if text.contains("T") {
            if let date = try? Date(text, strategy: .iso8601) { return date }
            return try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        }
        guard let parts = components(text) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(from: DateComponents(year: parts.year, month: parts.month ?? 1, day: parts.day ?? 1))
    }
}
