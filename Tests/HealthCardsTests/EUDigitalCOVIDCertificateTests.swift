import Foundation
import HealthKit
import HealthTesting
import Testing

@testable import HealthCards

@Suite struct EUDigitalCOVIDCertificateTests {
    private let issuer = CertificateIssuer()

    private func day(_ text: String) -> Date? { CardDate.instant(text) }

    @Test(arguments: [true, false])
    func aVaccination(isTagged: Bool) throws {
        let text = try issuer.certificate(isTagged: isTagged)
        let record = try HKVerifiableClinicalRecord.testing(euDigitalCOVIDCertificate: text, keys: issuer.keys)
        #expect(record.sourceType == .euDigitalCOVIDCertificate)
        #expect(record.issuerIdentifier == "AT")
        #expect(record.subject.fullName == "Gabriele Musterfrau")
        #expect(record.subject.dateOfBirthComponents?.year == 1998 && record.subject.dateOfBirthComponents?.day == 26)
        #expect(record.itemNames == ["EU/1/20/1528"])
        #expect(record.relevantDate == day("2021-05-29"))
        #expect(record.issuedDate == Date(timeIntervalSince1970: 1_622_505_600))
        #expect(record.expirationDate == Date(timeIntervalSince1970: 1_800_000_000))
        #expect(
            record.recordTypes == [
                HKVerifiableClinicalRecordCredentialType.immunization.rawValue,
                HKVerifiableClinicalRecordCredentialType.covid19.rawValue,
            ])
        #expect(String(decoding: record.dataRepresentation, as: UTF8.self) == text)
    }

    @Test func aTestAndARecovery() throws {
        let test = try EUDigitalCOVIDCertificate(
            issuer.certificate(
                CertificateIssuer.entry("t", ["tt": "LP6464-4", "sc": "2021-05-30T10:12:22Z", "co": "DE"])))
        #expect(test.types.first == HKVerifiableClinicalRecordCredentialType.laboratory.rawValue)
        #expect(
            test.itemNames == ["LP6464-4"] && test.fullName == "DOE" && test.birth?.year == 1980
                && test.birth?.month == nil)
        #expect(test.relevantDate == Date(timeIntervalSince1970: 1_622_369_542))
        let recovery = try EUDigitalCOVIDCertificate(
            issuer.certificate(CertificateIssuer.entry("r", ["tg": "840539006", "fr": "2021-01-10"])))
        #expect(recovery.types.first == HKVerifiableClinicalRecordCredentialType.recovery.rawValue)
        #expect(recovery.itemNames == ["840539006"] && recovery.relevantDate == day("2021-01-10"))
    }

    @Test func itIsFoundAmongTheRecords() async throws {
        let health = TestHealthStore()
        try health.plant([try HKVerifiableClinicalRecord.testing(euDigitalCOVIDCertificate: issuer.certificate())])
        for (source, count) in [
            (HKVerifiableClinicalRecordSourceType.euDigitalCOVIDCertificate, 1), (.smartHealthCard, 0),
        ] {
            let found = try await HKVerifiableClinicalRecordQueryDescriptor(
                recordTypes: [.immunization], sourceTypes: [source]
            ).result(for: health.store)
            #expect(found.count == count)
        }
    }

    @Test func onlyTheIssuersKeysAreTrusted() throws {
        let certificate = try EUDigitalCOVIDCertificate(issuer.certificate())
        try certificate.verify(with: JSONWebKeys(issuer.keys))
        let other = try JSONWebKeys(CertificateIssuer().keys)
        #expect(throws: EUDigitalCOVIDCertificateError.signature) { try certificate.verify(with: other) }
        let none = try JSONWebKeys(Data(#"{"keys":[]}"#.utf8))
        #expect(throws: EUDigitalCOVIDCertificateError.unknownKey) { try certificate.verify(with: none) }
    }

    @Test func invalidCertificatesThrow() throws {
        func text(_ value: CBORValue) -> String { CertificateIssuer.text(of: CertificateIssuer.bytes(value)) }
        let bomb = CertificateIssuer.text(of: [UInt8](repeating: 0, count: EUDigitalCOVIDCertificate.maximumSize + 1))
        let rows: [(EUDigitalCOVIDCertificateError, String)] = [
            (.malformed, ""), (.malformed, "HC2:ABC"), (.malformed, "HC1:abc"), (.malformed, "HC1:A"),
            (.compression, "HC1:"), (.compression, "HC1:" + CertificateIssuer.base45([0x78, 0x9C, 0xFF, 0xFF])),
            (.compression, bomb), (.envelope, text(.list([]))), (.envelope, text(.text("x"))),
            (.header, try issuer.certificate(algorithm: -37)),
            (.payload, try issuer.certificate(.map([:]))), (.payload, try issuer.certificate(claims: [:])),
            (.payload, try issuer.certificate(.map([.text("v"): .list([])]))),
        ]
        for (error, text) in rows {
            #expect(throws: error, "\(error) \(text.prefix(20))") { try EUDigitalCOVIDCertificate(text) }
        }
        let refused = #expect(throws: HKError.self) {
            try HKVerifiableClinicalRecord.testing(euDigitalCOVIDCertificate: "HC1:A")
        }
        #expect(refused?.code == .errorInvalidArgument)
        #expect(refused?.localizedDescription == "The certificate is not the text of a code that begins with HC1:.")
    }

    @Test func damagedCertificatesThrowOrAreNotTrusted() throws {
        let text = Array(try issuer.certificate().utf8)
        let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)
        let keys = try JSONWebKeys(issuer.keys)
        let whole = try EUDigitalCOVIDCertificate(String(decoding: text, as: UTF8.self))
        var random = SplitMix64(seed: 17)
        for _ in 0..<500 {
            var damaged = text
            damaged[4 + Int(random.next() % UInt64(text.count - 4))] = letters[Int(random.next() % 45)]
            guard damaged != text else { continue }
            do {
                let certificate = try EUDigitalCOVIDCertificate(String(decoding: damaged, as: UTF8.self))
                try certificate.verify(with: keys)
                // zlib's checksum after the data is not checked.
                #expect(certificate.fullName == whole.fullName && certificate.itemNames == whole.itemNames)
            } catch {}
        }
    }

    /// Examples of RFC 9285, and text it forbids.
    @Test func base45() {
        #expect(Base45.bytes("BB8") == Array("AB".utf8))
        #expect(Base45.bytes("%69 VD92EX0") == Array("Hello!!".utf8))
        #expect(Base45.bytes("UJCLQE7W581") == Array("base-45".utf8))
        #expect(Base45.bytes("QED8WEX0") == Array("ietf!".utf8))
        #expect(Base45.bytes("") == [])
        for text in ["A", "BB8A", "GGW", "ZZ", "bb8", "BÜ8", ":::"] { #expect(Base45.bytes(text) == nil, "\(text)") }
        var random = SplitMix64(seed: 6)
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            #expect(Base45.bytes(CertificateIssuer.base45(bytes)) == bytes)
        }
    }
}
