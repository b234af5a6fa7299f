import Foundation
import HealthKit
import Synchronization

// Replacements of HealthKit's classes as applications write them for their tests, in Swift 6.

/// The names of the calls that a mock received.
final class CallLog: Sendable {
    private let stored = Mutex<[String]>([])

    var calls: [String] { stored.withLock { $0 } }

    func add(_ call: String) {
        stored.withLock { $0.append(call) }
    }
}

/// 1. A store that answers every call itself.
// Unchecked: the log is Sendable, the other property is constant.
final class MockHealthStore: HKHealthStore, @unchecked Sendable {
    let log = CallLog()
    let error: (any Error)?

    init(error: (any Error)? = nil) {
        self.error = error
        super.init()
    }

    override class func isHealthDataAvailable() -> Bool { false }

    override func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus { .sharingDenied }

    override func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        log.add("requestAuthorization \(typesToShare?.count ?? 0) \(typesToRead?.count ?? 0)")
        completion(error == nil, error)
    }

    override func execute(_ query: HKQuery) { log.add("execute") }

    override func stop(_ query: HKQuery) { log.add("stop") }

    override func save(
        _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        log.add("save")
        completion(error == nil, error)
    }

    override func save(
        _ objects: [HKObject], withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        log.add("save \(objects.count)")
        completion(error == nil, error)
    }

    override func delete(_ objects: [HKObject]) async throws { log.add("delete \(objects.count)") }

    override func deleteObjects(
        of objectType: HKObjectType, predicate: NSPredicate,
        withCompletion completion: @escaping @Sendable (Bool, Int, (any Error)?) -> Void
    ) {
        log.add("deleteObjects")
        completion(error == nil, 3, error)
    }

    override func enableBackgroundDelivery(
        for type: HKObjectType, frequency: HKUpdateFrequency,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        log.add("enableBackgroundDelivery")
        completion(error == nil, error)
    }

    override func disableBackgroundDelivery(for type: HKObjectType) async throws {
        log.add("disableBackgroundDelivery")
    }

    override func disableAllBackgroundDelivery(completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
        log.add("disableAllBackgroundDelivery")
        // As a handler of Objective-C may: neither success nor an error.
        completion(false, nil)
    }

    override func biologicalSex() throws -> HKBiologicalSexObject { MockBiologicalSex() }

    override func dateOfBirthComponents() throws -> DateComponents { DateComponents(year: 1980, month: 2, day: 29) }

    override func preferredUnits(
        for quantityTypes: Set<HKQuantityType>,
        completion: @escaping @Sendable ([HKQuantityType: HKUnit], (any Error)?) -> Void
    ) {
        completion(Dictionary(uniqueKeysWithValues: quantityTypes.map { ($0, .stone()) }), error)
    }

    override func splitTotalEnergy(
        _ totalEnergy: HKQuantity, start startDate: Date, end endDate: Date,
        resultsHandler: @escaping @Sendable (HKQuantity?, HKQuantity?, (any Error)?) -> Void
    ) {
        resultsHandler(totalEnergy, nil, error)
    }
}

/// 2. A characteristic.
// Unchecked: adds no stored property to its superclass.
final class MockBiologicalSex: HKBiologicalSexObject, @unchecked Sendable {
    override var biologicalSex: HKBiologicalSex { .female }
}

/// 3. A store that observes the calls and leaves the work to its superclass.
// Unchecked: the log is Sendable.
final class ObservedHealthStore: HKHealthStore, @unchecked Sendable {
    let log = CallLog()

    override func save(
        _ objects: [HKObject], withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        log.add("save \(objects.count)")
        super.save(objects, withCompletion: completion)
    }

    override func execute(_ query: HKQuery) {
        log.add("execute")
        super.execute(query)
    }
}

/// 4. Statistics with the figures that a test needs.
// Unchecked: the property is constant.
final class MockStatistics: HKStatistics, @unchecked Sendable {
    private let steps: Double

    /// Takes the rest from other statistics.
    init?(steps: Double, like other: HKStatistics) {
        self.steps = steps
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        other.encode(with: archiver)
        archiver.finishEncoding()
        guard let coder = try? NSKeyedUnarchiver(forReadingFrom: archiver.encodedData) else { return nil }
        super.init(coder: coder)
    }

    required init?(coder: NSCoder) {
        steps = 0
        super.init(coder: coder)
    }

    override var startDate: Date { .distantPast }

    override func sumQuantity() -> HKQuantity? { HKQuantity(unit: .count(), doubleValue: steps) }

    override func sumQuantity(for source: HKSource) -> HKQuantity? { nil }
}

/// 5. Queries with their own properties.
// Unchecked: the property is constant.
final class NamedQuery: HKSampleQuery, @unchecked Sendable {
    let name: String

    init(name: String, _ handler: @escaping @Sendable ([HKSample]) -> Void) {
        self.name = name
        super.init(
            sampleType: HKQuantityType(.stepCount), predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            handler(samples ?? [])
        }
    }

    override var limit: Int { 1 }
}

// Unchecked: adds no stored property to its superclass.
final class StepObserver: HKObserverQuery, @unchecked Sendable {
    init(_ handler: @escaping @Sendable () -> Void) {
        super.init(sampleType: HKQuantityType(.stepCount), predicate: nil) { _, completion, _ in
            handler()
            completion()
        }
    }
}

// Unchecked: adds no stored property to its superclass.
final class StepChanges: HKAnchoredObjectQuery, @unchecked Sendable {
    init(_ handler: @escaping @Sendable (Int) -> Void) {
        super.init(
            queryDescriptors: [HKQueryDescriptor(sampleType: HKQuantityType(.stepCount), predicate: nil)], anchor: nil,
            limit: HKObjectQueryNoLimit
        ) { _, samples, _, _, _ in
            handler(samples?.count ?? 0)
        }
    }
}

/// 6. A builder that stores nothing.
// Unchecked: the log is Sendable.
final class MockWorkoutBuilder: HKWorkoutBuilder, @unchecked Sendable {
    let log = CallLog()

    override func beginCollection(
        withStart startDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        log.add("begin")
        completion(true, nil)
    }

    override func add(_ samples: [HKSample], completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
        log.add("add \(samples.count)")
        completion(true, nil)
    }

    override func endCollection(at endDate: Date) async throws { log.add("end") }

    override func finishWorkout(completion: @escaping @Sendable (HKWorkout?, (any Error)?) -> Void) {
        log.add("finish")
        completion(nil, nil)
    }

    override var workoutEvents: [HKWorkoutEvent] {
        [HKWorkoutEvent(type: .lap, dateInterval: DateInterval(), metadata: nil)]
    }

    override func elapsedTime(at date: Date) -> TimeInterval { 60 }

    override func discardWorkout() { log.add("discard") }
}

// Unchecked: the log is Sendable.
final class MockWorkoutSession: HKWorkoutSession, @unchecked Sendable {
    let log = CallLog()

    override var state: HKWorkoutSessionState { .paused }

    override func pause() { log.add("pause") }

    override func end() { log.add("end") }
}

/// 7. A summary with its own figure.
// Unchecked: adds no stored property to its superclass.
final class MockActivitySummary: HKActivitySummary, @unchecked Sendable {
    override var appleStandHours: HKQuantity {
        get { HKQuantity(unit: .count(), doubleValue: 12) }
        set {}
    }
}

/// 8. Builders of series and a store of attachments that only say what they are asked for.
// Unchecked: the log is Sendable.
final class MockRouteBuilder: HKWorkoutRouteBuilder, @unchecked Sendable {
    let log = CallLog()

    override func addMetadata(_ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
        log.add("addMetadata")
        completion(true, nil)
    }

    override func finishRoute(
        with workout: HKWorkout, metadata: [String: Any]?,
        completion: @escaping @Sendable (HKWorkoutRoute?, (any Error)?) -> Void
    ) {
        log.add("finishRoute")
        completion(nil, HKError(.errorDatabaseInaccessible))
    }
}

// Unchecked: the log is Sendable.
final class MockSeriesBuilder: HKQuantitySeriesSampleBuilder, @unchecked Sendable {
    let log = CallLog()

    override func finishSeries(
        metadata: [String: Any]?, endDate: Date?,
        completion: @escaping @Sendable ([HKQuantitySample]?, (any Error)?) -> Void
    ) {
        log.add("finishSeries")
        completion([], nil)
    }
}

// Unchecked: the log is Sendable.
final class MockHeartbeatBuilder: HKHeartbeatSeriesBuilder, @unchecked Sendable {
    let log = CallLog()

    override func addHeartbeatWithTimeInterval(
        sinceSeriesStartDate timeIntervalSinceStart: TimeInterval, precededByGap: Bool,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        log.add("addHeartbeat \(timeIntervalSinceStart)")
        completion(true, nil)
    }
}

// Unchecked: the log is Sendable.
final class MockAttachmentStore: HKAttachmentStore, @unchecked Sendable {
    let log = CallLog()

    override func getAttachments(
        for object: HKObject, completion: @escaping @Sendable ([HKAttachment]?, (any Error)?) -> Void
    ) {
        log.add("getAttachments")
        completion([], nil)
    }
}

/// 9. A device that answers for its class.
// Unchecked: adds no stored property to its superclass.
final class MockDevice: HKDevice, @unchecked Sendable {
    override class func local() -> HKDevice {
        HKDevice(
            name: "strap", manufacturer: nil, model: nil, hardwareVersion: nil, firmwareVersion: nil,
            softwareVersion: nil,
            localIdentifier: nil, udiDeviceIdentifier: nil)
    }
}
