/// Why bytes are not a SMART Health Card that can be trusted. Holds nothing of the card.
enum SMARTHealthCardError: Error, Hashable, CustomStringConvertible {
    /// Not three parts in base64url, or a `shc:/` code with something else than pairs of digits.
    case malformed
    /// A header that asks for another signature or compression than the specification allows.
    case header
    /// The payload does not inflate, or to more than ``SMARTHealthCard/greatestPayload`` bytes.
    case compression
    /// The payload is no JSON with an issuer, an issue date and a FHIR bundle.
    case payload
    /// None of the given keys has the name that the header gives.
    case unknownKey
    /// The signature was not made with the key over these bytes.
    case signature

    var description: String {
        switch self {
        case .malformed: "The health card is no compact JWS."
        case .header: "The health card's header is not that of a SMART Health Card."
        case .compression: "The health card's payload does not inflate."
        case .payload: "The health card's payload is not that of a SMART Health Card."
        case .unknownKey: "The health card is signed with a key that is not among the issuer's."
        case .signature: "The health card's signature is not valid."
        }
    }
}
