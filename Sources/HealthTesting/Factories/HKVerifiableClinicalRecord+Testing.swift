public import Foundation
public import HealthKit

extension HKVerifiableClinicalRecord {
    /// The record of a SMART Health Card. Plant it with ``TestHealthStore/plant(_:from:device:)``.
    ///
    /// - Parameters:
    ///   - text: a compact JWS, or the text of a card's code (`shc:/…`).
    ///   - keys: the issuer's public keys as a JWK set in JSON; `nil` takes the card unchecked.
    /// - Throws: `HKError.errorInvalidArgument` for a card that cannot be read, or is not signed with one of the keys.
    public static func testing(smartHealthCard text: String, keys: Data? = nil) throws -> HKVerifiableClinicalRecord {
        try HKVerifiableClinicalRecord(smartHealthCard: text, keys: keys)
    }

    /// The record of an EU Digital COVID Certificate. Plant it with ``TestHealthStore/plant(_:from:device:)``.
    ///
    /// - Parameters:
    ///   - text: the text of a certificate's code (`HC1:…`).
    ///   - keys: the issuers' public keys as a JWK set in JSON, each under its identifier in base64; `nil` takes
    ///     the certificate unchecked.
    /// - Throws: `HKError.errorInvalidArgument` for a certificate that cannot be read, or is not signed with one
    ///   of the keys.
    public static func testing(
        euDigitalCOVIDCertificate text: String, keys: Data? = nil
    ) throws -> HKVerifiableClinicalRecord {
        try HKVerifiableClinicalRecord(euDigitalCOVIDCertificate: text, keys: keys)
    }
}
