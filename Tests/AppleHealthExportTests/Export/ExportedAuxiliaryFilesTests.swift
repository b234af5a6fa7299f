import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthModel
import HealthImport
import HealthStorage
import Testing

@testable import AppleHealthExport

/// Exporting and importing auxiliary files.
@Suite struct ExportedAuxiliaryFilesTests {
    private let folder: TemporaryFolder
    private let routePath = "/workout-routes/route_2024-03-01_11.00am.gpx"
    private let ecgPath = "electrocardiograms/ecg_2023-03-04.csv"
    private let recordPath = "/clinical-records/Condition-1.json"
    private let gpx = AuxiliaryText.gpx(points: 300)
    private let ecg = AuxiliaryText.electrocardiogram()
    private let json = "{\"resourceType\":\"Condition\",\"id\":\"1\",\"code\":{\"text\":\"x\"}}"
    private let zone = TimeZone(identifier: "Europe/Berlin")!

    init() throws {
        folder = try TemporaryFolder()
    }

    private var elements: [String] {
        [
            "<Me HKCharacteristicTypeIdentifierDateOfBirth=\"1985-03-12\" HKCharacteristicTypeIdentifierBiologicalSex=\"HKBiologicalSexFemale\" HKCharacteristicTypeIdentifierBloodType=\"HKBloodTypeNotSet\" HKCharacteristicTypeIdentifierFitzpatrickSkinType=\"HKFitzpatrickSkinTypeIV\" HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse=\"None\"/>",
            AuxiliaryText.workout(routes: [
                AuxiliaryText.route(path: routePath), AuxiliaryText.route(path: "/workout-routes/second.gpx"),
            ]),
            variability("10:00", "60"), variability("10:00", "61"), variability("12:00", "62"),
            "<ClinicalRecord type=\"Condition\" identifier=\"1\" sourceName=\"Clinic\" sourceURL=\"https://example.com/1\" fhirVersion=\"4.0.1\" receivedDate=\"2024-03-01 10:00:00 +0100\" resourceFilePath=\"\(recordPath)\"/>",
            "<Audiogram type=\"HKDataTypeIdentifierAudiogram\" sourceName=\"Ears\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 10:05:00 +0100\"><SensitivityPoint frequencyValue=\"1000\" frequencyUnit=\"Hz\" leftEarValue=\"20\" leftEarUnit=\"dBHL\" rightEarValue=\"15\" rightEarUnit=\"dBHL\"/></Audiogram>",
        ]
    }

    /// A heart-rate variability with its beats; two with the same dates must keep theirs.
    private func variability(_ clock: String, _ rate: String) -> String {
        let hour = clock.prefix(2) == "10" ? 10 : 12
        return
            "<Record type=\"HKQuantityTypeIdentifierHeartRateVariabilitySDNN\" sourceName=\"Watch\" unit=\"ms\" startDate=\"2024-03-01 \(clock):00 +0100\" endDate=\"2024-03-01 \(clock):50 +0100\" value=\"50\">"
            + ArchiveText.entry("HKAlgorithmVersion", "2")
            + AuxiliaryText.beats([
                (rate, "\(hour):00:01.25 \(hour == 10 ? "AM" : "PM")"),
                ("65", "\(hour):00:02.50 \(hour == 10 ? "AM" : "PM")"),
            ]) + "</Record>"
    }

    /// An archive's folder with all files.
    private func original() throws -> String {
        let base = "in/apple_health_export/"
        try folder.write(gpx, as: base + routePath)
        try folder.write(
            AuxiliaryText.gpx(points: 40, seed: 9, name: "Route 2"), as: base + "workout-routes/second.gpx")
        try folder.write(ecg, as: base + ecgPath)
        try folder.write(json, as: base + recordPath)
        try folder.write(ArchiveText.file(elements), as: base + "export.xml")
        return folder.path + "/in"
    }

    private func imported(_ path: String) throws -> HealthEngine {
        let engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
        let report = try ArchiveImporter(engine: engine).run(path: path)
        #expect(report.skipped == [:], "\(report.skips)")
        return engine
    }

    private func export(_ engine: HealthEngine, _ name: String) throws -> ExportReport {
        // The export date of the original, which is also in routes.
        let date = Date(timeIntervalSinceReferenceDate: AuxiliaryText.exported)
        return try ArchiveExporter(engine: engine, options: .init(exportDate: date, timeZone: zone))
            .run(to: ExportTarget(path: folder.path + "/" + name))
    }

    /// The number of routes of each workout.
    private func routes(_ engine: HealthEngine) throws -> [Int] {
        try engine.readContents { contents in
            var counts: [Int] = []
            let type = try #require(TypeCatalog.description(for: "HKWorkoutTypeIdentifier")?.code)
            try contents.visitObjects(of: type) {
                counts.append(try contents.parts(of: $0.sequence).count); return true
            }
            return counts
        }
    }

    @Test(arguments: ["out.zip", "out"])
    func everyFileIsExportedUnchanged(_ name: String) throws {
        let first = try imported(original())
        let report = try export(first, name)
        #expect(report.auxiliaryFiles == 4 && report.leftOut == [:] && report.irregularities == [:])
        let second = try imported(folder.path + "/" + name)
        let (before, after) = (try StoreImage(first), try StoreImage(second))
        #expect(before == after, "\(before.difference(from: after))")
        #expect(try routes(first) == [2] && routes(second) == [2])
        #expect(
            report.written["HKWorkoutRouteTypeIdentifier"] == 2
                && report.written["HKDataTypeIdentifierHeartbeatSeries"] == 3)
        #expect(report.writtenCount == before.samples.values.reduce(0, +) + before.objects.values.reduce(0, +))
        guard name == "out" else { return }
        for path in [routePath, ecgPath, recordPath, "workout-routes/second.gpx"] {
            let there = try String(contentsOfFile: folder.path + "/in/apple_health_export/" + path, encoding: .utf8)
            #expect(
                try String(contentsOfFile: folder.path + "/out/apple_health_export/" + path, encoding: .utf8) == there,
                "\(path)")
        }
        let (then, now) = (
            try ElementBag(path: folder.path + "/in/apple_health_export/export.xml"),
            try ElementBag(path: folder.path + "/out/apple_health_export/export.xml")
        )
        #expect(now.fault == nil && then.difference(from: now) == [])
    }

    @Test func aSingleFileHasRoutesInside() throws {
        let first = try imported(original())
        let report = try export(first, "out.xml")
        #expect(report.auxiliaryFiles == 0 && report.leftOut == ["HKDataTypeIdentifierElectrocardiogram": 1])
        #expect(report.irregularities == ["file of a clinical record, only written to a zip file or folder": 1])
        let second = try HealthEngine(storage: StorageProviders.shared.openInMemory())
        _ = try ArchiveImporter(engine: second).run(path: folder.path + "/out.xml")
        #expect(try routes(second) == [2])
        func points(_ engine: HealthEngine) throws -> [[String: [Double]]] {
            try StoreImage(engine).objects.keys.filter { $0.type == "HKWorkoutRouteTypeIdentifier" }.compactMap {
                if case .document(let body) = $0.body { body.series } else { nil }
            }.sorted { ($0["timestamps"]?.count ?? 0) < ($1["timestamps"]?.count ?? 0) }
        }
        #expect(try points(first) == points(second) && points(first).count == 2)
    }

    @Test func aHeartbeatSeriesWithoutARecordIsInTheSupplement() throws {
        let engine = try imported(original())
        let writer = Caller(
            revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "w", name: "w")),
            permission: .allowAll)
        let type = try #require(TypeCatalog.description(for: HeartbeatSeriesReader.identifier)?.code)
        try engine.save(
            [
                .object(
                    ObjectRecord(
                        type: type, start: 7e8, end: 7e8 + 60,
                        body: .document(DocumentBody(series: [HeartbeatSeriesDocument.offsets: [0, 1]]))))
            ],
            as: writer)
        let report = try export(engine, "out.zip")
        #expect(
            report.supplemented == [HeartbeatSeriesReader.identifier: 1]
                && report.written[HeartbeatSeriesReader.identifier] == 3)
        let alone = try export(engine, "out.xml")
        #expect(alone.leftOut[HeartbeatSeriesReader.identifier] == 1 && alone.supplemented == [:])
    }
}
