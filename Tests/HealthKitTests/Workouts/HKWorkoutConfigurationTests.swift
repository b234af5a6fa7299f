import Foundation
import Testing

@testable import HealthKit

@Suite struct HKWorkoutConfigurationTests {
    @Test func aNewOneIsOpen() {
        let configuration = HKWorkoutConfiguration()
        #expect(configuration.activityType == .other)
        #expect(configuration.locationType == .unknown)
        #expect(configuration.swimmingLocationType == .unknown)
        #expect(configuration.lapLength == nil)
    }

    @Test func copiesAreIndependent() throws {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .cycling
        configuration.locationType = .outdoor
        let copy = try #require(configuration.copy() as? HKWorkoutConfiguration)
        #expect(copy == configuration)
        #expect(copy.hash == configuration.hash)
        copy.activityType = .running
        #expect(configuration.activityType == .cycling)
        #expect(copy != configuration)
    }

    @Test func anActivityTakesItsConfiguration() {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .swimming
        configuration.swimmingLocationType = .pool
        configuration.lapLength = HKQuantity(unit: HKUnit(from: "m"), doubleValue: 50)
        let start = Date(timeIntervalSinceReferenceDate: 0)
        let activity = HKWorkoutActivity(
            workoutConfiguration: configuration, start: start, end: start + 30, metadata: ["n": 1])
        configuration.activityType = .running
        #expect(activity.workoutConfiguration.activityType == .swimming)
        #expect(activity.workoutConfiguration.lapLength?.doubleValue(for: HKUnit(from: "m")) == 50)
        #expect(activity.duration == 30)
        #expect(activity.metadata?["n"] as? Int == 1)
        let running = HKWorkoutActivity(
            workoutConfiguration: configuration, start: start, end: nil, metadata: nil)
        #expect(running.endDate == nil)
        #expect(running.duration == 0)
        #expect(running != activity)
        #expect(running == running.copy() as? HKWorkoutActivity)
    }
}
