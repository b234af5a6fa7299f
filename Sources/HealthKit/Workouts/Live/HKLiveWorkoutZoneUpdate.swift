public import Foundation
import HealthModel

/// A live builder's report to its delegate about the zones of a quantity type.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKLiveWorkoutZoneUpdate: NSObject, _CVarArgObject, @unchecked Sendable {
    private let date: Double?
    private let durations: [HKWorkoutZoneDuration]
    private let current: Int?
    private let previous: Int?
    private let group: HKWorkoutZoneGroup?

    /// Creates an update; the zone indices are those of the group.
    init(_ progress: WorkoutZoneProgress, in zones: WorkoutZoneRecord) {
        group = HKWorkoutZoneGroup(zones.with(progress.durations))
        durations = group?.zoneDurations ?? []
        date = progress.lastDate
        current = progress.current
        previous = progress.previous
    }

    /// The end of the last sample that is counted.
    open var lastSampleProcessedDate: Date? { date.map { Date(timeIntervalSinceReferenceDate: $0) } }

    /// The zone of the last sample, and the time in it so far.
    public final var currentZoneDuration: HKWorkoutZoneDuration? { duration(current) }

    /// The zone before the current one, and the time in it so far; `nil` until the zone changes.
    public final var previousZoneDuration: HKWorkoutZoneDuration? { duration(previous) }

    /// The time in each zone so far.
    public final var zoneGroup: HKWorkoutZoneGroup? { group }

    private func duration(_ index: Int?) -> HKWorkoutZoneDuration? {
        index.flatMap { durations.indices.contains($0) ? durations[$0] : nil }
    }
}

// The zones that a builder measures in, and the time in them so far.
extension WorkoutBuilderState {
    /// The zones of a type: those of the application, else those of the person.
    func zones(of type: String) -> WorkoutZoneRecord? {
        customZones[type] ?? personZones[type]
    }

    /// The way through the zones of a type so far; `nil` without zones or samples.
    func zoneProgress(of type: String, from start: Double? = nil, to end: Double? = nil) -> WorkoutZoneProgress? {
        guard let zones = zones(of: type) else { return nil }
        let values = members.values(in: zones)
        guard !values.isEmpty else { return nil }
        let progress = WorkoutZoneProgress(
            values, in: zones, from: start ?? self.start ?? -.infinity, to: end ?? self.end, events: events)
        return progress.current == nil ? nil : progress
    }

    /// The time in the zones of every type that has samples, of the workout or of an activity.
    func zoneTimes(of activity: WorkoutBody.Activity? = nil) -> [WorkoutZoneRecord] {
        WorkoutZoneRecord.types.compactMap { type in
            guard let zones = zones(of: type),
                let progress = zoneProgress(of: type, from: activity?.start, to: activity?.end)
            else { return nil }
            return zones.with(progress.durations, of: activity?.uuid)
        }
    }
}
