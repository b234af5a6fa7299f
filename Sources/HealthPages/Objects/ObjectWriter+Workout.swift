import Foundation
import HealthModel

extension ObjectWriter {
    mutating func workout(_ workout: WorkoutBody) {
        bytes.unsigned(UInt64(workout.activityType))
        bytes.number(workout.duration)
        quantities([
            workout.totalEnergyBurned, workout.totalDistance, workout.totalSwimmingStrokeCount,
            workout.totalFlightsClimbed,
        ])
        list(workout.events) { $0.event($1) }
        list(workout.activities) { $0.activity($1) }
        list(workout.statistics) { $0.statistics($1) }
        list(workout.archived) { $0.element($1) }
    }

    private mutating func event(_ event: WorkoutBody.Event) {
        bytes.signed(Int64(event.type))
        bytes.number(event.start)
        bytes.number(event.end)
        metadata(event.metadata)
    }

    private mutating func statistics(_ statistics: WorkoutBody.Statistics) {
        string(statistics.type)
        bytes.number(statistics.start)
        bytes.number(statistics.end)
        string(statistics.unit)
        bytes.optionalNumber(statistics.sum)
        bytes.optionalNumber(statistics.average)
        bytes.optionalNumber(statistics.minimum)
        bytes.optionalNumber(statistics.maximum)
    }

    private mutating func activity(_ activity: WorkoutBody.Activity) {
        withUnsafeBytes(of: activity.uuid.uuid) { bytes.raw($0) }
        bytes.unsigned(UInt64(activity.activityType))
        bytes.signed(Int64(activity.locationType))
        bytes.signed(Int64(activity.swimmingLocationType))
        quantities([activity.lapLength])
        bytes.number(activity.start)
        bytes.optionalNumber(activity.end)
        bytes.number(activity.duration)
        list(activity.events) { $0.event($1) }
        list(activity.statistics) { $0.statistics($1) }
        metadata(activity.metadata)
    }
}
