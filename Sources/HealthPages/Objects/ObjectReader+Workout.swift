import Foundation
import HealthModel

extension ObjectReader {
    mutating func workout() throws(PageError) -> WorkoutBody {
        let activityType = UInt(try reader.unsigned("workout activity type"))
        var workout = WorkoutBody(activityType: activityType, duration: try reader.number("workout duration"))
        let totals = try quantities(4, "workout totals")
        workout.totalEnergyBurned = totals[0]
        workout.totalDistance = totals[1]
        workout.totalSwimmingStrokeCount = totals[2]
        workout.totalFlightsClimbed = totals[3]
        workout.events = try list("workout events") { object throws(PageError) in try object.event() }
        workout.activities = try list("workout activities") { object throws(PageError) in try object.activity() }
        workout.statistics = try list("workout statistics") { object throws(PageError) in try object.statistics() }
        workout.archived = try list("archived elements") { object throws(PageError) in try object.element(depth: 1) }
        return workout
    }

    private mutating func event() throws(PageError) -> WorkoutBody.Event {
        let type = try integer("event type")
        let start = try reader.number("event start")
        let end = try reader.number("event end")
        return WorkoutBody.Event(type: type, start: start, end: end, metadata: try metadata())
    }

    private mutating func statistics() throws(PageError) -> WorkoutBody.Statistics {
        let type = try string("statistics type")
        let start = try reader.number("statistics start")
        let end = try reader.number("statistics end")
        let unit = try string("statistics unit")
        let sum = try reader.optionalNumber("statistics sum")
        let average = try reader.optionalNumber("statistics average")
        let minimum = try reader.optionalNumber("statistics minimum")
        let maximum = try reader.optionalNumber("statistics maximum")
        return WorkoutBody.Statistics(
            type: type, start: start, end: end, unit: unit, sum: sum, average: average, minimum: minimum,
            maximum: maximum)
    }

    private mutating func activity() throws(PageError) -> WorkoutBody.Activity {
        let uuid = UUID(uuid: try reader.take(16, "activity uuid").loadUnaligned(as: uuid_t.self))
        let activityType = UInt(try reader.unsigned("activity type"))
        let locationType = try integer("activity location")
        let swimmingLocationType = try integer("activity location")
        let lapLength = try quantities(1, "lap length")[0]
        let start = try reader.number("activity start")
        let end = try reader.optionalNumber("activity end")
        let duration = try reader.number("activity duration")
        let events = try list("activity events") { object throws(PageError) in try object.event() }
        let statistics = try list("activity statistics") { object throws(PageError) in try object.statistics() }
        return WorkoutBody.Activity(
            uuid: uuid, activityType: activityType, locationType: locationType,
            swimmingLocationType: swimmingLocationType, lapLength: lapLength, start: start, end: end,
            duration: duration, events: events, statistics: statistics, metadata: try metadata())
    }
}
