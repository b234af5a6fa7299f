import Foundation
@testable import HealthKit
import HealthTesting
import Testing

struct HKVerifiableClinicalRecordTests {
    private func read(
        _ health: TestHealthStore, _ types: [HKVerifiableClinicalRecordCredentialType] = [.immunization],
        _ sources: [HKVerifiableClinicalRecordSourceType] = [.smartHealthCard], _ predicate: NSPredicate? = nil
    ) async throws -> [HKVerifiableClinicalRecord] {
        try await HKVerifiableClinicalRecordQueryDescriptor(
            recordTypes: types, sourceTypes: sources, predicate: predicate
        ).result(for: health.store)
    }

    @Test func recordsRoundTrip() async throws {
        let health = TestHealthStore()
        try health.plant([HKVerifiableClinicalRecord.card()])
        let found = try #require(try await read(health).first)
        #expect(found.dataRepresentation == Data("header.payload.signature".utf8))
        #expect(found.jwsRepresentation == found.dataRepresentation)
        #expect(found.issuerIdentifier == "https://example.org/issuer")
        #expect(found.issuedDate == Date(timeIntervalSince1970: 1_620_992_383.218))
        #expect(found.relevantDate == Date(timeIntervalSince1970: 1_611_914_400))
        #expect(found.expirationDate == Date(timeIntervalSince1970: 1_920_992_383))
        #expect(found.itemNames == ["207", "Second"])
        #expect(found.sourceType == .smartHealthCard)
        #expect(found.subject.fullName == "John B. Anyperson")
        #expect(found.subject.dateOfBirthComponents?.month == 1)

        #expect(try await read(health, []).count == 1)
        #expect(try await read(health, [.immunization, .covid19]).isEmpty)
        #expect(try await read(health, [.immunization], [.euDigitalCOVIDCertificate]).isEmpty)
        let near = DateInterval(start: found.relevantDate, duration: 0)
        let later = DateInterval(start: found.relevantDate + 1, duration: 10)
        #expect(
            try await read(
                health, [], [.smartHealthCard],
                HKQuery.predicateForVerifiableClinicalRecords(withRelevantDateWithin: near)
            ).count == 1)
        #expect(
            try await read(
                health, [], [.smartHealthCard],
                HKQuery.predicateForVerifiableClinicalRecords(withRelevantDateWithin: later)
            ).isEmpty)

        let data = try NSKeyedArchiver.archivedData(withRootObject: found, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKVerifiableClinicalRecord.self, from: data)
        #expect(back?.subject == found.subject)
    }

    @Test func theQueryAsksOnce() async throws {
        let health = TestHealthStore(permission: .undecided)
        try health.plant([HKVerifiableClinicalRecord.card()])
        for _ in 0..<2 {
            let count: Int? = await withCheckedContinuation { continuation in
                health.store.execute(
                    HKVerifiableClinicalRecordQuery(
                        recordTypes: [HKVerifiableClinicalRecordCredentialType.immunization.rawValue], predicate: nil
                    ) { _, records, _ in continuation.resume(returning: records?.count) })
            }
            #expect(count == 1)
        }
        #expect(health.permissionRequests.count == 1)
    }

    @Test func aRefusalIsSilent() async throws {
        let health = TestHealthStore(permission: .undecided { _ in .none })
        try health.plant([HKVerifiableClinicalRecord.card()])
        #expect(try await read(health).isEmpty)
    }
}

extension HKVerifiableClinicalRecord {
    /// The record of a SMART Health Card.
    static func card() -> HKVerifiableClinicalRecord {
        HKVerifiableClinicalRecord(
            sourceType: .smartHealthCard, dataRepresentation: Data("header.payload.signature".utf8),
            issuerIdentifier: "https://example.org/issuer", issuedDate: Date(timeIntervalSince1970: 1_620_992_383.218),
            expirationDate: Date(timeIntervalSince1970: 1_920_992_383),
            relevantDate: Date(timeIntervalSince1970: 1_611_914_400),
            recordTypes: ["https://smarthealth.cards#health-card", "https://smarthealth.cards#immunization"],
            itemNames: ["207", "Second"],
            subject: HKVerifiableClinicalRecordSubject(
                fullName: "John B. Anyperson", birth: DateComponents(year: 1951, month: 1, day: 20)))
    }
}
