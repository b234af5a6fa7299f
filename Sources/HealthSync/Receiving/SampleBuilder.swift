import Foundation
import HealthKit

/// A sample that HealthKit would not construct.
struct SampleBuildError: Error, Hashable {
    /// The reason, which contains no health data.
    var reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Makes samples for HealthKit from received ones. The counterpart is ``SampleReader``.
///
/// HealthKit ends a program that gives it a value, unit, date or metadata that it doesn't allow, so everything is
/// checked first.
struct SampleBuilder {
    /// Where the samples come from.
    let origin: String
    /// The number that is added to sequences to make versions.
    let base: Int

    private static let calibrated = "HKMetadataKeyAppleDeviceCalibrated"
    /// Metadata without which HealthKit takes no sample of a type.
    private static let required = [
        "HKCategoryTypeIdentifierMenstrualFlow": "HKMenstrualCycleStart",
        "HKQuantityTypeIdentifierInsulinDelivery": "HKInsulinDeliveryReason",
    ]

    private static let momentary = "HKCategoryTypeIdentifierMenopausalState"

    /// The sample to save.
    ///
    /// - Throws: ``SampleBuildError``.
    func sample(_ received: ReceivedSample, of type: HKSampleType) throws -> HKSample {
        let given = received.sample
        let (start, end) = (given.startDate.seconds, given.endDate.seconds)
        guard start.isFinite, start <= end, end < Date.distantFuture.timeIntervalSinceReferenceDate else {
            throw SampleBuildError("The dates aren’t those of a sample that has ended.")
        }
        if type.isMaximumDurationRestricted, end - start > type.maximumAllowedDuration {
            throw SampleBuildError("The sample lasts longer than HealthKit allows.")
        }
        if type.isMinimumDurationRestricted, end - start < type.minimumAllowedDuration {
            throw SampleBuildError("The sample is shorter than HealthKit allows.")
        }
        let metadata = try metadata(of: received, type)
        return try object(
            received, type, Date(timeIntervalSinceReferenceDate: start), Date(timeIntervalSinceReferenceDate: end),
            given.deviceDetails.map { HKDevice($0) }, metadata)
    }

    private func object(
        _ received: ReceivedSample, _ type: HKSampleType, _ start: Date, _ end: Date, _ device: HKDevice?,
        _ metadata: [String: Any]
    ) throws -> HKSample {
        let given = received.sample
        switch type {
        case let type as HKQuantityType:
            guard let quantity = Self.quantity(given.quantity, given.unit),
                type.is(compatibleWith: Self.unit(given.unit) ?? .count())
            else { throw SampleBuildError("The quantity has no unit of the type.") }
            return HKQuantitySample(
                type: type, quantity: quantity, start: start, end: end, device: device, metadata: metadata)
        case let type as HKCategoryType:
            guard let value = given.value, received.isKnownValue else {
                throw SampleBuildError("The value isn’t one of the type.")
            }
            guard start == end || type.identifier != Self.momentary else {
                throw SampleBuildError("Samples of the type are moments.")
            }
            return HKCategorySample(
                type: type, value: value, start: start, end: end, device: device, metadata: metadata)
        case let type as HKCorrelationType:
            let objects = try received.objects.map { member in
                guard let type = SyncTypes.named[member.sample.type], type is HKQuantityType || type is HKCategoryType
                else { throw SampleBuildError("A correlation consists of quantities and categories.") }
                return try sample(member, of: type)
            }
            guard !objects.isEmpty else { throw SampleBuildError("The correlation has no objects.") }
            return HKCorrelation(
                type: type, start: start, end: end, objects: Set(objects), device: device, metadata: metadata)
        case is HKWorkoutType:
            guard let workout = given.workout else { throw SampleBuildError("The workout has no activity type.") }
            return Self.workout(workout, start, end, device, metadata)
        default:
            if #available(iOS 18.0, watchOS 11.0, *), type is HKStateOfMindType {
                return try Self.stateOfMind(given, start, metadata)
            }
            throw SampleBuildError(SyncPlan.Reason.unsupported.description)
        }
    }

    // MARK: Quantities and metadata

    /// The unit of a text; `nil` for text that HealthKit would not parse.
    private static func unit(_ text: String?) -> HKUnit? {
        text.flatMap { QuantityUnits.isUnit($0) ? HKUnit(from: $0) : nil }
    }

    private static func quantity(_ number: Double?, _ text: String?) -> HKQuantity? {
        guard let number, let unit = unit(text) else { return nil }
        return HKQuantity(unit: unit, doubleValue: number)
    }

    /// The metadata with the marks of a copy, without what an app can't set. Values of predefined keys that HealthKit
    /// would refuse, such as those of imported archives, are left out.
    private func metadata(of received: ReceivedSample, _ type: HKSampleType) throws -> [String: Any] {
        let given = received.sample
        var metadata: [String: Any] = [:]
        for (key, value) in given.metadata ?? [:]
        where key != Self.calibrated && Self.isAllowed(value, for: key, unit: given.unit) {
            metadata[key] = Self.value(value)
        }
        if let key = Self.required[type.identifier], metadata[key] == nil {
            throw SampleBuildError("Metadata that the type requires is missing.")
        }
        metadata[HKMetadataKeySyncIdentifier] = SyncCopy.identifier(of: given.uuid)
        metadata[HKMetadataKeySyncVersion] = base + received.sequence
        metadata[SyncCopy.originKey] = origin
        return metadata
    }

    private static func value(_ value: SyncValue) -> Any? {
        switch value {
        case .string(let text): text
        case .bool(let flag): NSNumber(value: flag)
        case .integer(let number): NSNumber(value: number)
        case .double(let number): NSNumber(value: number)
        case .date(let date): Date(timeIntervalSinceReferenceDate: date.seconds)
        case .quantity(let quantity): Self.quantity(quantity.quantity, quantity.unit)
        case .data, .list, .record: nil
        }
    }

    /// Whether a value is of the class, dimension or enumeration that HealthKit documents for a predefined key.
    private static func isAllowed(_ value: SyncValue, for key: String, unit: String?) -> Bool {
        guard let expected = SyncTypes.metadataValues[key] else { return true }
        switch value {
        case .string: return expected == "string"
        case .date: return expected == "date"
        case .bool(let flag): return isAllowed(flag ? 1 : 0, expected)
        case .integer(let number): return isAllowed(Double(number), expected)
        case .double(let number): return isAllowed(number, expected)
        case .quantity(let given):
            guard expected.hasPrefix("quantity") else { return false }
            let text = expected == "quantity" ? unit : String(expected.dropFirst(9))
            guard let wanted = self.unit(text) else { return expected == "quantity" }
            return quantity(given.quantity, given.unit)?.is(compatibleWith: wanted) == true
        case .data, .list, .record: return false
        }
    }

    private static func isAllowed(_ number: Double, _ expected: String) -> Bool {
        if expected == "number" { return true }
        if expected == "activity" { return UInt(exactly: number).flatMap { activity($0) } != nil }
        let bounds = expected.split(separator: " ").compactMap { Double($0) }
        return bounds.count == 2 && number >= bounds[0] && number <= bounds[1] && number == number.rounded()
    }

    // MARK: Objects

    /// The activity of a raw value; `nil` for one that isn't known. Apple's enumerations take any raw value.
    private static func activity(_ value: UInt) -> HKWorkoutActivityType? {
        (1...84).contains(value) || value == 3000 ? HKWorkoutActivityType(rawValue: value) : nil
    }

    /// A workout with its totals and events. The initializers are those that iOS 17 deprecates: a builder can't save a
    /// total without samples.
    private static func workout(
        _ workout: SyncWorkout, _ start: Date, _ end: Date, _ device: HKDevice?, _ metadata: [String: Any]
    ) -> HKWorkout {
        func total(_ given: SyncQuantity?, in unit: HKUnit) -> HKQuantity? {
            quantity(given?.quantity, given?.unit).flatMap { $0.is(compatibleWith: unit) ? $0 : nil }
        }
        let type = activity(workout.workoutActivityType) ?? .other
        let energy = total(workout.totalEnergyBurned, in: .kilocalorie())
        let distance = total(workout.totalDistance, in: .meter())
        // HealthKit refuses events that begin with the end of a pause.
        let events = (workout.workoutEvents ?? []).compactMap { event($0, from: start, to: end) }
            .drop { $0.type == .resume }
        if let strokes = total(workout.totalSwimmingStrokeCount, in: .count()) {
            return HKWorkout(
                activityType: type, start: start, end: end, workoutEvents: Array(events), totalEnergyBurned: energy,
                totalDistance: distance, totalSwimmingStrokeCount: strokes, device: device, metadata: metadata)
        }
        if let flights = total(workout.totalFlightsClimbed, in: .count()) {
            return HKWorkout(
                activityType: type, start: start, end: end, workoutEvents: Array(events), totalEnergyBurned: energy,
                totalDistance: distance, totalFlightsClimbed: flights, device: device, metadata: metadata)
        }
        guard events.isEmpty else {
            return HKWorkout(
                activityType: type, start: start, end: end, workoutEvents: Array(events), totalEnergyBurned: energy,
                totalDistance: distance, device: device, metadata: metadata)
        }
        let duration = min(max(0, workout.duration), end.timeIntervalSince(start))
        return HKWorkout(
            activityType: type, start: start, end: end, duration: duration, totalEnergyBurned: energy,
            totalDistance: distance, device: device, metadata: metadata)
    }

    /// An event; `nil` for one that HealthKit would refuse. Only laps and segments last.
    private static func event(_ given: SyncWorkoutEvent, from start: Date, to end: Date) -> HKWorkoutEvent? {
        let (first, last) = (given.startDate.seconds, given.endDate.seconds)
        guard (1...8).contains(given.type), let type = HKWorkoutEventType(rawValue: given.type), first <= last,
            first >= start.timeIntervalSinceReferenceDate, last <= end.timeIntervalSinceReferenceDate
        else { return nil }
        var duration = type == .lap || type == .segment ? last - first : 0
        // The end that an interval adds up may be later by a bit than the end of the workout.
        if first + duration > last { duration = max(0, duration - last.ulp) }
        let metadata = (given.metadata ?? [:]).filter { isAllowed($0.value, for: $0.key, unit: nil) }
            .compactMapValues { value($0) }
        return HKWorkoutEvent(
            type: type,
            dateInterval: DateInterval(
                start: Date(timeIntervalSinceReferenceDate: first), duration: duration),
            metadata: metadata.isEmpty ? nil : metadata)
    }

    @available(iOS 18.0, watchOS 11.0, *)
    private static func stateOfMind(_ given: SyncSample, _ date: Date, _ metadata: [String: Any]) throws -> HKSample {
        func integers(_ name: String) -> [Int] {
            guard case .list(let values)? = given.properties?[name] else { return [] }
            return values.compactMap { if case .integer(let number) = $0 { Int(number) } else { nil } }
        }
        let valence: Double? =
            switch given.properties?["valence"] {
            case .double(let number): number
            case .integer(let number): Double(number)
            default: nil
            }
        guard case .integer(let number)? = given.properties?["kind"], (1...2).contains(number),
            let kind = HKStateOfMind.Kind(rawValue: Int(number)), let valence, (-1...1).contains(valence)
        else { throw SampleBuildError("The state of mind has no kind and valence.") }
        return HKStateOfMind(
            date: date, kind: kind, valence: valence,
            labels: integers("labels").filter((1...38).contains).compactMap { HKStateOfMind.Label(rawValue: $0) },
            associations: integers("associations").filter((1...18).contains).compactMap {
                HKStateOfMind.Association(rawValue: $0)
            },
            metadata: metadata)
    }
}

extension HKDevice {
    /// The device with these properties.
    fileprivate convenience init(_ details: SyncDeviceDetails) {
        self.init(
            name: details.name, manufacturer: details.manufacturer, model: details.model,
            hardwareVersion: details.hardwareVersion, firmwareVersion: details.firmwareVersion,
            softwareVersion: details.softwareVersion, localIdentifier: details.localIdentifier,
            udiDeviceIdentifier: details.udiDeviceIdentifier)
    }
}
