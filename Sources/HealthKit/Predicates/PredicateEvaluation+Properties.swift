import Foundation
import HealthModel

extension PredicateEvaluation {
    /// The value a key path has on an object; `null` where the object has no such property.
    static func property(_ parts: [String], of object: Any) -> PredicateValue {
        guard let first = parts.first else { return PredicateValue(object) ?? .null }
        if let value = healthRecordProperty(parts, of: object) { return value }
        guard let object = object as? HKObject else {
            return (object as? HKActivitySummary).map { summaryProperty(first, of: $0) } ?? .null
        }
        if first == HKPredicateKeyPathMetadata {
            guard parts.count > 1 else { return object.metadata == nil ? .null : .bool(true) }
            return PredicateValue(object.metadata?[parts[1]]) ?? .null
        }
        if first == HKPredicateKeyPathDevice, parts.count > 1, let device = object.device {
            return PredicateValue(DeviceProperty(rawValue: parts[1])?.value(of: device.record)) ?? .null
        }
        return objectProperty(first, of: object) ?? sampleProperty(first, of: object)
            ?? workoutProperty(first, of: object) ?? documentProperty(first, of: object) ?? .null
    }

    private static func objectProperty(_ name: String, of object: HKObject) -> PredicateValue? {
        switch name {
        case HKPredicateKeyPathUUID, "uuid": .uuid(object.uuid)
        case HKPredicateKeyPathSource: .source(object.sourceRevision.source)
        case HKPredicateKeyPathSourceRevision: .sourceRevision(object.sourceRevision)
        case HKPredicateKeyPathDevice: object.device.map { .device($0) } ?? .null
        default: nil
        }
    }

    private static func sampleProperty(_ name: String, of object: HKObject) -> PredicateValue? {
        guard let sample = object as? HKSample else { return nil }
        switch name {
        case HKPredicateKeyPathStartDate: return .date(sample.startDate)
        case HKPredicateKeyPathEndDate: return .date(sample.endDate)
        case HKPredicateKeyPathQuantity: return (sample as? HKQuantitySample).map { .quantity($0.quantity) }
        case HKPredicateKeyPathCategoryValue: return (sample as? HKCategorySample).map { .number(Double($0.value)) }
        case HKPredicateKeyPathCount: return (sample as? HKQuantitySample).map { .number(Double($0.count)) }
        case HKPredicateKeyPathSum:
            return (sample as? HKCumulativeQuantitySample).map { .quantity($0.sumQuantity) }
        case HKPredicateKeyPathMin:
            return (sample as? HKDiscreteQuantitySample).map { .quantity($0.minimumQuantity) }
        case HKPredicateKeyPathMax:
            return (sample as? HKDiscreteQuantitySample).map { .quantity($0.maximumQuantity) }
        case HKPredicateKeyPathAverage:
            return (sample as? HKDiscreteQuantitySample).map { .quantity($0.averageQuantity) }
        case HKPredicateKeyPathMostRecent:
            return (sample as? HKDiscreteQuantitySample).map { .quantity($0.mostRecentQuantity) }
        default: return nil
        }
    }

    private static func workoutProperty(_ name: String, of object: HKObject) -> PredicateValue? {
        guard let workout = object as? HKWorkout else { return nil }
        switch name {
        case HKPredicateKeyPathWorkoutType: return .number(Double(workout.workoutActivityType.rawValue))
        case HKPredicateKeyPathWorkoutDuration: return .number(workout.duration)
        case HKPredicateKeyPathWorkoutTotalDistance: return PredicateValue(workout.totalDistance)
        case HKPredicateKeyPathWorkoutTotalEnergyBurned: return PredicateValue(workout.totalEnergyBurned)
        case HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount:
            return PredicateValue(workout.totalSwimmingStrokeCount)
        case HKPredicateKeyPathWorkoutTotalFlightsClimbed: return PredicateValue(workout.totalFlightsClimbed)
        default: return nil
        }
    }

    private static func summaryProperty(_ name: String, of summary: HKActivitySummary) -> PredicateValue {
        guard name == HKPredicateKeyPathDateComponents else { return .null }
        return .number(Double(summaryDay(summary.dateComponents(for: Calendar(identifier: .gregorian)))))
    }

    /// Year · 10000 + month · 100 + day.
    static func summaryDay(_ day: DateComponents) -> Int {
        (day.year ?? 0) * 10_000 + (day.month ?? 0) * 100 + (day.day ?? 0)
    }
}
