import ArchiveTestSupport
import CoreLocation
import Foundation
import HealthEngine
import HealthFiles
import HealthKit
import HealthModel
import HealthStorage
import HealthStorageSQLite
import Testing

@testable import AppleHealthExport

/// Archives with auxiliary files, from import to the public API.
@Suite struct ArchiveAuxiliaryFileTests {
    /// The forms of an archive.
    enum Form: CaseIterable { case zip, folder, bareFile }

    private let folder: TemporaryFolder
    private let storePath: String

    init() throws {
        folder = try TemporaryFolder()
        storePath = folder.path + "/store.sqlite"
    }

    private let gpx = AuxiliaryText.gpx(points: 250)
    private let ecg = AuxiliaryText.electrocardiogram(values: 300)
    private let routePath = "/workout-routes/route_2024-03-01_11.00am.gpx"
    private let beats: [(bpm: String, time: String)] = [
        ("60", "10:00:00.50 AM"), ("62", "10:00:01.47 AM"), ("61", "10:00:02.45 AM"),
    ]

    private func xml(routes: Int = 1) -> String {
        let second = AuxiliaryText.route(path: routePath.replacingOccurrences(of: ".gpx", with: "_1.gpx"))
        return ArchiveText.file([
            ArchiveText.record(
                type: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", source: "Watch", unit: "ms",
                end: "2024-03-01 10:01:00 +0100", value: "42.5", children: [AuxiliaryText.beats(beats)]),
            AuxiliaryText.workout(routes: [AuxiliaryText.route(path: routePath)] + (routes == 2 ? [second] : [])),
            AuxiliaryText.workout(routes: [], minutes: 30),
        ])
    }

    private func archive(_ form: Form, xml: String? = nil, without missing: Set<String> = [], name: String = "archive")
        throws -> String
    {
        let files = [
            "export.xml": xml ?? self.xml(), String(routePath.dropFirst()): gpx,
            String(routePath.dropFirst().dropLast(4)) + "_1.gpx": AuxiliaryText.gpx(points: 7, seed: 8),
            "electrocardiograms/ecg_2023-03-04.csv": ecg,
            "electrocardiograms/ecg_2023-03-04_1.csv": AuxiliaryText.electrocardiogram(
                values: 200, seed: 4, date: "2023-03-04 22:00:00 -0500", classification: "Atrial Fibrillation"),
        ].filter { !missing.contains($0.key) }
        guard form == .zip else {
            for (path, contents) in files { try folder.write(contents, as: name + "/apple_health_export/" + path) }
            return folder.path + "/" + name + (form == .folder ? "" : "/apple_health_export/export.xml")
        }
        let path = folder.path + "/\(name).zip"
        let writer = try ZipWriter(path: path)
        for (entry, contents) in files.sorted(by: { $0.key < $1.key }) {
            try writer.beginEntry("apple_health_export/" + entry)
            try writer.write(Array(contents.utf8))
        }
        try writer.finish()
        return path
    }

    @discardableResult
    private func run(_ path: String, batchSize: Int = 1_000) throws -> ImportReport {
        let storage = try SQLiteStorage(path: storePath)
        defer { try? storage.close() }
        return try ArchiveImporter(
            engine: HealthEngine(storage: storage), options: .init(batchSize: batchSize)
        ).run(path: path)
    }

    private func store() -> HKHealthStore {
        HKHealthStore(configuration: .init(location: .file(URL(fileURLWithPath: storePath)), authorization: .allowAll))
    }

    private func samples<Sample: HKSample>(
        _ type: HKSampleType, _ predicate: NSPredicate? = nil, of store: HKHealthStore
    ) async throws -> [Sample] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.sample(type: type, predicate: predicate)], sortDescriptors: [SortDescriptor(\.startDate)])
        return try await descriptor.result(for: store).compactMap { $0 as? Sample }
    }

    private let all = [
        "HKQuantityTypeIdentifierHeartRateVariabilitySDNN": 1, "HKDataTypeIdentifierHeartbeatSeries": 1,
        "HKWorkoutTypeIdentifier": 2,
        "HKWorkoutRouteTypeIdentifier": 1, "HKDataTypeIdentifierElectrocardiogram": 2,
    ]

    @Test(arguments: Form.allCases)
    func importsTheObjects(_ form: Form) async throws {
        let report = try run(archive(form))
        #expect(report.added == all && report.skips == [])
        // A file that no element of the main file refers to.
        #expect(report.irregularities == ["file in workout-routes that was not read, left out": 1])
        let store = store()

        let workouts: [HKWorkout] = try await samples(.workoutType(), of: store)
        let workout = try #require(workouts.first { $0.duration == 3_600 })
        let other = try #require(workouts.first { $0.duration == 1_800 })
        let routes: [HKWorkoutRoute] = try await samples(
            HKSeriesType.workoutRoute(), HKQuery.predicateForObjects(from: workout), of: store)
        let route = try #require(routes.first)
        let none: [HKWorkoutRoute] = try await samples(
            HKSeriesType.workoutRoute(), HKQuery.predicateForObjects(from: other), of: store)
        #expect(none.isEmpty && route.count == 250 && route.sourceRevision.source.name == "Watch")
        #expect(route.startDate == workout.startDate && route.endDate == workout.endDate)
        #expect(route.metadata == nil || route.metadata?.isEmpty == true)
        var locations: [CLLocation] = []
        for try await location in HKWorkoutRouteQueryDescriptor(route).results(for: store) {
            locations.append(location)
        }
        let track = try GPXReader.read(MemorySource(Array(gpx.utf8)))
        #expect(locations.map(\.coordinate.latitude) == track.points.map(\.latitude))
        #expect(locations.map(\.coordinate.longitude) == track.points.map(\.longitude))
        #expect(locations.map(\.altitude) == track.points.map(\.altitude))
        #expect(locations.map(\.timestamp.timeIntervalSinceReferenceDate) == track.points.map(\.timestamp))
        #expect(
            locations.map(\.speed) == track.points.map(\.speed) && locations.map(\.course) == track.points.map(\.course)
        )
        #expect(locations.map(\.horizontalAccuracy) == track.points.map(\.horizontalAccuracy))

        let electrocardiograms: [HKElectrocardiogram] = try await samples(.electrocardiogramType(), of: store)
        #expect(electrocardiograms.map(\.classification) == [.sinusRhythm, .atrialFibrillation])
        #expect(electrocardiograms.map(\.numberOfVoltageMeasurements) == [300, 200])
        #expect(electrocardiograms[0].samplingFrequency == HKQuantity(unit: .hertz(), doubleValue: 512))
        var microvolts: [Double] = []
        for try await measurement in HKElectrocardiogramQueryDescriptor(electrocardiograms[0]).results(for: store) {
            let quantity = measurement.quantity(for: .appleWatchSimilarToLeadI)
            microvolts.append((quantity?.doubleValue(for: .voltUnit(with: .micro)) ?? .nan))
        }
        let numbers = AuxiliaryText.voltages(300, seed: 2).split(separator: "\n").map { Double($0)! }
        #expect(zip(microvolts, numbers).allSatisfy { abs($0 - $1) < 1e-9 } && microvolts.count == numbers.count)

        let allSeries: [HKHeartbeatSeriesSample] = try await samples(HKSeriesType.heartbeat(), of: store)
        let series = try #require(allSeries.first)
        let variabilities: [HKQuantitySample] = try await samples(HKQuantityType(.heartRateVariabilitySDNN), of: store)
        let variability = try #require(variabilities.first)
        #expect(series.startDate == variability.startDate && series.endDate == variability.endDate)
        #expect(series.sourceRevision == variability.sourceRevision && variability.metadata?.isEmpty != false)
        var offsets: [TimeInterval] = []
        for try await beat in HKHeartbeatSeriesQueryDescriptor(series).results(for: store) {
            offsets.append(beat.timeIntervalSinceStart)
        }
        #expect(offsets == [0.5, 1.47, 2.45])
    }

    @Test(arguments: Form.allCases, [1, 1_000])
    func importingAgainAddsNothing(_ form: Form, _ batchSize: Int) throws {
        let path = try archive(form)
        try run(path, batchSize: batchSize)
        let again = try run(path, batchSize: batchSize)
        #expect(again.added == [:] && again.alreadyThere == all)
    }

    @Test func anotherLanguageAndTimeZoneAddNothing() throws {
        try run(archive(.folder))
        // The same phone in German and in summer: file names, time formats and offsets have changed.
        var xml = xml()
        for (one, other) in [
            ("10:00:00.50 AM", "11:00:00,50"), ("10:00:01.47 AM", "11:00:01,47"), ("10:00:02.45 AM", "11:00:02,45"),
            ("route_2024-03-01_11.00am", "route_2024-03-01_12.00"),
        ] { xml = xml.replacingOccurrences(of: one, with: other) }
        let base = "summer/"
        try folder.write(xml, as: base + "Exportieren.xml")
        try folder.write(
            gpx.replacingOccurrences(of: "Route 2024-03-01 11:00am", with: "Route 2024-03-01 12:00")
                .replacingOccurrences(of: "2026-01-15T08", with: "2026-07-15T08"),
            as: base + "workout-routes/route_2024-03-01_12.00.gpx")
        for (name, text) in [
            (
                "ecg_2023-03-05.csv",
                ecg.replacingOccurrences(of: "2023-03-04 20:55:07 -0500", with: "2023-03-05 02:55:07 +0100")
            ),
            (
                "ecg_2023-03-05_1.csv",
                AuxiliaryText.electrocardiogram(
                    values: 200, seed: 4, date: "2023-03-05 04:00:00 +0100", classification: "Vorhofflimmern")
            ),
        ] {
            let german = text.replacingOccurrences(of: "Sinus Rhythm", with: "Sinusrhythmus")
                .replacingOccurrences(of: "Sample Rate", with: "Abtastrate").replacingOccurrences(
                    of: "hertz", with: "Hertz")
            let comma = german.replacingOccurrences(
                of: "(?m)^(-?\\d+)\\.(\\d+)$", with: "$1,$2", options: .regularExpression)
            try folder.write(comma, as: base + "electrocardiograms/" + name)
        }
        let again = try run(folder.path + "/summer")
        #expect(again.added == [:] && again.alreadyThere == all && again.skips == [])
    }

    @Test func aMissingRouteIsAddedToItsWorkout() async throws {
        let missing = String(routePath.dropFirst())
        let first = try run(archive(.folder, without: [missing], name: "first"))
        #expect(first.skipped == ["HKWorkoutRouteTypeIdentifier": 1] && first.added["HKWorkoutTypeIdentifier"] == 2)
        let line = 1 + xml().components(separatedBy: "<Workout ")[0].utf8.count { $0 == 10 }
        #expect(
            first.skips.map(\.reason) == ["its file is missing, its reference is preserved"]
                && first.skips.first?.line == line)
        let again = try run(archive(.folder, without: [missing], name: "first"))
        #expect(again.added == [:])
        // Now with the file, and with another route.
        let second = try run(archive(.zip, xml: xml(routes: 2), name: "second"))
        #expect(
            second.added == ["HKWorkoutRouteTypeIdentifier": 2] && second.alreadyThere["HKWorkoutTypeIdentifier"] == 2)
        let third = try run(archive(.zip, xml: xml(routes: 2), name: "second"))
        #expect(third.added == [:] && third.alreadyThere["HKWorkoutRouteTypeIdentifier"] == 2)
        let store = store()
        let workouts: [HKWorkout] = try await samples(.workoutType(), of: store)
        let workout = try #require(workouts.first { $0.duration == 3_600 })
        let routes: [HKWorkoutRoute] = try await samples(
            HKSeriesType.workoutRoute(), HKQuery.predicateForObjects(from: workout), of: store)
        #expect(Set(routes.map(\.count)) == [250, 7] && workouts.count == 2)
    }

    @Test func objectsRemainIfTheirFileIsMissing() throws {
        try run(archive(.folder, name: "first"))
        let report = try run(archive(.folder, without: [String(routePath.dropFirst())], name: "second"))
        #expect(report.added == [:] && report.alreadyThere["HKWorkoutTypeIdentifier"] == 2)
        #expect(report.skipped == ["HKWorkoutRouteTypeIdentifier": 1])
    }

    @Test func damagedElectrocardiogramsAreReported() throws {
        let path = try archive(.folder)
        try folder.write("nothing", as: "archive/apple_health_export/electrocardiograms/a.csv")
        try folder.write("not looked at", as: "archive/apple_health_export/electrocardiograms/readme.txt")
        let report = try run(path)
        #expect(report.added == all)
        #expect(
            report.skips == [
                .init(
                    line: 0, type: "HKDataTypeIdentifierElectrocardiogram",
                    reason: "in “a.csv”, its file contains no voltages")
            ])
    }

    @Test func classificationsThatAreNotKnownAreReported() throws {
        let path = try archive(.folder)
        try folder.write(
            AuxiliaryText.electrocardiogram(values: 3, classification: "Snus Rythm"),
            as: "archive/apple_health_export/electrocardiograms/a.csv")
        let report = try run(path)
        #expect(report.skips == [])
        #expect(
            report.irregularities[
                "electrocardiogram as unrecognized, because the name of its classification isn’t known"] == 1)
    }

    @Test func equalListsAreAllKept() throws {
        let record = ArchiveText.record(
            type: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", unit: "ms", value: "42.5",
            children: [AuxiliaryText.beats(beats)])
        let path = try folder.write(ArchiveText.file([record, record]), as: "two.xml")
        #expect(try run(path).added["HKDataTypeIdentifierHeartbeatSeries"] == 2)
        let three = try folder.write(ArchiveText.file([record, record, record]), as: "three.xml")
        let report = try run(three)
        #expect(
            report.added == [
                "HKDataTypeIdentifierHeartbeatSeries": 1, "HKQuantityTypeIdentifierHeartRateVariabilitySDNN": 1,
            ])
    }
}
