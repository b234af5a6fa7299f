import Foundation
import HealthKit
import HealthTesting
import Testing

/// Objects that apps cannot create, planted and then read as by an app.
struct FactoryTests {
    private let health = TestHealthStore()

    @Test func anElectrocardiogram() async throws {
        let made = HKElectrocardiogram.testing(volts: [0, 0.001, 0.0005], averageHeartRate: 61)
        try health.plant([made], from: .watch)
        let found = try await HKSampleQueryDescriptor(predicates: [.electrocardiogram()], sortDescriptors: [])
            .result(for: health.store)
        let sample = try #require(found.first)
        #expect(sample.numberOfVoltageMeasurements == 3 && sample.classification == .sinusRhythm)
        #expect(sample.averageHeartRate?.doubleValue(for: HKUnit(from: "count/min")) == 61)
        var volts: [Double?] = []
        for try await measurement in HKElectrocardiogramQueryDescriptor(sample).results(for: health.store) {
            volts.append(measurement.quantity(for: .appleWatchSimilarToLeadI)?.doubleValue(for: .volt()))
        }
        #expect(volts == [0, 0.001, 0.0005])
    }

    @Test func aClinicalRecord() async throws {
        let type = HKClinicalType(.allergyRecord)
        let resource = HKFHIRResource.testing(.allergyIntolerance, identifier: "1", json: #"{"id":"1"}"#)
        try health.plant([HKClinicalRecord.testing(type, displayName: "Nuts", resource: resource)])
        let found = try await HKSampleQueryDescriptor(predicates: [.sample(type: type)], sortDescriptors: [])
            .result(for: health.store)
        let record = try #require(found.first as? HKClinicalRecord)
        #expect(record.displayName == "Nuts" && record.fhirResource?.identifier == "1")
    }

    @Test func aMedicationAndItsDose() async throws {
        let medication = HKUserAnnotatedMedication.testing("Aspirin", nickname: "the white one")
        try health.plant([medication])
        try health.plant([HKMedicationDoseEvent.testing(of: medication)])
        let medications = try await HKUserAnnotatedMedicationQueryDescriptor().result(for: health.store)
        #expect(medications.map(\.nickname) == ["the white one"])
        let doses = try await HKSampleQueryDescriptor(
            predicates: [.sample(type: HKObjectType.medicationDoseEventType())], sortDescriptors: []
        ).result(for: health.store)
        let dose = try #require(doses.first as? HKMedicationDoseEvent)
        #expect(dose.medicationConceptIdentifier == medication.medication.identifier)
    }

    @Test func thePersonDecidesForEachTypeSeparately() async throws {
        let (steps, pulse, water) = (
            HKQuantityType(.stepCount), HKQuantityType(.heartRate), HKQuantityType(.dietaryWater)
        )
        let health = TestHealthStore(
            permission: .undecided { _ in .init(share: [water], read: [pulse]) })
        let date = TestClock.start
        try health.plant([
            HKQuantitySample(type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 1), start: date, end: date),
            HKQuantitySample(
                type: pulse, quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 60), start: date,
                end: date),
        ])
        try await health.store.requestAuthorization(toShare: [water, steps], read: [steps, pulse])
        #expect(health.store.authorizationStatus(for: water) == .sharingAuthorized)
        #expect(health.store.authorizationStatus(for: steps) == .sharingDenied)
        for (type, count) in [(steps, 0), (pulse, 1)] {
            let found = try await HKSampleQueryDescriptor(
                predicates: [.quantitySample(type: type)], sortDescriptors: []
            )
            .result(for: health.store)
            #expect(found.count == count)
        }
    }
}
