import Foundation
import HealthModel

@testable import HealthKit

extension RecordFixtures {
    /// A workout with events, two activities, stored statistics and members, from 0 to 100.
    static var workout: ObjectRecord {
        let event = WorkoutBody.Event(type: 7, start: 5, end: 10, metadata: metadata)
        let statistics = WorkoutBody.Statistics(
            type: "HKQuantityTypeIdentifierActiveEnergyBurned", start: 0, end: 100, unit: "kcal", sum: 90)
        let body = WorkoutBody(
            activityType: 82, duration: 95, totalDistance: QuantityRecord(1.5, unit: "mi"),
            events: [event],
            activities: [
                WorkoutBody.Activity(
                    uuid: givenIdentity, activityType: 46, locationType: 2, swimmingLocationType: 1,
                    lapLength: QuantityRecord(25, unit: "m"), start: 0, end: 50, duration: 50,
                    events: [event], statistics: [statistics], metadata: metadata),
                WorkoutBody.Activity(
                    uuid: UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9)),
                    activityType: 37, start: 50, end: nil, duration: 45),
            ],
            statistics: [statistics],
            archived: [ArchivedElement(name: "WorkoutRoute", attributes: [.init(name: "a", value: "b")])])
        return ObjectRecord(
            uuid: UUID(uuid: (7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7)),
            type: code("HKWorkoutTypeIdentifier"), start: 0, end: 100,
            revision: dictionaries.revision(1), device: dictionaries.device(1), metadata: metadata,
            body: .workout(body), members: [beat(10, 20, 100), beat(20, 50, 150), beat(60, 60, 170)])
    }

    /// A heart-rate sample as a member.
    static func beat(_ start: Double, _ end: Double, _ value: Double) -> SampleRecord {
        SampleRecord(
            type: code("HKQuantityTypeIdentifierHeartRate"), start: start, end: end, value: value,
            unit: "count/min")
    }
}
