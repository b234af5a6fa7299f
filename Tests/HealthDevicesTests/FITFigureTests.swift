import ArchiveTestSupport
import HealthFiles
import HealthModel
import Testing

@testable import HealthDevices

@Suite("Figures of FIT files")
struct FITFigureTests {
    private static let start = FITFileWriter.start
    private static let reference = Double(start) - 347_241_600

    private func read(_ writer: FITFileWriter) throws -> (
        workout: ObjectRecord, body: WorkoutBody, content: FileContent
    ) {
        let content = FITReader.read(writer.file(), recoversDamaged: false)
        let workout = try #require(content.wholeObjects.first)
        guard case .workout(let body) = workout.body else { throw FileReadingError("no workout") }
        return (workout, body, content)
    }

    private func sum(_ type: MeasuredType, _ samples: [SampleRecord]) -> Double {
        samples.filter { $0.type == type.code }.reduce(0) { $0 + $1.value }
    }

    @Test("Averages of zero, as of a sensor that wasn't there, are none")
    func zeros() throws {
        var writer = FITFileWriter(type: 4)
        writer.define(1, 20, [.uint32(253), .uint8(3)])
        for second in 0..<60 as Range<Int64> { writer.add(1, [Self.start + second, 0]) }
        writer.define(
            2, 18,
            [
                .uint32(253), .uint32(2), .uint32(7), .uint32(9), .enumeration(5), .enumeration(6), .uint8(16),
                .uint8(17), .uint8(64), .uint8(18), .uint8(19), .uint16(20), .uint16(21), .uint16(14), .uint16(15),
            ])
        writer.add(2, [Self.start + 59, Self.start, 59_000, 17_700, 2, 0] + Array(repeating: 0, count: 9))
        let (workout, body, content) = try read(writer)
        #expect(body.statistics.map(\.type) == [MeasuredType.distance(of: 13)?.identifier])
        #expect(sum(.heartRate, workout.members) == 0 && content.leftOut.isEmpty)
        #expect(workout.metadata["HKAverageSpeed"] == nil && workout.metadata["HKMaximumSpeed"] == nil)
    }

    @Test(
        "Of a ride, zeros of power count unless there is nothing else, and zeros of cadence don't", arguments: [0, 200])
    func coasting(watts: Int64) throws {
        var writer = FITFileWriter(type: 4)
        writer.define(1, 20, [.uint32(253), .uint8(4), .uint16(7)])
        for second in 0..<60 as Range<Int64> {
            writer.add(1, [Self.start + second, second < 20 ? 0 : 90, second < 20 ? 0 : watts])
        }
        writer.define(2, 18, [.uint32(253), .uint32(2), .uint32(7), .enumeration(5), .enumeration(6)])
        writer.add(2, [Self.start + 59, Self.start, 59_000, 2, 0])
        let members = try read(writer).workout.members
        func values(_ type: MeasuredType) -> [Double] { members.filter { $0.type == type.code }.map(\.value) }
        #expect(values(.cyclingCadence) == Array(repeating: 90, count: 40))
        #expect(
            values(.cyclingPower).count == (watts > 0 ? 60 : 0) && sum(.cyclingPower, members) == Double(watts) * 40)
    }

    @Test(
        "A distance that continues from before the file counts from the first record that has one",
        arguments: [true, false])
    func continued(hasTotal: Bool) throws {
        var writer = FITFileWriter(type: 4)
        writer.define(1, 20, [.uint32(253), .uint32(5)])
        for place in 0...26 as ClosedRange<Int64> {
            writer.add(1, [Self.start + place * 5, place < 2 ? 0xFFFF_FFFF : 4_201_390 + (place - 2) * 1_200])
        }
        writer.define(2, 18, [.uint32(253), .uint32(2), .uint32(7), .uint32(9), .enumeration(5), .enumeration(6)])
        writer.add(2, [Self.start + 130, Self.start, 130_000, hasTotal ? 29_903 : 0xFFFF_FFFF, 1, 0])
        let (workout, body, _) = try read(writer)
        #expect(body.totalDistance == QuantityRecord(hasTotal ? 299.03 : 288, unit: "m"))
        #expect(abs(sum(.distanceOnFoot, workout.members) - 288) < 1e-6)
    }

    @Test("What was covered in a transition is on foot, and part of the total")
    func transition() throws {
        var writer = FITFileWriter(type: 4)
        writer.define(1, 20, [.uint32(253), .uint32(5)])
        writer.define(2, 18, [.uint32(253), .uint32(2), .uint32(7), .uint32(9), .enumeration(5), .enumeration(6)])
        let legs: [(sport: Int64, subSport: Int64, seconds: Int64, meters: Int64)] = [
            (5, 18, 600, 900), (3, 0, 60, 60), (2, 0, 1_200, 9_600), (3, 0, 60, 50), (1, 0, 300, 1_000),
        ]
        var first = Self.start
        for leg in legs {
            for second in stride(from: 0, to: leg.seconds, by: 10) {
                writer.add(1, [first + second, second * leg.meters * 100 / leg.seconds])
            }
            first += leg.seconds
        }
        first = Self.start
        for leg in legs {
            // The same time for all, as some devices write it.
            writer.add(2, [Self.start, first, leg.seconds * 1_000, leg.meters * 100, leg.sport, leg.subSport])
            first += leg.seconds
        }
        let (workout, body, content) = try read(writer)
        #expect(content.objects.count == 1 && content.leftOut.isEmpty)
        #expect(body.totalDistance == QuantityRecord(11_610, unit: "m") && body.duration == 2_220)
        #expect(body.activities.map { $0.statistics.first?.sum } == legs.map { Double($0.meters) })
        #expect(sum(.distanceOnFoot, workout.members) > 1_000)
    }

    @Test("Sets of a strength workout are segments with exercise, repetitions and weight; rests are between them")
    func sets() throws {
        var writer = FITFileWriter(type: 4)
        writer.define(
            1, 225,
            [
                .uint32(254), .uint32(0), .uint16(3), .uint16(4), .uint8(5), .uint32(6),
                .init(number: 7, type: 0x84, size: 2, count: 2),
            ])
        let none: Int64 = 0xFFFF
        writer.add(1, [Self.start + 40, 40_000, 10, 60 * 16, 1, Self.start, 0, none])
        writer.add(1, [Self.start + 100, 60_000, none, none, 0, Self.start + 40, none, none])
        writer.add(1, [Self.start + 130, 30_000, 12, none, 1, Self.start + 100, 22, none])
        writer.add(1, [Self.start + 900, 30_000, 12, none, 1, Self.start + 870, 65_534, none])
        writer.define(2, 18, [.uint32(253), .uint32(2), .uint32(7), .enumeration(5), .enumeration(6)])
        writer.add(2, [Self.start + 200, Self.start, 200_000, 10, 20])
        let (_, body, content) = try read(writer)
        #expect(body.activityType == 50 && body.events.map(\.type) == [7, 7])
        #expect(body.events.map { $0.start - Self.reference } == [0, 100])
        #expect(body.events.map { $0.end - Self.reference } == [40, 130])
        #expect(body.events[0].metadata["Exercise"] == .string("bench_press"))
        #expect(body.events[0].metadata["Repetitions"] == .integer(10))
        #expect(body.events[0].metadata["Weight"] == .quantity(60, unit: "kg"))
        #expect(body.events[1].metadata["Exercise"] == .string("push_up") && body.events[1].metadata["Weight"] == nil)
        #expect(content.leftOut == ["set outside of every session, left out": 1])
    }

    @Test("A message that isn't read is reported by its name, and all that have none in one line")
    func messages() {
        var writer = FITFileWriter(type: 4)
        for (local, number) in [160, 233, 65_300].enumerated() {
            writer.define(UInt8(local + 1), UInt16(number), [.uint32(253)])
            for _ in 0...local { writer.add(UInt8(local + 1), [Self.start]) }
        }
        let content = FITReader.read(writer.file(), recoversDamaged: false)
        #expect(
            content.leftOut == [
                "FIT message gps_metadata, left out": 1, "FIT message of the manufacturer’s own, left out": 5,
            ])
    }
}
