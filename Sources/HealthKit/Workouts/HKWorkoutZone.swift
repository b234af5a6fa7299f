public import Foundation
import HealthModel

/// One of the ranges into which a configuration divides the values of a quantity type.
public struct HKWorkoutZone: Hashable, Sendable {
    /// The position of the zone, from 0.
    public let index: Int
    /// The value the zone begins with; `nil` for the first zone.
    public let minimum: HKQuantity?
    /// The value the next zone begins with; `nil` for the last zone.
    public let maximum: HKQuantity?
}

/// The zones of a quantity type, such as heart rate.
public struct HKWorkoutZoneConfiguration: Hashable, Sendable {
    /// Where a configuration comes from.
    public enum Source: Hashable, Sendable {
        /// Calculated from what is known about the person.
        case system
        /// Set by the person.
        case user
        /// Set by an application for one workout.
        case app
    }

    /// The zones in ascending order.
    public let zones: [HKWorkoutZone]
    /// Where the configuration comes from.
    public let source: Source
    let record: WorkoutZoneRecord
    private let type: HKQuantityType

    /// Creates the configuration of an application, with one zone more than there are boundaries.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` unless the type is heart rate or cycling power and there are two to
    ///   eight finite boundaries, ascending, in units of the type.
    public init(quantityType: HKQuantityType, zoneBoundaries: [HKQuantity]) throws {
        guard WorkoutZoneRecord.types.contains(quantityType.identifier) else {
            throw HKError.make(.errorInvalidArgument, "Type \(quantityType.identifier) does not have workout zones.")
        }
        guard WorkoutZoneRecord.boundaryCounts.contains(zoneBoundaries.count) else {
            throw HKError.make(.errorInvalidArgument, "Workout zones require two to eight boundaries.")
        }
        guard zoneBoundaries.allSatisfy({ quantityType.is(compatibleWith: $0.unit) }) else {
            throw HKError.make(
                .errorInvalidArgument,
                "The boundaries of workout zones must have a unit of type \(quantityType.identifier).")
        }
        let unit = zoneBoundaries[0].unit
        let boundaries = zoneBoundaries.map { $0.doubleValue(for: unit) }
        guard boundaries.allSatisfy(\.isFinite), zip(boundaries, boundaries.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw HKError.make(.errorInvalidArgument, "The boundaries of workout zones must be in ascending order.")
        }
        self.init(
            quantityType,
            WorkoutZoneRecord(
                type: quantityType.identifier, unit: unit.unitString, boundaries: boundaries, source: .app), unit: unit)
    }

    /// The configuration that a workout or the person has; `nil` for an unknown type or unit, or one of another dimension.
    init?(_ record: WorkoutZoneRecord) {
        guard let type = HKObjectType.quantityType(forIdentifier: .init(rawValue: record.type)),
            let unit = HKUnit.parsed(record.unit), type.is(compatibleWith: unit)
        else { return nil }
        self.init(type, record.with([]), unit: unit)
    }

    private init(_ type: HKQuantityType, _ record: WorkoutZoneRecord, unit: HKUnit) {
        let bounds = record.boundaries.map { HKQuantity(unit: unit, doubleValue: $0) }
        zones = (0...bounds.count).map { index in
            HKWorkoutZone(
                index: index, minimum: index == 0 ? nil : bounds[index - 1],
                maximum: index == bounds.count ? nil : bounds[index])
        }
        source =
            switch record.source {
            case .system: .system
            case .user: .user
            case .app: .app
            }
        self.record = record
        self.type = type
    }

    /// The type whose values the zones divide.
    public var quantityType: HKQuantityType { type }

    /// Whether type, boundaries and source are the same.
    public static func == (lhs: HKWorkoutZoneConfiguration, rhs: HKWorkoutZoneConfiguration) -> Bool {
        lhs.record == rhs.record
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(record)
    }
}

/// The time spent in a zone.
public struct HKWorkoutZoneDuration: Hashable, Sendable {
    /// The zone.
    public let zone: HKWorkoutZone
    /// Seconds, without pauses.
    public let duration: TimeInterval
}

/// The time spent in each zone of a quantity type.
public struct HKWorkoutZoneGroup: Hashable, Sendable {
    /// The zones.
    public let configuration: HKWorkoutZoneConfiguration
    /// The time in each zone, in the order of the zones.
    public let zoneDurations: [HKWorkoutZoneDuration]

    /// Creates a group from what a workout keeps; `nil` for an unknown type or unit.
    init?(_ times: WorkoutZoneRecord) {
        guard let configuration = HKWorkoutZoneConfiguration(times), times.durations.count == configuration.zones.count
        else { return nil }
        self.configuration = configuration
        zoneDurations = zip(configuration.zones, times.durations).map { HKWorkoutZoneDuration(zone: $0, duration: $1) }
    }
}
