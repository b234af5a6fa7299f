import Foundation
import HealthEngine
import HealthModel
import Testing

@testable import HealthKit

@Suite struct WorkoutStatisticsTests {
    private func workout() throws -> HKWorkout {
        try #require(
            RecordDecoder(RecordFixtures.selection([])).sample(RecordFixtures.workout) as? HKWorkout)
    }

    @Test func storedFiguresComeAsTheyCame() throws {
        let energy = try #require(try workout().statistics(for: HKQuantityType(.activeEnergyBurned)))
        #expect(energy.sumQuantity()?.doubleValue(for: HKUnit(from: "kcal")) == 90)
        #expect(energy.endDate.timeIntervalSinceReferenceDate == 100)
        #expect(try workout().totalEnergyBurned?.doubleValue(for: HKUnit(from: "kcal")) == 90)
    }

    @Test func otherFiguresFollowFromTheMembers() throws {
        let unit = HKUnit(from: "count/min")
        let beats = try #require(try workout().statistics(for: HKQuantityType(.heartRate)))
        #expect(beats.minimumQuantity()?.doubleValue(for: unit) == 100)
        #expect(beats.maximumQuantity()?.doubleValue(for: unit) == 170)
        #expect(beats.mostRecentQuantity()?.doubleValue(for: unit) == 170)
        #expect(beats.sumQuantity() == nil)
        // Weighted by time: (10 · 100 + 30 · 150) / 40.
        let average = try #require(beats.averageQuantity()?.doubleValue(for: unit))
        #expect(abs(average - 137.5) < 1e-9)
        #expect(beats.duration()?.doubleValue(for: .second()) == 40)
        #expect(
            Set(try workout().allStatistics.keys.map(\.identifier)) == [
                "HKQuantityTypeIdentifierActiveEnergyBurned", "HKQuantityTypeIdentifierHeartRate",
            ])
    }

    @Test func activitiesSeeTheirOwnSpan() throws {
        let unit = HKUnit(from: "count/min")
        let type = HKQuantityType(.heartRate)
        let activities = try workout().workoutActivities
        #expect(activities[0].statistics(for: type)?.maximumQuantity()?.doubleValue(for: unit) == 150)
        #expect(activities[1].statistics(for: type)?.maximumQuantity()?.doubleValue(for: unit) == 170)
        #expect(activities[0].statistics(for: HKQuantityType(.activeEnergyBurned)) != nil)
        #expect(activities[1].allStatistics.count == 1)
    }
}
