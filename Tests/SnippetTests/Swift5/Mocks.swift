import Foundation
import HealthKit

// Replacements of HealthKit's classes as applications write them for their tests, in Swift 5: with mutable
// properties, and with completion handlers that are not marked as Sendable.

/// 1. A store that answers every call itself.
// Unchecked: a test uses it from one thread at a time.
class MockHealthStore: HKHealthStore, @unchecked Sendable {
    var calls: [String] = []
    var error: Error?
    var status = HKAuthorizationStatus.notDetermined

    override func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus { status }

    override func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
        completion: @escaping (Bool, Error?) -> Void
    ) {
        calls.append("requestAuthorization")
        status = .sharingAuthorized
        completion(error == nil, error)
    }

    override func execute(_ query: HKQuery) { calls.append("execute") }

    override func stop(_ query: HKQuery) { calls.append("stop") }

    override func save(_ object: HKObject, withCompletion completion: @escaping (Bool, Error?) -> Void) {
        calls.append("save")
        completion(error == nil, error)
    }

    override func save(_ objects: [HKObject], withCompletion completion: @escaping (Bool, Error?) -> Void) {
        calls.append("save \(objects.count)")
        completion(error == nil, error)
    }

    override func delete(_ object: HKObject, withCompletion completion: @escaping (Bool, Error?) -> Void) {
        calls.append("delete")
        completion(error == nil, error)
    }

    override func deleteObjects(
        of objectType: HKObjectType, predicate: NSPredicate,
        withCompletion completion: @escaping (Bool, Int, Error?) -> Void
    ) {
        calls.append("deleteObjects")
        completion(error == nil, 2, error)
    }

    override func enableBackgroundDelivery(
        for type: HKObjectType, frequency: HKUpdateFrequency,
        withCompletion completion: @escaping (Bool, Error?) -> Void
    ) {
        calls.append("enableBackgroundDelivery")
        completion(error == nil, error)
    }

    override func disableAllBackgroundDelivery(completion: @escaping (Bool, Error?) -> Void) {
        calls.append("disableAllBackgroundDelivery")
        completion(error == nil, error)
    }

    override func add(
        _ samples: [HKSample], to workout: HKWorkout, completion: @escaping (Bool, Error?) -> Void
    ) {
        calls.append("add \(samples.count)")
        completion(error == nil, error)
    }

    override func biologicalSex() throws -> HKBiologicalSexObject {
        if let error { throw error }
        return HKBiologicalSexObject()
    }

    override func dateOfBirthComponents() throws -> DateComponents { DateComponents(year: 1990) }
}

/// 2. Statistics with the figures that a test needs.
// Unchecked: a test uses it from one thread at a time.
class MockStatistics: HKStatistics, @unchecked Sendable {
    var average: HKQuantity?

    override func averageQuantity() -> HKQuantity? { average }
}

/// 3. A query that keeps its handler, so that a test can call it.
// Unchecked: a test uses it from one thread at a time.
class MockSampleQuery: HKSampleQuery, @unchecked Sendable {
    let handler: (HKSampleQuery, [HKSample]?, Error?) -> Void

    override init(
        sampleType: HKSampleType, predicate: NSPredicate?, limit: Int, sortDescriptors: [NSSortDescriptor]?,
        resultsHandler: @escaping (HKSampleQuery, [HKSample]?, Error?) -> Void
    ) {
        handler = resultsHandler
        super.init(
            sampleType: sampleType, predicate: predicate, limit: limit, sortDescriptors: sortDescriptors,
            resultsHandler: { _, _, _ in })
    }

    func deliver(_ samples: [HKSample]) { handler(self, samples, nil) }
}

/// 4. A builder that stores nothing.
// Unchecked: a test uses it from one thread at a time.
class MockWorkoutBuilder: HKWorkoutBuilder, @unchecked Sendable {
    var calls: [String] = []

    override func beginCollection(withStart startDate: Date, completion: @escaping (Bool, Error?) -> Void) {
        calls.append("begin")
        completion(true, nil)
    }

    override func addMetadata(_ metadata: [String: Any], completion: @escaping (Bool, Error?) -> Void) {
        calls.append("metadata \(metadata.count)")
        completion(true, nil)
    }

    override func finishWorkout(completion: @escaping (HKWorkout?, Error?) -> Void) {
        calls.append("finish")
        completion(nil, HKError(.errorInvalidArgument))
    }
}
