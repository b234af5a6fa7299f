import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthFiles
import HealthFormats
import HealthModel
import Testing

@testable import HealthDevices

@Suite("Distances of exported workouts")
struct MultisportFileTests {
    /// A file with legs of an activity: sport, sub-sport, seconds, and meters of the records and of the session.
    private static func file(
        _ legs: [(sport: Int64, subSport: Int64, seconds: Int64, recorded: Int64, meters: Int64)], laps: [Int64] = []
    ) -> [UInt8] {
        var writer = FITFileWriter(type: 4)
        writer.define(1, 20, [.uint32(253), .sint32(0), .sint32(1), .uint32(5), .uint8(3)])
        writer.define(2, 18, [.uint32(253), .uint32(2), .uint32(7), .uint32(9), .enumeration(5), .enumeration(6)])
        writer.define(3, 19, [.uint32(253), .uint32(2), .uint32(7), .uint32(9)])
        var (first, north): (Int64, Int64) = (FITFileWriter.start, 620_384_164)
        for leg in legs {
            for second in stride(from: 0, to: leg.seconds, by: 5) {
                writer.add(
                    1, [first + second, north, 155_096_041, second * leg.recorded * 100 / (leg.seconds - 5), 140])
                north += 400
            }
            for (place, meters) in laps.enumerated() {
                let length = leg.seconds / Int64(laps.count)
                let start = first + Int64(place) * length
                writer.add(3, [start + length, start, length * 1_000, meters * 100])
            }
            first += leg.seconds
        }
        first = FITFileWriter.start
        for leg in legs {
            writer.add(
                2, [first + leg.seconds, first, leg.seconds * 1_000, leg.meters * 100, leg.sport, leg.subSport])
            first += leg.seconds
        }
        return writer.file()
    }

    /// Imports a file and exports the workout that it has.
    private func exported(_ bytes: [UInt8], as format: WorkoutFileFormat) throws -> (
        text: String, content: FileContent, body: WorkoutBody
    ) {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        _ = try folder.importing(folder.write(bytes, "a.fit"))
        let file = "\(folder.url.path)/b.\(format.rawValue)"
        let report = try WorkoutFileExporter(format, FormatOptions(timeZone: .gmt)).export(
            of: folder.engine, to: file, as: .reader)
        #expect(report.counts == ["workout": 1])
        let written = [UInt8](try Data(contentsOf: URL(filePath: file)))
        let content = try #require(ActivityFormat(head: written)).read(written, recoversDamaged: false)
        let workout = try #require(content.objects.first)
        guard case .workout(let body) = workout.body else { throw FileReadingError("no workout") }
        #expect(content.objects.count == 1 && content.damages.isEmpty)
        return (String(decoding: written, as: UTF8.self), content, body)
    }

    @Test(
        "A multisport workout keeps its sports, transitions and distances in every format",
        arguments: WorkoutFileFormat.allCases)
    func multisport(_ format: WorkoutFileFormat) throws {
        let bytes = Self.file([
            (5, 18, 600, 900, 900), (3, 0, 60, 60, 60), (2, 0, 1_200, 9_592, 9_600), (3, 0, 60, 50, 50),
            (1, 0, 300, 990, 1_000),
        ])
        let (text, content, body) = try exported(bytes, as: format)
        #expect(body.activityType == 82 && body.activities.map(\.activityType) == [46, 83, 13, 83, 37])
        #expect(abs((body.totalDistance?.converted(to: "m") ?? 0) - 11_610) < 0.1)
        let sums = body.activities.map { ($0.statistics.first { $0.sum != nil }?.sum ?? 0).rounded() }
        #expect(sums == [900, 60, 9_600, 50, 1_000])
        #expect(body.activities.map { $0.start - body.activities[0].start } == [0, 600, 660, 1_860, 1_920])
        let rates = content.wholeObjects[0].members.filter { $0.type == MeasuredType.heartRate.code }
        #expect(rates.count == 444)
        if format == .tcx {
            #expect(text.components(separatedBy: "<Transition StartTime").count == 3)
            #expect(text.components(separatedBy: "<NextSport>").count == 3 && text.contains("<FirstSport>"))
        }
    }

    @Test(
        "A ride whose laps and records don't add up to the session has the session's distance in every format",
        arguments: WorkoutFileFormat.allCases, [39_000, 41_000])
    func laps(_ format: WorkoutFileFormat, recorded: Int64) throws {
        let (_, content, body) = try exported(
            Self.file([(2, 0, 3_600, recorded, 40_000)], laps: [9_000, 9_500, 9_000]), as: format)
        #expect(abs((body.totalDistance?.converted(to: "m") ?? 0) - 40_000) < 0.1)
        let type = try #require(MeasuredType.distance(of: 13)).code
        let meters = content.wholeObjects[0].members.filter { $0.type == type }.reduce(0) { $0 + $1.value }
        #expect(abs(meters - 40_000) < 1)
    }

    /// The ways in which devices count where sports change.
    enum Count: CaseIterable {
        /// The record at the change begins again from 0.
        case restarting
        /// The record at the change has the whole distance of the sport before, and the next one began again.
        case finishing
        /// The count continues over all sports.
        case continuing
    }

    @Test("Samples add up to the distance of each leg, however the device counts", arguments: Count.allCases)
    func legs(_ count: Count) throws {
        let legs: [(sport: Int64, subSport: Int64, seconds: Int64, meters: Int64)] = [
            (5, 18, 600, 900), (3, 0, 65, 65), (2, 0, 1_195, 5_975), (3, 0, 35, 35), (1, 0, 305, 610),
        ]
        var writer = FITFileWriter(type: 4)
        writer.define(1, 20, [.uint32(253), .uint32(5)])
        writer.define(2, 18, [.uint32(253), .uint32(2), .uint32(7), .uint32(9), .enumeration(5), .enumeration(6)])
        var (passed, meters): (Int64, Int64) = (0, 0)
        for leg in legs {
            let end = passed + leg.seconds
            // A record every ten seconds, whatever the sport.
            for second in stride(from: (passed + 9) / 10 * 10, through: end, by: 10) {
                guard second > passed || passed == 0 || count == .restarting else { continue }
                guard second < end || end == 2_200 || count != .restarting else { continue }
                let counted =
                    (count == .continuing ? meters : 0) * 100 + (second - passed) * leg.meters * 100 / leg.seconds
                writer.add(1, [FITFileWriter.start + second, counted])
            }
            (passed, meters) = (end, meters + leg.meters)
        }
        passed = 0
        for leg in legs {
            let start = FITFileWriter.start + passed
            writer.add(
                2, [start + leg.seconds, start, leg.seconds * 1_000, leg.meters * 100, leg.sport, leg.subSport])
            passed += leg.seconds
        }
        let bytes = writer.file()
        let content = try #require(ActivityFormat(head: bytes)).read(bytes, recoversDamaged: false)
        let (workout, whole) = (try #require(content.objects.first), try #require(content.wholeObjects.first))
        guard case .workout(let body) = workout.body else { throw FileReadingError("no workout") }
        let types = Set(legs.indices.compactMap { MeasuredType.distance(of: body.activities[$0].activityType)?.code })
        let samples = whole.members.filter { types.contains($0.type) }.sorted { $0.start < $1.start }
        #expect(abs(samples.reduce(0) { $0 + $1.value } - 7_585) < 0.01)
        #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.end <= $1.start })
        guard count != .continuing else { return }
        for (leg, activity) in zip(legs, body.activities) {
            let own = samples.filter { activity.start <= $0.start && $0.start < activity.end ?? .infinity }
            #expect(abs(own.reduce(0) { $0 + $1.value } - Double(leg.meters)) < 0.01)
        }
    }
}
