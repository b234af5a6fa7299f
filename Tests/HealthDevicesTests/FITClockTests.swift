import ArchiveTestSupport
import Foundation
import HealthFiles
import HealthModel
import Testing

@testable import HealthDevices

@Suite("Clocks of devices in FIT files")
struct FITClockTests {
    private static let start = FITFileWriter.start
    private static let reference = Double(start) - 347_241_600
    private static let day: Int64 = 86_400

    /// A run of ten minutes with a record every five seconds, by clocks that were set.
    private struct Run {
        /// The number of records by each clock, and the seconds by which it is ahead.
        var clocks: [(count: Int, lead: Int64)]
        /// The clock that wrote the session's start.
        var startLead: Int64?
        var elapsed: Int64 = 600

        func bytes() -> [UInt8] {
            var writer = FITFileWriter(type: 4)
            writer.define(1, 20, [.uint32(253), .uint8(3), .uint32(5)])
            writer.define(
                2, 18, [.uint32(253), .uint32(2), .uint32(7), .uint32(8), .uint32(9), .enumeration(5), .enumeration(6)])
            let leads = clocks.flatMap { Array(repeating: $0.lead, count: $0.count) }
            for (place, lead) in leads.enumerated() {
                writer.add(1, [start + Int64(place) * 5 + lead, 130 + Int64(place) % 10, Int64(place) * 1_500])
            }
            let last = leads[leads.count - 1]
            writer.add(
                2, [start + 600 + last, start + (startLead ?? leads[0]), elapsed * 1_000, 600_000, 180_000, 1, 0])
            return writer.file()
        }
    }

    @Test("A clock that was set during an activity is corrected", arguments: 0..<7)
    func set(_ number: Int) throws {
        let runs = [
            Run(clocks: [(20, -20 * Self.day), (101, 0)]),
            Run(clocks: [(20, 0), (40, 20 * Self.day), (61, 0)]),
            Run(clocks: [(60, 3_600), (61, 0)]),
            Run(clocks: [(20, -40 * Self.day), (40, -20 * Self.day), (61, 0)]),
            // Seconds since the device was switched on, until it found the time.
            Run(clocks: [(20, 17_217_864 - Self.start), (101, 0)]),
            // The elapsed time is the difference of both clocks.
            Run(clocks: [(20, -20 * Self.day), (101, 0)], elapsed: 600 + 20 * Self.day),
            // Before the first record.
            Run(clocks: [(121, 0)], startLead: -20 * Self.day),
        ]
        let content = FITReader.read(runs[number].bytes(), recoversDamaged: false)
        let workout = try #require(content.wholeObjects.first)
        guard case .workout(let body) = workout.body else { return }
        #expect(content.objects.count == 1 && content.leftOut.isEmpty)
        #expect(workout.start == Self.reference && workout.end == Self.reference + 600 && body.duration == 600)
        let rates = workout.members.filter { $0.type == MeasuredType.heartRate.code }
        #expect(rates.map(\.start) == (0..<121).map { Self.reference + Double($0) * 5 })
        let type = try #require(MeasuredType.distance(of: 37))
        #expect(workout.members.filter { $0.type == type.code }.reduce(0) { $0 + $1.value } == 1_800)
        #expect(body.totalDistance == QuantityRecord(1_800, unit: "m"))
    }

    @Test("A pause of days and a break between two sessions aren't clocks that were set", arguments: [true, false])
    func gaps(isPause: Bool) {
        var writer = FITFileWriter(type: 4)
        writer.define(1, 20, [.uint32(253), .uint8(3)])
        writer.define(2, 18, [.uint32(253), .uint32(2), .uint32(7), .uint32(8), .enumeration(5), .enumeration(6)])
        writer.define(3, 21, [.uint32(253), .enumeration(0), .enumeration(1)])
        let gap = 2 * Self.day
        for second in 0...100 as ClosedRange<Int64> { writer.add(1, [Self.start + second, 120]) }
        if isPause {
            writer.add(3, [Self.start + 100, 0, 4])
            writer.add(3, [Self.start + 100 + gap, 0, 0])
        }
        for second in 0...100 as ClosedRange<Int64> { writer.add(1, [Self.start + 100 + gap + second, 120]) }
        if isPause {
            writer.add(2, [Self.start + 200 + gap, Self.start, (200 + gap) * 1_000, 200_000, 1, 0])
        } else {
            for place in 0...1 as ClosedRange<Int64> {
                let start = Self.start + place * (100 + gap)
                writer.add(2, [start + 100, start, 100_000, 100_000, 1, 0])
            }
        }
        let content = FITReader.read(writer.file(), recoversDamaged: false)
        #expect(content.objects.map(\.start).first == Self.reference)
        #expect(content.objects.map(\.end).last == Self.reference + 200 + Double(gap))
        #expect(content.objects.count == (isPause ? 1 : 2) && content.leftOut.isEmpty)
    }

    // MARK: - Times since the device was switched on

    /// A run of five minutes by a device that doesn't know the time.
    private func unset(activity: [Int64]?, created: Int64? = nil) -> [UInt8] {
        let first: Int64 = 17_217_864
        var writer = FITFileWriter(type: nil)
        writer.define(0, 0, [.enumeration(0), .uint16(1), .uint16(2), .uint32(3), .uint32(4)])
        writer.add(0, [4, 1, 988, 12_345, created ?? 0xFFFF_FFFF])
        writer.define(1, 20, [.uint32(253), .uint8(3), .uint32(5)])
        for place in 0..<60 as Range<Int64> { writer.add(1, [first + place * 5, 130, place * 1_500]) }
        writer.define(2, 18, [.uint32(253), .uint32(2), .uint32(7), .uint32(9), .enumeration(5), .enumeration(6)])
        writer.add(2, [first + 295, first, 295_000, 88_500, 1, 0])
        if let activity {
            writer.define(3, 34, [.uint32(253), .uint32(5)])
            writer.add(3, [first + 295 + activity[0], activity[1]])
        }
        return writer.file()
    }

    @Test("A local time dates a device without a clock, in the person's time zone; else the time of the file does")
    func dated() throws {
        let clock = LocalClock(timeZone: try #require(TimeZone(identifier: "Asia/Tokyo")))
        // Ten seconds after the end, by a clock on the wall.
        let local = FITReader.read(
            unset(activity: [10, Self.start + 305]), recoversDamaged: false, clock: clock)
        #expect(local.objects.map(\.start) == [Self.reference - 9 * 3_600])
        #expect(local.objects.map(\.end) == [Self.reference - 9 * 3_600 + 295] && local.leftOut.isEmpty)
        guard case .workout(let body) = try #require(local.objects.first).body else { return }
        #expect(body.totalDistance == QuantityRecord(885, unit: "m") && body.duration == 295)
        let created = FITReader.read(unset(activity: nil, created: Self.start), recoversDamaged: false, clock: clock)
        #expect(created.objects.map(\.start) == [Self.reference])
    }

    @Test("A file that nothing dates isn't read, and the reason is that")
    func undated() throws {
        let content = FITReader.read(unset(activity: nil), recoversDamaged: false)
        #expect(content.count == 0 && Array(content.leftOut.keys) == ["\(FITReader.undated), left out"])
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        let error = #expect(throws: ImportError.self) {
            try folder.importing(folder.write(unset(activity: nil), "a.fit"))
        }
        #expect(error.map { "\($0)" }?.contains("switched on") == true)
    }
}
