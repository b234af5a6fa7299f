import Foundation
import HealthKit

/// Stores in memory for one test, and the samples it saves in them.
enum FreshStore {
    /// The instant tests count from: 2023-03-08 20:26:40 UTC.
    static let epoch = Date(timeIntervalSinceReferenceDate: 700_000_000)

    static let steps = HKQuantityType(.stepCount)
    static let heartRate = HKQuantityType(.heartRate)
    static let sleep = HKCategoryType(.sleepAnalysis)

    /// A Gregorian calendar of a time zone.
    static func calendar(_ zone: String = "UTC") -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: zone)!
        calendar.locale = Locale(identifier: "en_US")
        return calendar
    }

    /// Stores of one name share their data; `app` is the bundle identifier.
    static func make(
        named name: String? = nil, app: String = "org.example.app",
        authorization: HKHealthStore.Configuration.Authorization = .automatic,
        clock: HKHealthStore.Configuration.Clock = .system, zone: String = "UTC"
    ) -> HKHealthStore {
        HKHealthStore(
            configuration: HKHealthStore.Configuration(
                location: .inMemory(name: name), application: .init(bundleIdentifier: app),
                authorization: authorization, clock: clock, calendar: calendar(zone)))
    }

    /// A name no other test uses.
    static func name() -> String { UUID().uuidString }

    /// Steps that begin a number of seconds after ``epoch``.
    static func steps(
        _ count: Double, at offset: TimeInterval = 0, lasting duration: TimeInterval = 60,
        metadata: [String: Any] = [:]
    ) -> HKQuantitySample {
        let start = epoch + offset
        return HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count), start: start,
            end: start + duration, metadata: metadata)
    }

    /// A pulse at one instant, in beats per minute.
    static func pulse(_ rate: Double, at offset: TimeInterval = 0) -> HKQuantitySample {
        HKQuantitySample(
            type: heartRate,
            quantity: HKQuantity(unit: .count().unitDivided(by: .minute()), doubleValue: rate),
            start: epoch + offset, end: epoch + offset)
    }

    /// Core sleep.
    static func asleep(at offset: TimeInterval, lasting duration: TimeInterval) -> HKCategorySample {
        HKCategorySample(
            type: sleep, value: HKCategoryValueSleepAnalysis.asleepCore.rawValue, start: epoch + offset,
            end: epoch + offset + duration)
    }

    /// Systolic and diastolic pressure at one instant.
    static func pressure(_ upper: Double, _ lower: Double, at offset: TimeInterval = 0) -> HKCorrelation {
        let instant = epoch + offset
        func sample(_ identifier: HKQuantityTypeIdentifier, _ value: Double) -> HKSample {
            HKQuantitySample(
                type: HKQuantityType(identifier),
                quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: value), start: instant,
                end: instant)
        }
        return HKCorrelation(
            type: HKCorrelationType(.bloodPressure), start: instant, end: instant,
            objects: [sample(.bloodPressureSystolic, upper), sample(.bloodPressureDiastolic, lower)])
    }
}
