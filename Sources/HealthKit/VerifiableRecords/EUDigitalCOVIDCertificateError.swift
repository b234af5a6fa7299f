/// Why bytes are not an EU Digital COVID Certificate that can be trusted. Holds nothing of the certificate.
enum EUDigitalCOVIDCertificateError: Error, Hashable, CustomStringConvertible {
    /// Not `HC1:` and base 45.
    case malformed
    /// The bytes do not inflate, or to more than ``EUDigitalCOVIDCertificate/greatestSize``.
    case compression
    /// No COSE message with one signature.
    case envelope
    /// Signed by another algorithm than ES256, or without the name of a key.
    case header
    /// No certificate of a vaccination, a test or a recovery.
    case payload
    /// None of the given keys has the name that the header gives.
    case unknownKey
    /// The signature was not made with the key over these bytes.
    case signature

    var description: String {
        switch self {
        case .malformed: "The certificate is no text of a code that begins with HC1:."
        case .compression: "The certificate does not inflate."
        case .envelope: "The certificate is no COSE message with one signature."
        case .header: "The certificate is not signed by ES256 with a named key."
        case .payload: "The certificate is not that of a vaccination, a test or a recovery."
        case .unknownKey: "The certificate is signed with a key that is not among the issuer's."
        case .signature: "The certificate's signature is not valid."
        }
    }
}
