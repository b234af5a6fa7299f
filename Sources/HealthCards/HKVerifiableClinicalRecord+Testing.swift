public import Foundation
public import HealthKit

extension HKVerifiableClinicalRecord {
    /// Creates the record of a SMART Health Card. Add it to a test store with `TestHealthStore.plant(_:from:device:)`.
    ///
    /// - Parameters:
    ///   - text: a compact JWS, or the text of a card's code (`shc:/…`).
    ///   - keys: the issuer's public keys as a JWK set in JSON; `nil` to skip verification.
    /// - Throws: `HKError.errorInvalidArgument` for a card that cannot be read or is not signed with one of the keys.
    public static func testing(smartHealthCard text: String, keys: Data? = nil) throws -> HKVerifiableClinicalRecord {
        let card: SMARTHealthCard
        do {
            card = try SMARTHealthCard(text)
            if let keys { try card.verify(with: JSONWebKeys(keys)) }
        } catch {
            throw invalidArgument(error)
        }
        return HKVerifiableClinicalRecord(
            sourceType: .smartHealthCard, dataRepresentation: Data(card.jws.utf8), issuerIdentifier: card.issuer,
            issuedDate: card.issued, expirationDate: card.expiration,
            relevantDate: card.bundle.relevantDate ?? card.issued, recordTypes: card.types,
            itemNames: card.bundle.itemNames,
            subject: HKVerifiableClinicalRecordSubject(fullName: card.bundle.fullName, birth: card.bundle.birth))
    }

    /// Creates the record of an EU Digital COVID Certificate. Add it to a test store with
    /// `TestHealthStore.plant(_:from:device:)`.
    ///
    /// - Parameters:
    ///   - text: the text of a certificate's code (`HC1:…`).
    ///   - keys: the issuers' public keys as a JWK set in JSON, each with its identifier in base64; `nil` to skip
    ///     verification.
    /// - Throws: `HKError.errorInvalidArgument` for a certificate that cannot be read or is not signed with one
    ///   of the keys.
    public static func testing(
        euDigitalCOVIDCertificate text: String, keys: Data? = nil
    ) throws -> HKVerifiableClinicalRecord {
        let certificate: EUDigitalCOVIDCertificate
        do {
            certificate = try EUDigitalCOVIDCertificate(text)
            if let keys { try certificate.verify(with: JSONWebKeys(keys)) }
        } catch {
            throw invalidArgument(error)
        }
        return HKVerifiableClinicalRecord(
            sourceType: .euDigitalCOVIDCertificate, dataRepresentation: Data(certificate.text.utf8),
            issuerIdentifier: certificate.issuer, issuedDate: certificate.issued,
            expirationDate: certificate.expiration, relevantDate: certificate.relevantDate ?? certificate.issued,
            recordTypes: certificate.types, itemNames: certificate.itemNames,
            subject: HKVerifiableClinicalRecordSubject(fullName: certificate.fullName, birth: certificate.birth))
    }

    private static func invalidArgument(_ error: some Error) -> HKError {
        HKError(.errorInvalidArgument, userInfo: [NSLocalizedDescriptionKey: "\(error)"])
    }
}
