import Foundation
import HealthKit
import HealthTesting
import Testing

@testable import HealthCards

struct SMARTHealthCardTests {
    private let issuer = CardIssuer()

    @Test(arguments: [false, true])
    func aCardIsRead(asDigits: Bool) throws {
        let jws = try issuer.card()
        let card = try SMARTHealthCard(asDigits ? CardIssuer.digits(jws) : jws)
        #expect(card.jws == jws)
        #expect(card.issuer == "https://example.org/issuer")
        #expect(card.issued == Date(timeIntervalSince1970: 1_620_992_383.218))
        #expect(card.expiration == Date(timeIntervalSince1970: 1_920_992_383))
        #expect(card.types.last == "https://smarthealth.cards#immunization")
        #expect(card.bundle.fullName == "John B. Anyperson")
        #expect(card.bundle.birth?.year == 1951)
        #expect(card.bundle.birth?.day == 20)
        #expect(card.bundle.itemNames == ["207", "Second"])
        #expect(card.bundle.relevantDate == Date(timeIntervalSince1970: 1_611_914_400))
        try card.verify(with: JSONWebKeys(issuer.keys))
    }

    @Test func signaturesOfOthersAreRejected() throws {
        let card = try SMARTHealthCard(issuer.card())
        #expect(throws: SMARTHealthCardError.signature) { try card.verify(with: JSONWebKeys(CardIssuer().keys)) }
        var other = issuer
        other.keyIdentifier = "key-2"
        #expect(throws: SMARTHealthCardError.unknownKey) { try card.verify(with: JSONWebKeys(other.keys)) }
        let parts = try issuer.card().split(separator: ".")
        let changed = CardIssuer.text(
            CardIssuer.deflated(CardIssuer.payload.replacingOccurrences(of: "John", with: "Jane")))
        let forged = try SMARTHealthCard("\(parts[0]).\(changed).\(parts[2])")
        #expect(throws: SMARTHealthCardError.signature) { try forged.verify(with: JSONWebKeys(issuer.keys)) }
        let cut = try SMARTHealthCard("\(parts[0]).\(parts[1]).AAAA")
        #expect(throws: SMARTHealthCardError.signature) { try cut.verify(with: JSONWebKeys(issuer.keys)) }
    }

    @Test(arguments: ["", "a", "a.b", "a.b.c.d", "!.b.c", "shc:/1", "shc:/9x", "shc:/99", "é.é.é"])
    func invalidJWSIsRejected(_ text: String) {
        #expect(throws: SMARTHealthCardError.self) { try SMARTHealthCard(text) }
    }

    @Test(arguments: [
        #"{"alg":"none","zip":"DEF","kid":"k"}"#, #"{"alg":"ES256","kid":"k"}"#, #"{"alg":"ES256","zip":"DEF"}"#, "[]",
        "",
    ])
    func otherHeadersAreRejected(_ header: String) throws {
        let jws = try issuer.card(header: header)
        #expect(throws: SMARTHealthCardError.header) { try SMARTHealthCard(jws) }
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"iss":"a"}"#, #"{"iss":"a","nbf":1,"vc":{"type":["a"]}}"#,
        #"{"iss":"a","nbf":"1","vc":{"type":["a"],"credentialSubject":{"fhirBundle":{}}}}"#,
    ])
    func otherPayloadsAreRejected(_ payload: String) throws {
        let jws = try issuer.card(payload)
        #expect(throws: SMARTHealthCardError.payload) { try SMARTHealthCard(jws) }
    }

    @Test func invalidCompressionIsRejected() throws {
        let whole = CardIssuer.deflated(CardIssuer.payload)
        for body in [Data(), Data([0xFF, 0xFF]), whole.prefix(whole.count / 2)] {
            let jws = try issuer.card(body: body)
            #expect(throws: SMARTHealthCardError.compression) { try SMARTHealthCard(jws) }
        }
        let bomb = CardIssuer.deflated(String(repeating: " ", count: SMARTHealthCard.maximumPayload + 1))
        let jws = try issuer.card(body: bomb)
        #expect(throws: SMARTHealthCardError.compression) { try SMARTHealthCard(jws) }
    }

    @Test func damagedCardsThrowOrDiffer() throws {
        let jws = Array(try issuer.card().utf8)
        let keys = try JSONWebKeys(issuer.keys)
        var random = SplitMix64(seed: 11)
        for _ in 0..<500 {
            var bytes = jws
            let place = Int(random.next() % UInt64(bytes.count - 4))
            let other = UInt8(ascii: "A") + UInt8(random.next() % 26)
            guard bytes[place] != other else { continue }
            bytes[place] = other
            #expect(throws: SMARTHealthCardError.self) {
                try SMARTHealthCard(String(decoding: bytes, as: UTF8.self)).verify(with: keys)
            }
        }
    }

    @Test(arguments: ["2021-01-29", "2021-01-29T00:00:00Z", "2021-01-29T01:00:00+01:00", "2021-01-29T00:00:00.000Z"])
    func dates(_ text: String) {
        #expect(CardDate.instant(text) == Date(timeIntervalSince1970: 1_611_878_400))
    }

    @Test(arguments: ["", "x", "2021-x", "2021-01-29Tx", "1-2-3-4"])
    func invalidDates(_ text: String) {
        #expect(CardDate.instant(text) == nil)
    }

    @Test func recordsOfCards() throws {
        let jws = try issuer.card()
        let record = try HKVerifiableClinicalRecord.testing(smartHealthCard: jws, keys: issuer.keys)
        #expect(record.sourceType == .smartHealthCard)
        #expect(record.dataRepresentation == Data(jws.utf8))
        #expect(record.issuerIdentifier == "https://example.org/issuer")
        #expect(record.issuedDate == Date(timeIntervalSince1970: 1_620_992_383.218))
        #expect(record.relevantDate == Date(timeIntervalSince1970: 1_611_914_400))
        #expect(record.startDate == record.relevantDate && record.endDate == record.relevantDate)
        #expect(record.expirationDate == Date(timeIntervalSince1970: 1_920_992_383))
        #expect(
            record.recordTypes == ["https://smarthealth.cards#health-card", "https://smarthealth.cards#immunization"])
        #expect(record.itemNames == ["207", "Second"])
        #expect(record.subject.fullName == "John B. Anyperson")
        let birth = record.subject.dateOfBirthComponents
        #expect(birth?.year == 1951 && birth?.month == 1 && birth?.day == 20)
    }

    @Test func forgedCardsAreRejected() throws {
        let error = #expect(throws: HKError.self) {
            try HKVerifiableClinicalRecord.testing(smartHealthCard: issuer.card(), keys: CardIssuer().keys)
        }
        #expect(error?.code == .errorInvalidArgument)
        #expect(error?.localizedDescription == "The health card's signature is not valid.")
    }
}
