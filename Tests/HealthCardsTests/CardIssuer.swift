import Crypto
import Foundation
import HealthCompression

/// Issues SMART Health Cards, as a health institution does, also invalid ones.
struct CardIssuer {
    let key = P256.Signing.PrivateKey()
    var keyIdentifier = "key-1"

    static let payload = """
        {"iss":"https://example.org/issuer","nbf":1620992383.218,"exp":1920992383,"vc":{"type":
        ["https://smarthealth.cards#health-card","https://smarthealth.cards#immunization"],"credentialSubject":
        {"fhirVersion":"4.0.1","fhirBundle":{"resourceType":"Bundle","type":"collection","entry":[
        {"fullUrl":"resource:0","resource":{"resourceType":"Patient","name":[{"family":"Anyperson","given":["John","B."]}],
        "birthDate":"1951-01-20"}},
        {"fullUrl":"resource:1","resource":{"resourceType":"Immunization","vaccineCode":{"coding":[{"system":
        "http://hl7.org/fhir/sid/cvx","code":"207"}]},"occurrenceDateTime":"2021-01-01"}},
        {"fullUrl":"resource:2","resource":{"resourceType":"Immunization","vaccineCode":{"text":"Second"},
        "occurrenceDateTime":"2021-01-29T10:00:00Z"}}]}}}}
        """

    /// The keys as the issuer publishes them.
    var keys: Data {
        let raw = key.publicKey.rawRepresentation
        let entry = """
            {"kty":"EC","crv":"P-256","alg":"ES256","use":"sig","kid":"\(keyIdentifier)","x":"\(Self.text(raw.prefix(32)))",
            "y":"\(Self.text(raw.suffix(32)))"}
            """
        return Data("{\"keys\":[{\"kty\":\"RSA\"},\(entry)]}".utf8)
    }

    /// A compact JWS around a payload.
    func card(
        _ payload: String = Self.payload, header: String? = nil, body: Data? = nil
    ) throws -> String {
        let header = header ?? #"{"zip":"DEF","alg":"ES256","kid":"\#(keyIdentifier)"}"#
        let parts = Self.text(Data(header.utf8)) + "." + Self.text(body ?? Self.deflated(payload))
        return parts + "." + Self.text(try key.signature(for: Data(parts.utf8)).rawRepresentation)
    }

    /// The text of a card's code.
    static func digits(_ card: String) -> String {
        "shc:/" + card.utf8.map { String(format: "%02d", Int($0) - 45) }.joined()
    }

    static func text(_ data: some DataProtocol) -> String {
        Data(data).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    static func deflated(_ text: String) -> Data { deflated(Array(text.utf8)) }

    static func deflated(_ bytes: [UInt8]) -> Data { Data(Deflater.deflated(bytes)) }
}
