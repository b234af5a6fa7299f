import HealthModel
import Testing

@testable import HealthDevices

@Suite("FIT files in HealthKit's model")
struct FITReaderTests {
    private static let start = Double(FITFileWriter.start) - 347_241_600

    private func read(_ writer: FITFileWriter) -> DeviceContent {
        FITReader.read(writer.file(), recoversDamaged: false).content
    }

    private func values(_ type: DeviceType, _ samples: [SampleRecord]) -> [Double] {
        samples.filter { $0.type == type.code }.map(\.value)
    }

    @Test("A run is a workout with samples, laps, a pause, a route and the device's figures")
    func run() throws {
        let content = read(.run)
        let workout = try #require(content.objects.first)
        guard case .workout(let body) = workout.body else {
            Issue.record("no workout")
            return
        }
        #expect(body.activityType == 37 && body.duration == 99)
        #expect(workout.start == Self.start && workout.end == Self.start + 109)
        #expect(body.events.map(\.type) == [3, 1, 2, 3])
        #expect(body.totalDistance == QuantityRecord(297, unit: "m"))
        #expect(body.totalEnergyBurned == QuantityRecord(21, unit: "kcal"))
        #expect(values(.heartRate, workout.members).count == 99)
        #expect(values(.activeEnergy, workout.members) == [10, 11])
        let distance = try #require(DeviceType.distance(of: 37))
        #expect(values(distance, workout.members).reduce(0, +) == 297)
        #expect(workout.metadata["HKElevationAscended"] == .quantity(42, unit: "m"))
        #expect(workout.revision?.source.name == "Garmin Forerunner 255")
        #expect(workout.device?.localIdentifier == "12345")
        let route = try #require(content.parts.first?.object)
        guard case .document(let document) = route.body else { return }
        #expect(document.series["latitudes"]?.count == 100)
        #expect(document.series["altitudes"]?.first == 500)
    }

    @Test("A day's totals become what was added, with times of 16 bits")
    func monitoring() {
        var writer = FITFileWriter(type: 32)
        let start = FITFileWriter.start
        writer.define(1, 103, [.uint32(253)])
        writer.add(1, [start])
        writer.define(2, 55, [.uint32(253), .uint32(3), .bytes(24, 1), .uint16(19)])
        for place in 1...4 as ClosedRange<Int64> { writer.add(2, [start + place * 900, place * 200, 6, place * 10]) }
        writer.define(3, 55, [.uint16(26), .uint8(27)])
        writer.add(3, [(start + 3_700) & 0xFFFF, 61])
        let samples = read(writer).samples
        #expect(values(.steps, samples) == [200, 200, 200, 200])
        #expect(values(.activeEnergy, samples) == [10, 10, 10, 10])
        #expect(samples.filter { $0.type == DeviceType.heartRate.code }.map(\.start) == [Self.start + 3_700])
    }

    @Test("Sleep levels last until the next one, measurements are samples, and stress is counted")
    func health() {
        var writer = FITFileWriter(type: 49)
        let start = FITFileWriter.start
        writer.define(1, 275, [.uint32(253), .enumeration(0)])
        for (place, level) in [1, 2, 2, 3, 4].enumerated() { writer.add(1, [start + Int64(place) * 60, Int64(level)]) }
        writer.define(2, 21, [.uint32(253), .enumeration(0), .enumeration(1)])
        writer.add(2, [start + 600, 74, 1])
        writer.define(3, 30, [.uint32(253), .uint16(0), .uint16(1)])
        writer.add(3, [start, 7_250, 2_010])
        writer.define(4, 51, [.uint32(253), .uint16(0), .uint16(1)])
        writer.add(4, [start, 121, 79])
        writer.define(5, 227, [.uint32(1), .uint16(0)])
        writer.add(5, [start, 25])
        let content = read(writer)
        let levels = content.samples.filter { $0.type == DeviceType.code("HKCategoryTypeIdentifierSleepAnalysis") }
        #expect(levels.map(\.value) == [2, 3, 4, 5])
        #expect(levels.map { $0.end - $0.start } == [60, 120, 60, 360])
        #expect(values(.bodyMass, content.samples) == [72.5])
        #expect(content.objects.first?.members.map(\.value) == [121, 79])
        #expect(content.leftOut == ["FIT message stress_level, left out": 1])
    }

    @Test("A course is recognized and has nothing to import")
    func course() {
        var writer = FITFileWriter(type: 6)
        writer.define(1, 20, [.uint32(253), .uint8(3)])
        writer.add(1, [FITFileWriter.start, 100])
        let content = read(writer)
        #expect(content.count == 0 && content.leftOut == ["file of type course, left out": 1])
    }
}
