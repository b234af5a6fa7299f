@testable import AppleHealthExport
import AppleHealthGenerator
import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthFiles
import HealthModel
import Testing

/// The known defects of Apple's archives, one test each, on archives of every iOS that has them.
@Suite("Known defects") struct ArchiveDefectTests {
    private static func versions(from first: Int, to last: Int = 26) -> [String] {
        DialectArchive.versions.filter { (first...last).contains(ArchiveDialect($0)!.major) }
    }

    private let systolic = "HKQuantityTypeIdentifierBloodPressureSystolic"
    private let diastolic = "HKQuantityTypeIdentifierBloodPressureDiastolic"

    @Test("1: the torn document type of iOS 16 is stepped over", arguments: versions(from: 16, to: 16))
    func tornDocumentType(version: String) throws {
        let archive = try DialectArchive.of(version)
        let text = try archive.text()
        let isTorn = ["16", "16.1"].contains(version)
        // Torn: a declaration begins inside another one, and a `>` stands where none was opened.
        #expect(text.contains("  brand CDATA #IMPLIED\n<!ELEMENT RightEye") == isTorn)
        #expect(text.contains("  device CDATA #IMPLIED\n<!ELEMENT MetadataEntry") == isTorn)
        #expect((text.ranges(of: "<!ATTLIST MetadataEntry").count == 2) == isTorn)
        let store = try ImportedStore()
        let report = try store.run(archive.zip)
        #expect(
            report.skipped == [:]
                && report.added["HKQuantityTypeIdentifierStepCount"]
                    == archive.contents.contents["HKQuantityTypeIdentifierStepCount"]
        )
        #expect(try store.objects("HKVisionPrescriptionTypeIdentifier").count == 2)
    }

    @Test("2: control characters are kept and counted", arguments: DialectArchive.versionsWithMetadata)
    func controlCharacters(version: String) throws {
        let archive = try DialectArchive.of(version)
        let store = try ImportedStore()
        let report = try store.run(archive.xml)
        let note = "control characters that XML does not allow, preserved"
        #expect(report.irregularities[note, default: 0] == archive.contents.controlCharacters)
        #expect((archive.contents.controlCharacters > 0) == (archive.dialect.major == 16))
        let texts = try store.samples("HKQuantityTypeIdentifierBloodGlucose").compactMap { $0.metadata["Glucose Note"] }
        #expect(texts.count == archive.contents.contents["HKQuantityTypeIdentifierBloodGlucose"])
        #expect(texts.filter { $0 == .string("before\u{0B}breakfast") }.count == archive.contents.controlCharacters)
        #expect(texts.contains(.string("before\nbreakfast")))
    }

    @Test("3: figures inside an activity are not added to those of the workout", arguments: versions(from: 16))
    func nestedStatistics(version: String) throws {
        let archive = try DialectArchive.of(version)
        let store = try ImportedStore()
        try store.run(archive.folder)
        let workouts = try store.objects("HKWorkoutTypeIdentifier")
        #expect(workouts.count == archive.contents.contents["HKWorkoutTypeIdentifier"])
        var steps = Set<Int>()
        for workout in workouts {
            guard case .workout(let body) = workout.body else {
                Issue.record("no workout")
                continue
            }
            let energy = "HKQuantityTypeIdentifierActiveEnergyBurned"
            let outer = try #require(body.statistics.first { $0.type == energy })
            #expect(body.statistics.filter { $0.type == energy }.count == 1)
            #expect(body.totalEnergyBurned == QuantityRecord(try #require(outer.sum), unit: outer.unit))
            let inner = body.activities.flatMap(\.statistics).filter { $0.type == energy }.compactMap(\.sum).reduce(
                0, +)
            #expect(inner > 0 && inner <= outer.sum! && inner > outer.sum! * 0.999)
            #expect(body.activities.allSatisfy { $0.statistics.count >= 2 })
            // What no document type allows for is there: events inside an activity, steps of an interval training.
            if body.activities.count == 1 {
                // A pause, its end and a lap, and a segment for each kilometer, or one indoors.
                let kilometers = body.totalDistance?.value(in: "km") ?? 1
                #expect(body.activities[0].events == body.events && body.events.count == 3 + Int(kilometers))
            } else {
                #expect(body.activities.allSatisfy { $0.metadata["WOIntervalStepSuccessful"] != nil })
            }
            steps.insert(body.activities.count)
            #expect(
                workout.start == body.activities.map(\.start).min()
                    && workout.end == body.activities.compactMap(\.end).max())
        }
        #expect(steps == [1, 3])
    }

    @Test(
        "4: a clinical document with two roots is neither taken for the export nor in its way",
        arguments: DialectArchive.versions)
    func twoRoots(version: String) throws {
        let archive = try DialectArchive.of(version)
        let document = archive.folder + "/apple_health_export/export_cda.xml"
        let text = try String(contentsOfFile: document, encoding: .utf8)
        #expect(text.contains("</ClinicalDocument>\n<component>") && WellFormedness.fault(in: text) != nil)
        #expect(archive.contents.files.contains("export_cda.xml"))
        let report = try ImportedStore().run(archive.zip)
        #expect(report.file == archive.zip + ": apple_health_export/export.xml" && report.skipped == [:])
        do {
            _ = try ImportedStore().run(document)
            Issue.record("it isn't an export")
        } catch {
            #expect((error as? ImportError)?.kind == .notAnExport)
        }
    }

    @Test(
        "5: the main file is found under its name in any language",
        arguments: zip(
            ["en_US", "nb_NO", "es_ES", "fi_FI", "de_DE", "fr_FR", "zh_CN", "tr_TR", "pt_BR", "ja_JP"],
            ["9", "11", "12", "14", "15", "16", "16.2", "17", "18.1", "26"]))
    func translatedNames(locale: String, version: String) throws {
        let home = try TemporaryFolder()
        var options = DialectArchive.options(version)
        options.locale = locale
        let generator = ArchiveGenerator(options: options)
        let contents = try generator.make(atPath: home.path + "/any name.zip")
        _ = try generator.make(atPath: home.path + "/folder")
        let store = try ImportedStore()
        let report = try store.run(home.path + "/any name.zip")
        #expect(report.file.hasSuffix(": apple_health_export/" + contents.files[0]))
        #expect(report.locale == locale && report.skipped == [:])
        #expect(report.added["HKWorkoutTypeIdentifier"] == contents.contents["HKWorkoutTypeIdentifier"])
        let again = try store.run(home.path + "/folder")
        #expect(again.file.hasSuffix("/apple_health_export/" + contents.files[0]) && again.addedCount == 0)
    }

    @Test(
        "6: instants are right though the offset is that of the export", arguments: DialectArchive.versionsWithMetadata)
    func offsets(version: String) throws {
        let archive = try DialectArchive.of(version)
        let text = try archive.text()
        let all = text.matches(of: #/(?:startDate|endDate|creationDate|date)="([^"]*)"/#).map { String($0.output.1) }
        #expect(all.count > 1_500 && all.allSatisfy { $0.hasSuffix(" -0500") })
        // The archive begins in daylight-saving time, when the clock on the wall said another hour.
        let store = try ImportedStore()
        try store.run(archive.xml)
        let nights = try store.samples("HKCategoryTypeIdentifierSleepAnalysis")
        #expect(nights.allSatisfy { $0.metadata["HKTimeZone"] == .string("America/New_York") })
        let zone = TimeZone(identifier: "America/New_York")!
        let seasons = Set(nights.map { zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: $0.start)) })
        #expect(seasons == [-4 * 3_600, -5 * 3_600])
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withFullDate, .withFullTime, .withSpaceBetweenDateAndTime]
        let written = text.matches(of: #/SleepAnalysis" [^\n]* startDate="([^"]*)"/#).map {
            formatter.date(from: String($0.output.1).replacingOccurrences(of: " -0500", with: "-05:00"))!
                .timeIntervalSinceReferenceDate
        }
        #expect(nights.map(\.start).sorted() == written.sorted())
    }

    @Test("7: records equal in every byte keep their number, again and again", arguments: DialectArchive.versions)
    func equalRecords(version: String) throws {
        let archive = try DialectArchive.of(version)
        let lines = try archive.text().split(separator: "\n").filter {
            $0.hasPrefix(" <Record ") && $0.contains("SleepAnalysis")
        }
        let most = lines.reduce(into: [:]) { $0[$1, default: 0] += 1 }.values.max() ?? 0
        #expect(most == 3)
        let store = try ImportedStore()
        for _ in 0..<3 { try store.run(archive.xml) }
        let nights = try store.samples("HKCategoryTypeIdentifierSleepAnalysis")
        let counts = nights.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        #expect(
            nights.count == lines.count
                && nights.count == archive.contents.contents["HKCategoryTypeIdentifierSleepAnalysis"])
        #expect(Set(counts.values) == [1, 2, 3])
    }

    @Test("8: a correlation's members are one sample each, inside only or not", arguments: DialectArchive.versions)
    func membersTwice(version: String) throws {
        let archive = try DialectArchive.of(version)
        let lines = try archive.text().split(separator: "\n")
        func count(_ prefix: String) -> Int {
            lines.filter { $0.hasPrefix(prefix + "<Record ") && $0.contains(systolic) }.count
        }
        #expect((count(" ") < count("  ")) == (9...11).contains(archive.dialect.major))
        let store = try ImportedStore()
        for _ in 0..<2 {
            try store.run(archive.xml)
            let pressures = try store.objects("HKCorrelationTypeIdentifierBloodPressure")
            #expect(pressures.count == count("  ") && pressures.allSatisfy { $0.members.count == 2 })
            #expect(try store.samples(systolic).count == count("  "))
            #expect(try store.samples(diastolic).count == count("  "))
        }
        let meals = try store.objects("HKCorrelationTypeIdentifierFood")
        #expect(meals.flatMap(\.members).count == 3 * meals.count)
        #expect(try store.samples("HKQuantityTypeIdentifierDietaryProtein").count == meals.count)
    }

    @Test("9: an empty or truncated archive is one clear error", arguments: DialectArchive.versions)
    func truncated(version: String) throws {
        let home = try TemporaryFolder()
        let whole = try DialectArchive.of(version).bytes()
        for (cut, kind) in [
            (0, ImportError.Kind.notAnExport), (60, .notAnExport), (whole.count / 2, .truncated),
            (whole.count - 3, .truncated),
        ] {
            let path = try home.write(Array(whole[..<cut]), as: "cut.xml")
            let store = try ImportedStore()
            do {
                _ = try store.run(path)
                Issue.record("cut at \(cut)")
            } catch {
                #expect((error as? ImportError)?.kind == kind, "cut at \(cut): \(error)")
            }
            try store.expectWhole()
        }
        let empty = home.path + "/empty.zip"
        try ZipWriter(path: empty).finish()
        #expect(throws: ImportError.self) { try ImportedStore().run(empty) }
    }

    @Test("10: a name declared twice, or given twice, counts once; it was never seen, and must not matter")
    func startDateTwice() throws {
        let home = try TemporaryFolder()
        let record = ArchiveText.record().replacingOccurrences(
            of: " endDate=", with: " startDate=\"2030-01-01 00:00:00 +0000\" endDate=")
        let declared = "<!ATTLIST Record\n  startDate CDATA #REQUIRED\n  startDate CDATA #REQUIRED\n>\n"
        let store = try ImportedStore()
        let report = try store.run(home.write(ArchiveText.file([record], dtd: declared), as: "export.xml"))
        #expect(report.addedCount == 1 && report.skipped == [:])
        #expect(
            try store.samples("HKQuantityTypeIdentifierStepCount").map(\.start) == [ArchiveText.instant(2024, 3, 1, 9)])
    }
}
