import Foundation
import Testing

@testable import HealthKit

/// Query descriptors in archives, with the predicates that they contain.
@Suite struct PredicateArchiveTests {
    private static let start = FreshStore.epoch
    private static let workout = HKWorkout(activityType: .running, start: start, end: start + 60)
    private static let source = HKSource.default()
    private static let device = HKDevice(
        name: "a", manufacturer: nil, model: "b", hardwareVersion: nil, firmwareVersion: nil, softwareVersion: "1",
        localIdentifier: nil, udiDeviceIdentifier: nil)
    private static let revision = HKSourceRevision(
        source: source, version: HKSourceRevisionAnyVersion, productType: "Watch7,1",
        operatingSystemVersion: OperatingSystemVersion(majorVersion: 11, minorVersion: 2, patchVersion: 3))
    private static let meters = HKQuantity(unit: .meter(), doubleValue: 0.1 + 0.2)
    private static let day = DateComponents(calendar: Calendar(identifier: .gregorian), year: 2024, month: 2, day: 29)

    private static var factories: [NSPredicate] {
        [
            HKQuery.predicateForObjects(withMetadataKey: "key"),
            HKQuery.predicateForObjects(withMetadataKey: "key", allowedValues: ["a", 1.5, start, true]),
            HKQuery.predicateForObjects(withMetadataKey: "key", operatorType: .notEqualTo, value: meters),
            HKQuery.predicateForObjects(from: source), HKQuery.predicateForObjects(from: [source]),
            HKQuery.predicateForObjects(from: [revision]), HKQuery.predicateForObjects(from: [device]),
            HKQuery.predicateForObjects(withDeviceProperty: HKDevicePropertyKeyModel, allowedValues: ["b", "c"]),
            HKQuery.predicateForObjects(withDeviceProperty: HKDevicePropertyKeyName, allowedValues: []),
            HKQuery.predicateForObject(with: UUID()), HKQuery.predicateForObjects(with: [UUID(), UUID()]),
            HKQuery.predicateForObjectsWithNoCorrelation(), HKQuery.predicateForObjects(from: workout),
            HKQuery.predicateForSamples(withStart: start, end: start + 0.1, options: []),
            HKQuery.predicateForSamples(
                withStart: start, end: .distantFuture, options: [.strictStartDate, .strictEndDate]),
            HKQuery.predicateForSamples(withStart: nil, end: nil),
            HKQuery.predicateForSamples(withStart: start, end: .distantPast),
            HKQuery.predicateForQuantitySamples(with: .greaterThanOrEqualTo, quantity: meters),
            HKQuery.predicateForCategorySamples(with: .lessThan, value: -3),
            HKCategoryValueSleepAnalysis.predicateForSamples(equalTo: HKCategoryValueSleepAnalysis.allAsleepValues),
            HKQuery.predicateForActivitySummary(with: day),
            HKQuery.predicate(forActivitySummariesBetweenStart: day, end: day),
            HKQuery.predicateForWorkouts(with: .running), HKQuery.predicateForWorkouts(with: .equalTo, duration: 1e-9),
            HKQuery.predicateForWorkouts(with: .lessThan, totalDistance: meters),
            HKQuery.predicateForWorkouts(
                operatorType: .greaterThan, quantityType: FreshStore.heartRate,
                averageQuantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 120)),
            HKQuery.predicateForWorkouts(
                activityPredicate: HKQuery.predicateForWorkoutActivities(workoutActivityType: .cycling)),
            HKQuery.predicateForWorkoutEffortSamplesRelated(workout: workout, activity: nil),
            HKQuery.predicateForWorkoutEffortSamplesRelated(
                workout: workout, activity: workout.workoutActivities.first),
            HKQuery.predicateForElectrocardiograms(classification: .sinusRhythm),
            HKQuery.predicateForElectrocardiograms(symptomsStatus: .present),
            HKQuery.predicateForStatesOfMind(withValence: 0.25, operatorType: .greaterThan),
            HKQuery.predicateForStatesOfMind(with: .amazed), HKQuery.predicateForStatesOfMind(with: .dailyMood),
            HKQuery.predicateForMedicationDoseEvent(status: .taken),
            HKQuery.predicateForMedicationDoseEvent(scheduledDate: start),
        ]
    }

    private static var written: [NSPredicate] {
        [
            NSPredicate(value: true), NSPredicate(value: false),
            NSPredicate(
                format: "%K >= %@ AND %K < %@", "startDate", start as NSDate, "endDate", (start + 60) as NSDate),
            NSPredicate(format: "metadata.HKWasUserEntered != YES"), NSPredicate(format: "metadata.%K == nil", "a.b"),
            NSPredicate(format: "device.name BEGINSWITH[cd] %@ OR NOT (quantity > %@)", "É", meters),
            NSPredicate(format: "UUID IN %@", [UUID(), UUID()]), NSPredicate(format: "value BETWEEN {1, 3}"),
            NSPredicate(format: "sourceRevision == %@", revision), NSPredicate(format: "device == %@", device),
            NSPredicate(format: "workout == %@", workout),
            NSCompoundPredicate(andPredicateWithSubpredicates: [
                HKQuery.predicateForObjects(from: source),
                NSCompoundPredicate(notPredicateWithSubpredicate: HKQuery.predicateForObjects(withMetadataKey: "key")),
                NSCompoundPredicate(orPredicateWithSubpredicates: [
                    HKQuery.predicateForSamples(withStart: start, end: nil), NSPredicate(value: false),
                ]),
            ]),
        ]
    }

    private func goneRound(_ descriptor: HKQueryDescriptor) throws -> HKQueryDescriptor {
        let data = try NSKeyedArchiver.archivedData(withRootObject: descriptor, requiringSecureCoding: true)
        return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryDescriptor.self, from: data))
    }

    @Test func everyPredicateRoundTrips() throws {
        for predicate in Self.factories + Self.written {
            let descriptor = HKQueryDescriptor(sampleType: FreshStore.steps, predicate: predicate)
            let back = try goneRound(descriptor)
            #expect(back.sampleType === FreshStore.steps)
            #expect(back == descriptor, "\(predicate)")
            #expect(PredicateNode(try #require(back.predicate)) == PredicateNode(predicate))
            #expect(back != HKQueryDescriptor(sampleType: FreshStore.heartRate, predicate: predicate))
        }
        let all = try goneRound(HKQueryDescriptor(sampleType: FreshStore.sleep, predicate: nil))
        #expect(all.predicate == nil && all.sampleType === FreshStore.sleep)
        #expect(all != HKQueryDescriptor(sampleType: FreshStore.sleep, predicate: NSPredicate(value: true)))
    }

    /// A decoded descriptor finds what the original one finds.
    @Test func aDecodedDescriptorIsExecuted() async throws {
        let store = FreshStore.make()
        try await store.save([FreshStore.steps(1), FreshStore.steps(2, at: 100), FreshStore.steps(3, at: 200)])
        let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            HKQuery.predicateForSamples(withStart: FreshStore.epoch + 90, end: nil, options: .strictStartDate),
            NSPredicate(format: "quantity < %@", HKQuantity(unit: .count(), doubleValue: 3)),
        ])
        let descriptor = try goneRound(HKQueryDescriptor(sampleType: FreshStore.steps, predicate: predicate))
        let calls = Calls<[HKSample]?>()
        store.execute(HKSampleQuery(queryDescriptors: [descriptor], limit: 0) { _, samples, _ in calls.add(samples) })
        #expect(await calls.next()?.map(\.startDate) == [FreshStore.epoch + 100])
    }

    /// The deepest predicate that a format can describe; an archive has a separate limit.
    @Test func deepPredicatesRoundTrip() throws {
        let opening = String(repeating: "(metadata.a = 1 AND (metadata.b = 2 OR ", count: 78)
        let format = opening + "metadata.c = 3" + String(repeating: "))", count: 78)
        let descriptor = HKQueryDescriptor(sampleType: FreshStore.steps, predicate: NSPredicate(format: format))
        #expect(try goneRound(descriptor) == descriptor)
    }

    /// Structures that no program writes are rejected.
    @Test(arguments: [
        #"{}"#, #"[]"#, #"["tomorrow"]"#, #"["not"]"#, #"["not","text"]"#, #"["constant","x"]"#,
        #"["filter",["start","near",1],"start"]"#, #"["filter",["uuid",["no uuid"]],"uuid"]"#,
        #"["filter",["category","equal",1e300],"value"]"#, #"["filter",["workoutActivityType","equal",-1],"type"]"#,
        #"["filter",["start","equal",1]]"#, #"["filter",["revision",[{"version":["some"]}]],"revision"]"#,
        #"["filter",["field","a","equal",["text","b"]],"a"]"#, #"["filter",["metadata","a","equal",["text","b"]],"a"]"#,
        #"["comparison",{"left":["object"],"operation":"~","right":["object"],"#
            + #""isCaseInsensitive":false,"isDiacriticInsensitive":false}]"#,
    ])
    func unknownStructuresAreRejected(_ json: String) throws {
        let valid = #"["filter",["category","equal",1],"value"]"#
        _ = try JSONDecoder().decode(PredicateNode.self, from: Data(valid.utf8))
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(PredicateNode.self, from: Data(json.utf8)) }
    }
}
