import Foundation
import Synchronization
import Testing

@testable import HealthKit

@Suite struct HKElectrocardiogramTests {
    private let store = FreshStore.make()

    private func found(_ predicate: NSPredicate?) async throws -> [HKElectrocardiogram] {
        try await HKSampleQueryDescriptor(predicates: [.electrocardiogram(predicate)], sortDescriptors: [])
            .result(for: store)
    }

    @Test func properties() {
        let sample = ObjectFamilies.electrocardiogram()
        #expect(sample.numberOfVoltageMeasurements == 3)
        #expect(sample.samplingFrequency == ObjectFamilies.quantity(2, "Hz"))
        #expect(sample.averageHeartRate == ObjectFamilies.quantity(61, "count/min"))
        #expect(sample.classification == .sinusRhythm)
        #expect(sample.symptomsStatus == .none)
        #expect(sample.endDate == sample.startDate + 1.5)
    }

    @Test func voltagesWithAHandler() async throws {
        let sample = ObjectFamilies.electrocardiogram()
        try await store.save(sample)
        let calls = Calls<[Double?]>()
        store.execute(
            HKElectrocardiogramQuery(electrocardiogram: sample) { _, measurement, isDone, error in
                let volts = measurement?.quantity(for: .appleWatchSimilarToLeadI)?.doubleValue(for: .volt())
                calls.add([measurement?.timeSinceSampleStart, volts, isDone ? 1 : 0, error == nil ? 0 : 1])
            })
        #expect(await calls.next() == [0, 0.000_1, 0, 0])
        #expect(await calls.next() == [0.5, -0.000_25, 0, 0])
        #expect(await calls.next() == [1, 0.001, 0, 0])
        #expect(await calls.next() == [nil, nil, 1, 0])
    }

    @Test func voltagesWithResultsAndStop() async throws {
        let sample = ObjectFamilies.electrocardiogram()
        try await store.save(sample)
        let calls = Calls<String>()
        store.execute(
            HKElectrocardiogramQuery(sample) { [store] query, result in
                switch result {
                case .measurement(let measurement):
                    calls.add("\(measurement.timeSinceSampleStart)")
                    if measurement.timeSinceSampleStart > 0 { store.stop(query) }
                case .done: calls.add("done")
                case .error: calls.add("error")
                }
            })
        #expect(await calls.next() == "0.0")
        #expect(await calls.next() == "0.5")
        // A second query runs to its end after the first was stopped.
        store.execute(
            HKElectrocardiogramQuery(sample) { _, result in
                if case .done = result { calls.add("second") }
            })
        #expect(await calls.next() == "second")
        #expect(calls.all == ["0.0", "0.5", "second"])
    }

    @Test func voltagesAwaited() async throws {
        let sample = ObjectFamilies.electrocardiogram()
        try await store.save(sample)
        var volts: [Double?] = []
        for try await measurement in HKElectrocardiogramQueryDescriptor(sample).results(for: store) {
            volts.append(measurement.quantity(for: .appleWatchSimilarToLeadI)?.doubleValue(for: .volt()))
        }
        #expect(volts == [0.000_1, -0.000_25, 0.001])
    }

    @Test func unsavedElectrocardiogramsHaveNoVoltages() async throws {
        let sample = ObjectFamilies.electrocardiogram()
        let calls = Calls<(any Error)?>()
        store.execute(
            HKElectrocardiogramQuery(electrocardiogram: sample) { _, measurement, isDone, error in
                calls.add(isDone && measurement == nil ? error : nil)
            })
        #expect((await calls.next() as? HKError)?.code == .errorNoData)
        await #expect(throws: HKError.self) {
            for try await _ in HKElectrocardiogramQueryDescriptor(sample).results(for: store) {}
        }
    }

    @Test func predicatesSelect() async throws {
        let samples = [
            ObjectFamilies.electrocardiogram(),
            ObjectFamilies.electrocardiogram(at: 60, .atrialFibrillation, symptoms: .present),
            ObjectFamilies.electrocardiogram(at: 120, .inconclusivePoorReading, symptoms: .notSet),
        ]
        try await store.save(samples)
        let cases: [(NSPredicate, [Int])] = [
            (HKQuery.predicateForElectrocardiograms(classification: .atrialFibrillation), [1]),
            (HKQuery.predicateForElectrocardiograms(symptomsStatus: .none), [0]),
            (NSPredicate(format: "%K == %@", HKPredicateKeyPathECGClassification, 5 as NSNumber), [2]),
            (NSPredicate(format: "%K > %@", HKPredicateKeyPathECGSymptomsStatus, 0 as NSNumber), [0, 1]),
            (
                NSPredicate(
                    format: "%K > %@", HKPredicateKeyPathAverageHeartRate,
                    ObjectFamilies.quantity(1, "count/s")), [0, 1, 2]
            ),
            (
                NSPredicate(
                    format: "%K < %@", HKPredicateKeyPathAverageHeartRate,
                    ObjectFamilies.quantity(1, "count/s")), []
            ),
        ]
        for (predicate, expected) in cases {
            #expect(try await found(predicate) == expected.map { samples[$0] })
            #expect(samples.indices.filter { predicate.evaluate(with: samples[$0]) } == expected)
        }
    }

    @Test func symptomsBelongToTheirRecording() async throws {
        let sample = ObjectFamilies.electrocardiogram(symptoms: .present)
        try await store.save(sample)
        let type = HKCategoryType(.dizziness)
        let symptom = HKCategorySample(
            type: type, value: HKCategoryValueSeverity.mild.rawValue, start: FreshStore.epoch, end: FreshStore.epoch)
        let other = HKCategorySample(
            type: type, value: HKCategoryValueSeverity.mild.rawValue, start: FreshStore.epoch, end: FreshStore.epoch)
        try await store.save(other)
        try await store.associate([symptom], with: sample)
        let predicate = HKQuery.predicateForObjectsAssociated(electrocardiogram: sample)
        let found = try await HKSampleQueryDescriptor(
            predicates: [.categorySample(type: type, predicate: predicate)], sortDescriptors: []
        ).result(for: store)
        #expect(found == [symptom])
    }

    @Test(arguments: [
        (0.0, 60.0 as Double?, "An HKElectrocardiogram requires a positive sampling frequency"),
        (-1, nil, "An HKElectrocardiogram requires a positive sampling frequency"),
        (.infinity, nil, "An HKElectrocardiogram requires a positive sampling frequency"),
        (512, 0, "The average heart rate of an HKElectrocardiogram must be positive"),
        (512, .nan, "The average heart rate of an HKElectrocardiogram must be positive"),
    ])
    func refusedRecordings(_ frequency: Double, _ rate: Double?, _ reason: String) {
        #expect(throws: InvalidObjectError(reason: reason)) {
            try HKElectrocardiogram.fields(
                of: .init(start: FreshStore.epoch, volts: [0], frequency: frequency, averageHeartRate: rate))
        }
    }

    @Test func aLeadWithoutAVoltageHasNone() {
        let sample = HKElectrocardiogram(
            recording: .init(start: FreshStore.epoch, volts: [.nan, 0.5], classification: .unrecognized))
        #expect(sample.measurements.map { $0.quantity(for: .appleWatchSimilarToLeadI) != nil } == [false, true])
        #expect(sample.averageHeartRate == nil)
    }
}
