import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthFiles
import HealthImport
import HealthModel
import HealthStorage
import Testing

@testable import HealthIngest

/// A folder with files, and a store into which they are imported.
struct ImportFixture {
    let folder: TemporaryFolder
    let engine: HealthEngine

    init() throws {
        folder = try TemporaryFolder()
        engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
    }

    /// Imports a file or the folder.
    func run(_ name: String? = nil, zone: String? = "Europe/Berlin") throws -> ImportReport {
        try FileImport.run(
            path: folder.path + (name.map { "/" + $0 } ?? ""), options: ImportOptions(timeZone: zone)
        ) { engine }
    }

    /// Writes a document of Health Auto Export, and imports it.
    func post(_ data: String) throws -> ImportReport {
        let name = "HealthAutoExport.json"
        try folder.write(#"{"data":{\#(data)}}"#, as: name)
        return try run(name)
    }

    static let reader = Caller(
        revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "test", name: "test")), permission: .owner
    )

    /// The samples of a type in the order of their start.
    func samples(_ identifier: String) throws -> [SampleRecord] {
        let type = try #require(TypeCatalog.description(for: identifier))
        let found = try engine.samples(
            SampleRequest(parts: [.init(type: type.code)], sort: [SampleSort(.start)]), as: Self.reader)
        return found.order.compactMap { reference in
            guard case .sample(let batch, let row) = reference else { return nil }
            return found.batches[Int(batch)].record(
                at: Int(row), dictionaries: found.dictionaries, identities: found.identities)
        }
    }

    func objects(_ identifier: String) throws -> [ObjectRecord] {
        let type = try #require(TypeCatalog.description(for: identifier))
        return try engine.samples(SampleRequest(parts: [.init(type: type.code)]), as: Self.reader).objects
    }
}

@Suite("Files that applications post are imported")
struct FileImportTests {
    private static let steps = "HKQuantityTypeIdentifierStepCount"
    private static let document = #"""
        {"data": {"metrics": [{"name": "step_count", "units": "count", "data": [
         {"date": "2026-02-06 14:30:00 +0000", "qty": 12, "source": "iPhone"},
         {"date": "2026-02-06 14:37:00 +0000", "qty": 30, "source": {"name": "iPhone", "identifier": "com.example"}}]},
         {"name": "schritte", "units": "count", "data": [{"date": "2026-02-06 14:30:00 +0000", "qty": 12}]}]}}
        """#

    @Test("A document alone, under any name, in a folder, in a zip file and compressed")
    func documents() throws {
        let fixture = try ImportFixture()
        let bytes = Array(Self.document.utf8)
        try fixture.folder.write(bytes, as: "upload")
        let first = try fixture.run("upload")
        #expect(first.added == [Self.steps: 2] && first.skipped == ["schritte": 1])
        #expect(first.skips.map(\.reason) == ["in “upload”, The name is unknown."])
        #expect(try fixture.samples(Self.steps).map(\.value) == [12, 30])
        #expect(Set(try fixture.samples(Self.steps).map { $0.revision?.source.name }) == ["iPhone"])
        let zip = try ZipWriter(path: fixture.folder.path + "/all.zip")
        try zip.beginEntry("exports/a.json")
        try zip.write(bytes)
        try zip.finish()
        try fixture.folder.write(bytes, as: "folder/a.json")
        for name in ["upload", "all.zip", "folder"] {
            let again = try fixture.run(name)
            #expect(again.added == [:] && again.alreadyThere == [Self.steps: 2], "\(name)")
        }
    }

    @Test("An import that was interrupted is in the history with what it had added, and can be undone")
    func interrupted() throws {
        let fixture = try ImportFixture()
        try fixture.folder.write(Array(Self.document.utf8), as: "folder/a.json")
        try fixture.folder.write(Array(Self.document.replacing("14:3", with: "15:3").utf8), as: "folder/b.json")
        #expect(throws: InterruptedImport.self) {
            try FileImport.run(
                path: fixture.folder.path + "/folder",
                options: ImportOptions(batchSize: 1, timeZone: "Europe/Berlin"),
                // Once something is stored.
                isInterrupted: { (try? fixture.samples(Self.steps).isEmpty) == false }
            ) { fixture.engine }
        }
        let added = try fixture.samples(Self.steps).count
        let (number, record) = try #require(fixture.engine.imports.records().first)
        #expect(record.file == "folder" && record.failure == "The import was interrupted." && record.report == nil)
        #expect(added > 0)
        #expect(try fixture.engine.undoImport(number) == added)
        #expect(try fixture.samples(Self.steps).isEmpty)
    }

    @Test("Samples in JSON")
    func samples() throws {
        let fixture = try ImportFixture()
        let text = #"""
            [{"type": "bodyMass", "value": 70.5, "unit": "kg", "date": "2026-02-06T08:00:00+01:00"},
             {"type": "bodyMass", "value": "x", "unit": "kg", "date": "2026-02-07T08:00:00+01:00"}]
            """#
        try fixture.folder.write(text, as: "samples.json")
        let report = try fixture.run("samples.json")
        #expect(report.added == ["HKQuantityTypeIdentifierBodyMass": 1] && report.skippedCount == 1)
        #expect(try fixture.run("samples.json").addedCount == 0)
    }

    @Test("A table of a shortcut is what it posts, and stored once with it")
    func table() throws {
        let fixture = try ImportFixture()
        let table = """
            Start Date,End Date,Value,Unit,Type,Notes
            2026-02-06T08:00:00+01:00,,70.5,kg,Weight,x
            2026-02-06 09:00:00,2026-02-06 09:10:00,400,count,HKQuantityTypeIdentifierStepCount,
            2026-02-06T10:00:00+01:00,,72 bpm,,heartRate,
            2026-02-06T10:00:00+01:00,,5,kg,Schwung,

            """
        try fixture.folder.write(table, as: "health.csv")
        let report = try fixture.run("health.csv")
        #expect(report.addedCount == 3 && report.skippedCount == 1, "\(report.skips)")
        #expect(try fixture.samples("HKQuantityTypeIdentifierBodyMass").map(\.value) == [70.5])
        #expect(try fixture.samples("HKQuantityTypeIdentifierHeartRate").map(\.unit) == ["count/min"])
        let steps = try fixture.samples(Self.steps)
        #expect(steps.map(\.value) == [400] && steps.map { $0.end - $0.start } == [600])
        let posted = #"[{"type": "bodyMass", "value": 70.5, "unit": "kg", "start": "2026-02-06T08:00:00+01:00"}]"#
        try fixture.folder.write(posted, as: "samples.json")
        #expect(try fixture.run("samples.json").addedCount == 0)
        #expect(try fixture.run("health.csv").addedCount == 0)
    }

    @Test(
        "A shortcut’s table has dates and numbers as people write them",
        arguments: [
            (
                "Typ;Wert;Einheit;Datum\nHerzfrequenz;72;bpm;06.02.2026 08:00\nSchritte;1.234,5;count;6. Februar 2026 um 08:00\n",
                1_234.5
            ),
            (
                "Type,Value,Unit,Date\nHeart Rate,72,bpm,\"Feb 6, 2026 at 8:00 AM\"\nStep Count,\"1,234\",count,\"2/6/2026, 8:00 AM\"\n"
                    + "Heart Rate,73,bpm,\"2/13/2026, 8:00 AM\"\n",
                1_234
            ),
        ] as [(String, Double)])
    func written(table: String, steps: Double) throws {
        let fixture = try ImportFixture()
        try fixture.folder.write(table, as: "health.csv")
        let report = try fixture.run("health.csv")
        #expect(report.skippedCount == 0, "\(report.skips)")
        let rates = try fixture.samples("HKQuantityTypeIdentifierHeartRate")
        let found = try fixture.samples(Self.steps)
        #expect(rates.first?.value == 72 && found.map(\.value) == [steps] && rates.first?.start == found.first?.start)
    }

    @Test("A shortcut’s table is read in parts, and up to a row that is damaged")
    func parts() throws {
        let rows = (1...5).map { "bodyMass,7\($0),kg,2026-02-0\($0)T08:00:00+01:00\n" }.joined()
        let text = "type,value,unit,date\n" + rows + "\"open"
        let fixture = try ImportFixture()
        try fixture.folder.write(text, as: "samples.csv")
        let report = try fixture.run("samples.csv")
        #expect(report.addedCount == 5 && report.skips.map(\.line) == [7], "\(report.skips)")
        let table = try #require(
            ShortcutsTable([
                .init(line: 1, fields: ["type", "value", "date"]), .init(line: 2, fields: ["bodyMass", "71", "x"]),
            ]))
        var (rest, counts) = (Array(text.utf8), [Int]())
        let source: () -> [UInt8] = {
            defer { rest = [] }
            return rest
        }
        let damage = try table.forEachDocument(of: 2, SlashedDates { _ in }, source) { bytes in
            counts.append(try ShortcutsReader.items(bytes, media: nil, parameters: []).count)
        }
        #expect(counts == [2, 2, 1] && damage?.line == 7)
    }

    @Test("A row of a table without a date is skipped, however its columns are called")
    func undated() throws {
        let fixture = try ImportFixture()
        let table = """
            type,value,unit,date,start
            bodyMass,70,kg,2026-02-06T08:00:00+01:00,
            bodyMass,71,kg,,2026-02-07T08:00:00+01:00
            bodyMass,72,kg,,
            bodyMass,73,kg, ,
            bodyMass,74,kg

            """
        try fixture.folder.write(table, as: "samples.csv")
        let report = try fixture.run("samples.csv")
        #expect(report.addedCount == 2 && report.skippedCount == 3, "\(report.skips)")
        #expect(report.skips.allSatisfy { $0.reason.contains("A date is not in ISO 8601.") })
        #expect(try fixture.samples("HKQuantityTypeIdentifierBodyMass").map(\.value) == [70, 71])
        #expect(try fixture.run("samples.csv").addedCount == 0)
    }

    /// The machine has another zone than these documents.
    @Test("Without a time zone, days are those of a year’s dates, or the report says in which zone they begin")
    func timeZones() throws {
        func document(_ dates: String...) -> String {
            let data = dates.map { #"{"date": "\#($0)", "qty": 12, "source": "iPhone"}"# }.joined(separator: ",")
            return #"{"data": {"metrics": [{"name": "step_count", "units": "count", "data": [\#(data)]}]}}"#
        }
        let fixture = try ImportFixture()
        try fixture.folder.write(document("2025-12-01 08:00:00 +1345"), as: "a.json")
        let unknown = try fixture.run("a.json", zone: nil)
        #expect(unknown.remarks.count == 1 && unknown.remarks[0].contains("the document’s dates have the offset +1345"))
        #expect(unknown.remarks.allSatisfy { $0.contains("hk profile --time-zone") })
        #expect(try fixture.engine.imports.metadata(ImportHistory.timeZoneKey) == nil)
        // The documents of a folder count together.
        try fixture.folder.write(document("2025-07-01 08:00:00 +1245"), as: "b.json")
        let known = try fixture.run(zone: nil)
        #expect(known.remarks.count == 1 && known.remarks[0].contains("in Pacific/Chatham, the document’s time zone"))
        #expect(try fixture.engine.imports.metadata(ImportHistory.timeZoneKey) == "Pacific/Chatham")
        // A zone that the person has stays.
        try fixture.folder.write(document("2025-12-02 08:00:00 +0900"), as: "c.json")
        #expect(try fixture.run("c.json", zone: nil).remarks == [])
    }

    @Test("A broken document and one of another service are named, and the others are imported")
    func broken() throws {
        let fixture = try ImportFixture()
        try fixture.folder.write(Self.document, as: "a.json")
        try fixture.folder.write(String(Self.document.dropLast(3)), as: "b.json")
        try fixture.folder.write(#"{"data": {"posts": []}}"#, as: "c.json")
        let report = try fixture.run()
        #expect(report.added == [Self.steps: 2])
        #expect(report.unread.flatMap(\.files).sorted() == ["b.json", "c.json"])
        #expect(throws: ImportError.self) { try fixture.run("c.json") }
    }

    @Test("Heart rate notifications say which event they are")
    func notifications() throws {
        let fixture = try ImportFixture()
        let report = try fixture.post(
            #"""
            "heartRateNotifications": [
             {"heartNotification": "low_heart_rate_notification", "threshold": 45, "start": "2025-03-02 06:48:37 +0100",
              "end": "2025-03-02 06:58:37 +0100", "source": {"name": "Watch", "identifier": "com.example.w"},
              "heartRateData": [{"value": 43, "unit": "count/min", "date": 762587317.5}]},
             {"heartNotification": "high_heart_rate_notification", "threshold": 120, "start": "2025-03-02 08:48:37 +0100",
              "end": "2025-03-02 08:58:37 +0100"},
             {"threshold": 45, "start": "2025-03-03 06:48:37 +0100", "end": "2025-03-03 06:58:37 +0100", "heartRate": [],
              "heartRateData": [{"value": 43, "unit": "count/min", "date": 762587317.5}]},
             {"heartNotification": "irregular_rhythm_notification", "start": "2025-03-02 09:48:37 +0100",
              "end": "2025-03-02 10:58:37 +0100"}]
            """#)
        #expect(report.skips == [])
        let low = try fixture.samples("HKCategoryTypeIdentifierLowHeartRateEvent")
        #expect(low.count == 2 && low[0].revision?.source.name == "Watch")
        #expect(low[0].metadata["HKHeartRateEventThreshold"] == .quantity(45, unit: "count/min"))
        #expect(try fixture.samples("HKCategoryTypeIdentifierHighHeartRateEvent").count == 1)
        #expect(try fixture.samples("HKCategoryTypeIdentifierIrregularHeartRhythmEvent").count == 1)
    }

    @Test(
        "A heart rate notification is of the kind that its name says, and of none where that isn’t known",
        arguments: [
            ("highHeartRateNotification", "HighHeartRateEvent"), ("Low Heart Rate", "LowHeartRateEvent"),
            ("lowHeartRateNotification", "LowHeartRateEvent"),
            ("irregularRhythmNotification", "IrregularHeartRhythmEvent"),
            ("HKCategoryTypeIdentifierHighHeartRateEvent", "HighHeartRateEvent"),
            ("HKCategoryTypeIdentifierIrregularHeartRhythmEvent", "IrregularHeartRhythmEvent"),
            ("Hohe Herzfrequenz", nil), ("slow_pulse", nil),
        ])
    func kindsOfNotifications(_ written: String, _ name: String?) throws {
        let fixture = try ImportFixture()
        // A threshold and rates from which another kind could be guessed.
        let report = try fixture.post(
            #"""
            "heartRateNotifications": [
             {"heartNotification": "\#(written)", "start": "2025-03-02 06:48:37 +0100", "end": "2025-03-02 06:58:37 +0100"},
             {"heartNotification": "\#(written)", "threshold": 45, "start": "2025-03-03 06:48:37 +0100",
              "end": "2025-03-03 06:58:37 +0100", "heartRate": [{"hr": 43, "units": "bpm"}]}]
            """#)
        let events = ["HighHeartRateEvent", "LowHeartRateEvent", "IrregularHeartRhythmEvent"]
        for event in events {
            let found = try fixture.samples("HKCategoryTypeIdentifier" + event).count
            #expect(found == (event == name ? 2 : 0), "\(event)")
        }
        #expect(report.skippedCount == (name == nil ? 2 : 0))
        #expect(report.skips.allSatisfy { $0.reason.hasSuffix("It is a heart notification of an unknown kind.") })
    }

    @Test(
        "A night has the sleep and the time in bed that its figures say",
        arguments: [
            // Explicit zeros, except for the time in bed.
            (#""inBed": 8.0, "asleep": 0, "totalSleep": 0, "rem": 0, "core": 0, "deep": 0, "awake": 0"#, 8.0, 0.0),
            // A watch measures no time in bed.
            (#""inBed": 0, "asleep": 0, "totalSleep": 7.5, "rem": 1.5, "core": 5, "deep": 1, "awake": 0.5"#, 0, 7.5),
            (#""awake": 0"#, 8, 8), (#""inBed": 8.0"#, 8, 8),
            // The total is in “asleep”.
            (#""inBed": 8, "asleep": 7, "totalSleep": 0, "rem": 2, "core": 4, "deep": 1, "awake": 1"#, 8, 7),
            (#""inBed": 8, "asleep": 7.5, "rem": 2, "core": 4, "deep": 1, "awake": 0.5"#, 8, 7.5),
            (#""inBed": 8, "asleep": 1, "rem": 2, "core": 4, "deep": 1"#, 8, 8),
        ])
    func nights(_ figures: String, _ inBed: Double, _ asleep: Double) throws {
        let fixture = try ImportFixture()
        let report = try fixture.post(
            #"""
            "metrics": [{"name": "sleep_analysis", "units": "hr", "data": [{"date": "2025-04-02 00:00:00 +0200", \#(figures),
             "inBedStart": "2025-04-01 23:00:00 +0200", "inBedEnd": "2025-04-02 07:00:00 +0200",
             "sleepStart": "2025-04-01 23:00:00 +0200", "sleepEnd": "2025-04-02 07:00:00 +0200", "source": "Phone"}]}]
            """#)
        #expect(report.skips == [])
        func hours(_ values: Set<Double>) throws -> Double {
            try fixture.samples("HKCategoryTypeIdentifierSleepAnalysis").filter { values.contains($0.value) }
                .reduce(0) { $0 + ($1.end - $1.start) / 3_600 }
        }
        #expect(try hours([0]) == inBed && hours([1, 3, 4, 5]) == asleep)
    }

    @Test("The time in bed without dates of its own")
    func nightsWithoutDatesInBed() throws {
        let fixture = try ImportFixture()
        _ = try fixture.post(
            #"""
            "metrics": [{"name": "sleep_analysis", "units": "hr", "data": [{"date": "2025-04-02 00:00:00 +0200", "inBed": 8,
             "totalSleep": 0, "sleepStart": "2025-04-01 23:00:00 +0200", "sleepEnd": "2025-04-02 07:00:00 +0200"}]}]
            """#)
        let night = try fixture.samples("HKCategoryTypeIdentifierSleepAnalysis")
        #expect(night.map(\.value) == [0] && night[0].end - night[0].start == 8 * 3_600)
    }

    @Test(
        "Electrocardiograms with a classification in another language",
        arguments: [
            ("Sinusrhythmus", 1, true), ("Migotanie przedsionków", 2, true), ("Snus Rythm", 100, false),
            // As the app has misspelled it.
            ("atrialFibillation", 2, true), ("Atrial Fibillation", 2, true), ("sinusRhythm", 1, true),
        ])
    func electrocardiograms(_ words: String, _ kind: Int64, _ isKnown: Bool) throws {
        let fixture = try ImportFixture()
        let report = try fixture.post(
            #"""
            "ecg": [{"start": "2026-02-06 09:00:00 +0000", "end": "2026-02-06 09:00:30 +0000", "classification": "\#(words)",
             "samplingFrequency": 512, "voltageMeasurements": [{"voltage": 10, "units": "mcV"}], "source": "Watch"}]
            """#)
        let stored = try #require(try fixture.objects("HKDataTypeIdentifierElectrocardiogram").first)
        guard case .document(let document) = stored.body else { throw ImportError(.unreadable, "no document") }
        #expect(document["classification"] == .integer(kind) && report.skips == [])
        #expect(report.irregularities.isEmpty == isKnown)
    }

    @Test("The effort of a workout is related to it, and replaced when it changes")
    func efforts() throws {
        let fixture = try ImportFixture()
        func post(_ effort: Int) throws -> ImportReport {
            try fixture.post(
                #"""
                "workouts": [{"id": "5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A01", "name": "Outdoor Run", "duration": 180,
                 "start": "2026-02-06 07:00:00 +0000", "end": "2026-02-06 07:03:00 +0000",
                 "workoutEffortScore": {"qty": \#(effort), "units": "score"}}]
                """#)
        }
        let type = "HKQuantityTypeIdentifierWorkoutEffortScore"
        #expect(try post(7).added[type] == 1)
        #expect(try post(7).addedCount == 0)
        #expect(try fixture.samples(type).map(\.value) == [7])
        let relation = try #require(try fixture.engine.workoutEffort.relations(after: 0).relations.first)
        #expect(relation.samples == (try fixture.samples(type)).compactMap(\.uuid))
        #expect(relation.workout.uuidString == "5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A01")
        _ = try post(8)
        #expect(try fixture.samples(type).map(\.value) == [8])
    }
}
