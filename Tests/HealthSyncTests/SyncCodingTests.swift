import Foundation
import HealthTesting
import Testing

@testable import HealthSync

@Suite("The JSON of batches")
struct SyncCodingTests {
    @Test("Values keep their kind")
    func values() throws {
        let values: [SyncValue] = [
            .string("5"), .bool(true), .bool(false), .integer(1), .integer(-7), .integer(.max), .double(1),
            .double(1.5),
            .double(-0.0), .double(1e300), .date(SyncDate(seconds: 12.25)), .data(Data([0, 255])),
            .quantity(SyncQuantity(61, unit: "count/min")), .list([.integer(1), .string("a"), .list([])]),
            .record(["sphere": .quantity(SyncQuantity(-2, unit: "D")), "side": .integer(0)]), .record([:]),
        ]
        let data = try SyncCoding.encoder().encode(values)
        #expect(try SyncCoding.decoder().decode([SyncValue].self, from: data) == values)
    }

    @Test("A sample has HealthKit's names, and a workout's properties are beside the others")
    func names() throws {
        var sample = SyncSample(
            uuid: UUID(), type: "HKWorkoutTypeIdentifier", startDate: SyncDate(seconds: 0),
            endDate: SyncDate(seconds: 60),
            source: "Watch", bundleIdentifier: "com.example.watch")
        var workout = SyncWorkout(workoutActivityType: 37, duration: 60)
        workout.totalDistance = SyncQuantity(1.25, unit: "km")
        workout.workoutEvents = [
            SyncWorkoutEvent(type: 1, startDate: SyncDate(seconds: 1), endDate: SyncDate(seconds: 2))
        ]
        sample.workout = workout
        sample.members = [UUID()]
        sample.metadata = ["HKIndoorWorkout": .bool(true)]
        sample.series = ["voltages.1": SyncColumn([0.5, 1])]
        let data = try SyncCoding.encoder().encode(sample)
        #expect(try SyncCoding.decoder().decode(SyncSample.self, from: data) == sample)
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(json["workoutActivityType"] as? Int == 37)
        #expect((json["totalDistance"] as? [String: Any])?["unit"] as? String == "km")
        #expect(json["startDate"] as? String == "2001-01-01T00:00:00Z")
        #expect(json["workout"] == nil)
    }

    @Test("A missing number in a column is null")
    func columns() throws {
        let data = try SyncCoding.encoder().encode(SyncColumn([1, .nan, 0.1]))
        #expect(String(decoding: data, as: UTF8.self) == "[1,null,0.1]")
        let numbers = try SyncCoding.decoder().decode(SyncColumn.self, from: data).numbers
        #expect(numbers[0] == 1 && numbers[1].isNaN && numbers[2] == 0.1)
    }

    @Test("Numbers come back bit for bit")
    func numbers() throws {
        var random = SplitMix64(seed: 3)
        let numbers = (0..<5_000).map { _ in
            var number = Double(bitPattern: random.next())
            while !number.isFinite { number = Double(bitPattern: random.next()) }
            return number
        }
        let data = try SyncCoding.encoder().encode(SyncColumn(numbers))
        #expect(
            try SyncCoding.decoder().decode(SyncColumn.self, from: data).numbers.map(\.bitPattern)
                == numbers.map(\.bitPattern))
    }

    @Test("The time in zones is read from a batch and from an answer of the API")
    func zones() throws {
        let group = SyncZoneGroup(
            type: "HKQuantityTypeIdentifierHeartRate", unit: "count/min", boundaries: [100, 140], source: "user",
            durations: [1, 2, 3])
        let answer = #"""
            {"quantityType": "HKQuantityTypeIdentifierHeartRate", "unit": "count/min", "source": "user", "zones": [
              {"maximum": 100, "duration": 1}, {"minimum": 100, "maximum": 140, "duration": 2},
              {"minimum": 140, "duration": 3}]}
            """#
        for text in [try SyncCoding.encoder().encode(group), Data(answer.utf8)] {
            #expect(try SyncCoding.decoder().decode(SyncZoneGroup.self, from: text) == group)
        }
    }
}
