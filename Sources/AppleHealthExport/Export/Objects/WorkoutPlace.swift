import HealthModel

/// Where an activity took place: the archive says it among the metadata, of the activity or else of the
/// whole workout.
enum WorkoutPlace {
    private static let indoor = "HKIndoorWorkout"
    private static let water = "HKSwimmingLocationType"
    private static let lap = "HKLapLength"

    /// Raw value of the location type: unknown 1, indoor 2, outdoor 3.
    static func location(_ activity: Metadata, _ whole: Metadata) -> Int {
        (activity[indoor] ?? whole[indoor])?.number.map { $0 != 0 ? 2 : 3 } ?? 1
    }

    /// Raw value of the water: unknown 0, pool 1, open water 2.
    static func swimmingLocation(_ activity: Metadata, _ whole: Metadata) -> Int {
        (activity[water] ?? whole[water])?.number.flatMap { Int(exactly: $0) } ?? 0
    }

    /// Length of the pool.
    static func lapLength(_ activity: Metadata, _ whole: Metadata) -> QuantityRecord? {
        guard case .quantity(let length, let unit)? = activity[lap] ?? whole[lap] else { return nil }
        return QuantityRecord(length, unit: unit)
    }

    /// The activity's metadata, with entries for what would else not be read from it again.
    static func stated(by activity: WorkoutBody.Activity, in whole: Metadata) -> Metadata {
        var metadata = activity.metadata
        if activity.locationType != location(metadata, whole), activity.locationType != 1 {
            metadata.entries.append(.init(key: indoor, value: .bool(activity.locationType == 2)))
        }
        if activity.swimmingLocationType != swimmingLocation(metadata, whole) {
            metadata.entries.append(.init(key: water, value: .integer(Int64(activity.swimmingLocationType))))
        }
        if let length = activity.lapLength, length != lapLength(metadata, whole) {
            metadata.entries.append(.init(key: lap, value: .quantity(length.value, unit: length.unit)))
        }
        return metadata
    }
}
