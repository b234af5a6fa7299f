import ArchiveTestSupport
import Foundation
import HealthFiles
import HealthFormats
import HealthModel
import Testing

@testable import AppleHealthExport

/// Reading and writing workout routes.
@Suite struct WorkoutRouteReaderTests {
    private let gpx = AuxiliaryText.gpx(points: 5)
    private let start = ArchiveText.instant(2024, 3, 1, 9)

    private func parsed(_ routes: [String], files: [String: String]) -> Parsed {
        Parsed(
            ArchiveText.file([AuxiliaryText.workout(routes: routes)]), auxiliaryFiles: MemoryAuxiliaryFiles(files))
    }

    private func element(_ text: String) throws -> ArchivedElement {
        try #require(ElementMarkup.read(text))
    }

    @Test(arguments: [1e300, -1e300, 1e12, -1e12])
    func datesThatNoCalendarHasAreWritten(instant: Double) {
        #expect(FileNameClock(instant, offset: 3_600).day.count > 8)
        var text = RouteText()
        text.time(instant)
        #expect(text.bytes.count > 16)
    }

    @Test func readsTheFileItRefersTo() throws {
        let route = AuxiliaryText.route(
            path: "/workout-routes/route_2024-03-01_11.00am.gpx",
            children: [
                ArchiveText.entry("HKMetadataKeySyncIdentifier", "A1"),
                ArchiveText.entry("HKMetadataKeySyncVersion", "2"),
            ])
        let parsed = parsed([route], files: ["workout-routes/route_2024-03-01_11.00am.gpx": gpx])
        #expect(parsed.skips == [] && parsed.irregularities == [:] && parsed.objects.count == 1 && parsed.records == 2)
        guard case .workout(let body) = parsed.objects[0].body else { throw ImportError(.unreadable, "no workout") }
        #expect(body.archived == [])
        let record = try #require(parsed.parts.first)
        #expect(TypeCatalog.description(for: record.type)?.identifier == "HKWorkoutRouteTypeIdentifier")
        #expect(record.start == start && record.end == start + 3_600 && record.creation == start + 3_605)
        #expect(record.revision?.source.name == "Watch" && record.revision?.version == "10.2")
        #expect(record.device?.hardwareVersion == "Watch6,7")
        #expect(record.metadata[MetadataKey.syncIdentifier] == .string("A1"))
        #expect(record.metadata[MetadataKey.syncVersion] == .integer(2))
        #expect(record.metadata["_archived.route.path"] == .string("/workout-routes/route_2024-03-01_11.00am.gpx"))
        guard case .document(let document) = record.body else { throw ImportError(.unreadable, "no document") }
        #expect(document.series == (try GPXReader.read(MemorySource(Array(gpx.utf8)))).series)
        #expect(
            document.series.count == RouteDocument.Column.allCases.count && document.series["timestamps"]?.count == 5)
    }

    @Test func readsPointsInsideTheElement() throws {
        let route =
            "<WorkoutRoute sourceName=\"Watch\" startDate=\"2018-07-01 10:00:00 +0200\" endDate=\"2018-07-01 10:01:00 +0200\"><Location date=\"2018-07-01 10:00:00 +0200\" latitude=\"52.5\" longitude=\"13.25\" altitude=\"34.5\" horizontalAccuracy=\"5\" verticalAccuracy=\"4\" course=\"90.5\" speed=\"2.5\"/><Location date=\"2018-07-01 10:00:01 +0200\" latitude=\"52.6\" longitude=\"13.35\"/><Location date=\"\" latitude=\"1\" longitude=\"1\"/></WorkoutRoute>"
        let parsed = parsed([route], files: [:])
        #expect(
            parsed.skips == [] && parsed.irregularities == ["route points without a position or a time, dropped": 1])
        guard case .document(let document)? = parsed.parts.first?.body else {
            throw ImportError(.unreadable, "no route")
        }
        let date = ArchiveText.instant(2018, 7, 1, 8)
        let expected: [RouteDocument.Column: [Double]] = [
            .timestamps: [date, date + 1], .latitudes: [52.5, 52.6], .longitudes: [13.25, 13.35],
            .altitudes: [34.5, 0],
            .horizontalAccuracies: [5, -1], .verticalAccuracies: [4, -1], .courses: [90.5, -1], .speeds: [2.5, -1],
            .courseAccuracies: [-1, -1], .speedAccuracies: [-1, -1],
        ]
        for (column, values) in expected { #expect(document.series[column.rawValue] == values, "\(column)") }
    }

    @Test(arguments: [
        ("/workout-routes/missing.gpx", "its file is missing"), ("/../a.gpx", "its path points outside the archive"),
        ("/workout-routes/torn.gpx", "its file is incomplete"),
        ("/workout-routes/empty.gpx", "its file is not a GPX file"),
        ("/workout-routes/nowhere.gpx", "none of its points has a place and time"),
    ])
    func keepsTheReferenceOfARouteItCannotRead(_ path: String, _ reason: String) throws {
        let good = AuxiliaryText.route(path: "/workout-routes/a.gpx")
        let bad = AuxiliaryText.route(path: path)
        let parsed = parsed(
            [good, bad],
            files: [
                "workout-routes/a.gpx": gpx, "workout-routes/torn.gpx": String(gpx.prefix(900)),
                "workout-routes/empty.gpx": "",
                "workout-routes/nowhere.gpx": "<gpx><trkpt lat=\"1\" lon=\"2\"/></gpx>",
            ])
        #expect(
            parsed.skips == [
                .init(line: 8, type: "HKWorkoutRouteTypeIdentifier", reason: reason + ", its reference is preserved")
            ])
        #expect(parsed.parts.count == 1 && parsed.objects.count == 1)
        guard case .workout(let body)? = parsed.objects.first?.body else {
            Issue.record("no workout")
            return
        }
        #expect(body.archived == [try element(bad)])
    }

    @Test func readsAnEmptyTrack() throws {
        let parsed = parsed(
            [AuxiliaryText.route(path: "/workout-routes/a.gpx")],
            files: ["workout-routes/a.gpx": AuxiliaryText.gpx(points: 0)])
        #expect(parsed.skips == [] && parsed.parts.count == 1)
    }

    @Test func isWrittenAsItWasRead() throws {
        let text = AuxiliaryText.route(
            path: "/workout-routes/route_2024-03-01_11.00am.gpx",
            children: [
                ArchiveText.entry("HKMetadataKeySyncIdentifier", "A1"), ArchiveText.entry("own key", "418 cm"),
            ]
        ).replacingOccurrences(of: "0x282e3a260", with: "0x2800001f0")
        let read = try WorkoutRouteReader.read(
            element(text), auxiliaryFiles: MemoryAuxiliaryFiles(["workout-routes/route_2024-03-01_11.00am.gpx": gpx]))
        let style = RecordStyle(dictionaries: .init(), offset: 3_600)
        var tally = ExportTally()
        let path = WorkoutRouteWriter.path(of: read.route, workoutEnd: read.route.end, offset: 3_600)
        let written = WorkoutRouteWriter.write(read.route, path: path, style, &tally)
        func plain(_ element: ArchivedElement) -> ArchivedElement {
            var element = element
            element.attributes.removeAll { $0.name == "device" }
            return element
        }
        #expect(plain(written) == plain(try element(text)) && written["device"]?.contains("hardware:Watch6,7") == true)
        let file = try #require(
            WorkoutRouteWriter.file(
                read.route, workoutEnd: read.route.end, exported: AuxiliaryText.exported, offset: 3_600))
        #expect(String(decoding: file, as: UTF8.self) == gpx)
    }

    @Test(arguments: [
        (ArchiveText.instant(2019, 6, 11, 14), 3_600, "route_2019-06-11_3.00pm.gpx", "Route 2019-06-11 3:00pm"),
        (ArchiveText.instant(2019, 6, 11, 23, 5), 3_600, "route_2019-06-12_12.05am.gpx", "Route 2019-06-12 12:05am"),
        (
            ArchiveText.instant(2019, 6, 11, 17, 59, 59), -18_000, "route_2019-06-11_12.59pm.gpx",
            "Route 2019-06-11 12:59pm"
        ),
    ])
    func namesFilesByTheEndOfTheWorkout(_ end: Double, _ offset: Int, _ name: String, _ track: String) throws {
        var points = RouteTrack()
        try points.append(.init(timestamp: end, latitude: 1, longitude: 2))
        let route = ObjectRecord(
            type: TypeCatalog.description(for: WorkoutRouteReader.identifier)!.code, start: end - 60, end: end,
            body: .document(DocumentBody(series: points.series)))
        #expect(WorkoutRouteWriter.path(of: route, workoutEnd: end, offset: offset) == "/workout-routes/" + name)
        let file = WorkoutRouteWriter.file(route, workoutEnd: end, exported: end, offset: offset) ?? []
        #expect(String(decoding: file, as: UTF8.self).contains("<name>\(track)</name>"))
        var names = AuxiliaryFileNames()
        let second = name.replacingOccurrences(of: ".gpx", with: "_1.gpx")
        #expect(
            [name, name, name.uppercased()].map { names.unique("/workout-routes/" + $0) }.prefix(2) == [
                "/workout-routes/" + name, "/workout-routes/" + second,
            ])
    }
}
