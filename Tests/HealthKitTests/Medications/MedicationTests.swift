import Foundation
import HealthTesting
import Testing

@testable import HealthKit

struct MedicationTests {
    private let aspirin = HKUserAnnotatedMedication.testing(
        "Aspirin 100 mg", nickname: "Heart pill", hasSchedule: true,
        codings: [HKClinicalCoding(system: "rxnorm", version: "2024", code: "1191")])
    private let drops = HKUserAnnotatedMedication.testing("Eye drops", isArchived: true, generalForm: .drops)
    private let doses = HKObjectType.medicationDoseEventType()

    private func medications(_ health: TestHealthStore, _ predicate: NSPredicate? = nil, limit: Int? = nil) async throws
        -> [String]
    {
        try await HKUserAnnotatedMedicationQueryDescriptor(predicate: predicate, limit: limit)
            .result(for: health.store).map(\.medication.displayText)
    }

    private func events(_ health: TestHealthStore, _ predicate: NSPredicate? = nil) async throws
        -> [HKMedicationDoseEvent]
    {
        try await HKSampleQueryDescriptor(
            predicates: [.sample(type: doses, predicate: predicate)], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: health.store).compactMap { $0 as? HKMedicationDoseEvent }
    }

    @Test func medicationsRoundTrip() async throws {
        let health = TestHealthStore()
        try health.plant([aspirin, drops])
        let found = try await HKUserAnnotatedMedicationQueryDescriptor().result(for: health.store)
        #expect(found == [aspirin, drops])
        #expect(found[0].nickname == "Heart pill")
        #expect(found[0].medication.relatedCodings.first?.code == "1191")
        #expect(found[0].medication.identifier.domain == .medication)
        #expect(found[1].medication.generalForm == .drops)
        #expect(try await medications(health, limit: 1) == ["Aspirin 100 mg"])
        #expect(
            try await medications(health, HKQuery.predicateForUserAnnotatedMedications(isArchived: true)) == [
                "Eye drops"
            ])
        #expect(
            try await medications(health, HKQuery.predicateForUserAnnotatedMedications(hasSchedule: true)) == [
                "Aspirin 100 mg"
            ])
        let byHand = NSPredicate(format: "isArchived == NO")
        #expect(try await medications(health, byHand) == ["Aspirin 100 mg"])
        #expect(byHand.evaluate(with: aspirin))
        #expect(!HKQuery.predicateForUserAnnotatedMedications(isArchived: true).evaluate(with: aspirin))
    }

    @Test func theQueryHandsThemOutOneByOne() async throws {
        let health = TestHealthStore()
        try health.plant([aspirin, drops])
        let (calls, continuation) = AsyncStream.makeStream(of: (String?, Bool).self)
        health.store.execute(
            HKUserAnnotatedMedicationQuery(predicate: nil, limit: HKObjectQueryNoLimit) { _, medication, isDone, _ in
                continuation.yield((medication?.medication.displayText, isDone))
                if isDone { continuation.finish() }
            })
        var seen: [String?] = []
        for await call in calls { seen.append(call.0) }
        #expect(seen == ["Aspirin 100 mg", "Eye drops", nil])
    }

    @Test func dosePredicates() async throws {
        let health = TestHealthStore()
        let due = TestClock.start + 3600
        try health.plant([
            HKMedicationDoseEvent.testing(of: aspirin, status: .taken, scheduledDate: due, scheduledDose: 1),
            .testing(of: aspirin, date: TestClock.start + 1, status: .skipped, scheduledDate: due + 3600, dose: nil),
            .testing(of: drops, date: TestClock.start + 2, status: .taken, dose: 2),
        ])
        let all = try await events(health)
        #expect(all.map(\.logStatus) == [.taken, .skipped, .taken])
        #expect(all.map(\.scheduleType) == [.schedule, .schedule, .asNeeded])
        #expect(all.map(\.doseQuantity) == [1, nil, 2])
        #expect(all[0].scheduledDoseQuantity == 1)
        #expect(all[0].unit == .count())
        #expect(all[0].medicationConceptIdentifier == aspirin.medication.identifier)

        let cases: [(NSPredicate, [Int])] = [
            (HKQuery.predicateForMedicationDoseEvent(status: .taken), [0, 2]),
            (HKQuery.predicateForMedicationDoseEvent(statuses: [4, 5]), [0, 1, 2]),
            (HKQuery.predicateForMedicationDoseEvent(statuses: []), []),
            (HKQuery.predicateForMedicationDoseEvent(scheduledDate: due), [0]),
            (HKQuery.predicateForMedicationDoseEvent(scheduledDates: [due, due + 3600]), [0, 1]),
            (HKQuery.predicateForMedicationDoseEvent(scheduledStart: due + 1, end: nil), [1]),
            (HKQuery.predicateForMedicationDoseEvent(scheduledStart: nil, end: due + 1), [0]),
            (HKQuery.predicateForMedicationDoseEvent(scheduledStart: nil, end: nil), [0, 1]),
            (HKQuery.predicateForMedicationDoseEvent(medicationConceptIdentifier: drops.medication.identifier), [2]),
            (
                HKQuery.predicateForMedicationDoseEvent(
                    medicationConceptIdentifiers: [drops.medication.identifier, aspirin.medication.identifier]),
                [0, 1, 2]
            ),
            (NSPredicate(format: "%K == 5", HKPredicateKeyPathStatus), [1]),
            (
                NSPredicate(
                    format: "%K == %@", HKPredicateKeyPathMedicationConceptIdentifier, drops.medication.identifier), [2]
            ),
        ]
        for (predicate, expected) in cases {
            let found = try await events(health, predicate)
            #expect(found.map(\.uuid) == expected.map { all[$0].uuid }, "\(predicate)")
            #expect(all.indices.filter { predicate.evaluate(with: all[$0]) } == expected, "\(predicate)")
        }
    }

    @Test func thePersonPicksMedications() async throws {
        let health = TestHealthStore(
            permission: .undecided { request in
                // The sheet shows what the application asked for; the person ticks nothing but these.
                .init(share: [], read: [], objects: request.objects)
            })
        try health.plant([aspirin, drops])
        try health.plant([HKMedicationDoseEvent.testing(of: aspirin), .testing(of: drops)])
        await #expect(throws: HKError.self) { _ = try await self.medications(health) }
        try await health.store.requestPerObjectReadAuthorization(
            for: .userAnnotatedMedicationType(),
            predicate: HKQuery.predicateForUserAnnotatedMedications(isArchived: false))
        #expect(health.permissionRequests.last?.objects.count == 1)
        #expect(try await medications(health) == ["Aspirin 100 mg"])
        #expect(try await events(health).map(\.medicationConceptIdentifier) == [aspirin.medication.identifier])
        try await health.store.requestPerObjectReadAuthorization(for: .userAnnotatedMedicationType(), predicate: nil)
        #expect(try await medications(health).count == 2)
        #expect(try await events(health).count == 2)
    }

    @Test func unpickedRecordsStayHidden() async throws {
        let health = TestHealthStore(permission: .undecided { _ in .none })
        try health.plant([aspirin])
        try await health.store.requestPerObjectReadAuthorization(for: .userAnnotatedMedicationType(), predicate: nil)
        #expect(try await medications(health).isEmpty)
    }

    @Test func typesPermittedAsAWholeAreRefused() async {
        let health = TestHealthStore()
        do {
            try await health.store.requestPerObjectReadAuthorization(for: HKQuantityType(.stepCount), predicate: nil)
            Issue.record("accepted")
        } catch {
            #expect((error as? HKError)?.code == .errorInvalidArgument)
        }
    }

    @Test func archives() throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: aspirin, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKUserAnnotatedMedication.self, from: data)
        #expect(back == aspirin)
        let event = HKMedicationDoseEvent.testing(of: aspirin, scheduledDate: TestClock.start)
        let eventData = try NSKeyedArchiver.archivedData(withRootObject: event, requiringSecureCoding: true)
        let eventBack = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKMedicationDoseEvent.self, from: eventData)
        #expect(eventBack?.scheduledDate == TestClock.start)
    }
}
