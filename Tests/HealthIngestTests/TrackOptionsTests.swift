import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthFiles
import HealthImport
import HealthModel
import Testing

@testable import HealthIngest

@Suite("What a track’s file doesn’t say")
struct TrackOptionsTests {
    private static let workout = "HKWorkoutTypeIdentifier"

    /// A track of three points, of which the second is at a third of the way.
    private func track(type: String = "", times: Bool = true) -> String {
        let points = [(52.0, 0), (52.001, 10), (52.003, 30)].map { latitude, second in
            let time = times ? "<time>2024-05-01T10:00:\(second < 10 ? "0" : "")\(second)Z</time>" : ""
            return "<trkpt lat=\"\(latitude)\" lon=\"13\">\(time)</trkpt>"
        }
        return "<gpx creator=\"Service\"><trk>\(type)<trkseg>\(points.joined())</trkseg></trk></gpx>"
    }

    private func run(_ fixture: ImportFixture, _ options: ImportOptions = ImportOptions()) throws -> ImportReport {
        try FileImport.run(path: fixture.folder.path + "/a.gpx", options: options) { fixture.engine }
    }

    private func activities(_ fixture: ImportFixture) throws -> [UInt] {
        try fixture.objects(Self.workout).compactMap {
            if case .workout(let body) = $0.body { body.activityType } else { nil }
        }
    }

    @Test("The activity is that of the file, else the one that is given, else unknown, which the report says")
    func activity() throws {
        var options = ImportOptions()
        options.activity = 13
        for (type, given, expected, isUnknown) in [
            ("<type>running</type>", true, UInt(37), false), ("", true, 13, false), ("", false, 3_000, true),
        ] {
            let fixture = try ImportFixture()
            try fixture.folder.write(track(type: type), as: "a.gpx")
            let report = try run(fixture, given ? options : ImportOptions())
            #expect(try activities(fixture) == [expected])
            #expect(report.remarks.contains { $0.contains("with --activity.") } == isUnknown)
        }
    }

    @Test("A track without times is spread over those that are given, and refused without them")
    func times() throws {
        let fixture = try ImportFixture()
        try fixture.folder.write(track(type: "<type>cycling</type>", times: false), as: "a.gpx")
        let error = #expect(throws: ImportError.self) { try run(fixture) }
        #expect(error?.description.contains("--start and --end") == true)
        #expect(try fixture.objects(Self.workout).isEmpty)
        var options = ImportOptions()
        options.trackTime = 1_000...1_300
        #expect(try run(fixture, options).added[Self.workout] == 1)
        let stored = try #require(try fixture.objects(Self.workout).first)
        #expect((stored.start, stored.end) == (1_000, 1_300))
        let routes = try fixture.objects("HKWorkoutRouteTypeIdentifier")
        guard case .document(let route)? = routes.first?.body else { return }
        let times = try #require(route.series["timestamps"])
        #expect(times.count == 3 && abs(times[1] - 1_100) < 0.01)
        // The same again is known.
        #expect(try run(fixture, options).added.isEmpty)
    }

    @Test("A workout that was corrected is known when its file is imported again")
    func corrected() throws {
        let fixture = try ImportFixture()
        try fixture.folder.write(track(), as: "a.gpx")
        _ = try run(fixture)
        let owner = ImportFixture.reader
        let uuid = try #require(try fixture.objects(Self.workout).first?.uuid)
        for correction in [
            WorkoutCorrection(activityType: 13, title: "Hills"), WorkoutCorrection(activityType: 52, start: 0, end: 90),
        ] {
            let present = try fixture.objects(Self.workout).first?.uuid ?? uuid
            let outcome = try fixture.engine.correctWorkout(present, correction, as: owner)
            #expect(try run(fixture).added.isEmpty)
            #expect(try fixture.objects(Self.workout).map(\.uuid) == [outcome.uuid])
            #expect(try activities(fixture) == [correction.activityType])
        }
    }

    @Test("What an import added is undone, and comes back with the file")
    func undo() throws {
        let fixture = try ImportFixture()
        try fixture.folder.write(track(type: "<type>cycling</type>"), as: "a.gpx")
        let added = try run(fixture).added
        let document = #"""
            "metrics": [{"name": "step_count", "units": "count", "data": [
             {"date": "2026-02-06 14:30:00 +0000", "qty": 12, "source": "iPhone"}]}]
            """#
        // Its entries are saved one by one, as if they were posted.
        #expect(try fixture.post(document).addedCount == 1)
        #expect(try fixture.engine.imports.records().map(\.number) == [2, 1])
        #expect(try fixture.engine.undoImport(2) == 1)
        #expect(try fixture.samples("HKQuantityTypeIdentifierStepCount").isEmpty)
        #expect(try fixture.engine.contents(ofImport: 1).total == added.values.reduce(0, +))
        _ = try fixture.engine.undoImport(1)
        #expect(try fixture.engine.typeOverview(as: ImportFixture.reader).isEmpty)
        #expect(try run(fixture).added == added)
    }
}
