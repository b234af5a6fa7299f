import ArchiveTestSupport
import Foundation
import HealthFiles
import HealthModel
import Testing

@testable import HealthDevices

@Suite("Any CSV file by a mapping of its columns")
struct ColumnMappingTests {
    /// 2024-05-01 00:00:00 in Berlin.
    private static let midnight = 736_207_200.0

    private static let glucose = """
        {"format": "OpenHealthKit columns", "source": "Libre", "device": {"manufacturer": "Abbott"}, "header": 2,
         "time": {"column": "Gerätezeitstempel", "format": "dd-MM-yyyy HH:mm", "zone": "Europe/Berlin"}, "decimal": ",",
         "samples": [
          {"type": "blood sugar", "column": "Glukosewert-Verlauf mg/dL", "unit": "mg/dL", "where": {"Aufzeichnungstyp": "0"}},
          {"type": "insulinDelivery", "column": "Insulin (Einheiten)", "unit": "units",
           "where": {"Aufzeichnungstyp": ["4", "5"]}, "metadata": {"HKInsulinDeliveryReason": 2}}],
         "leftOut": {"note": "Notizen"}}
        """

    private static let readings = """
        Glukose-Werte;Erstellt am
        Gerät;Gerätezeitstempel;Aufzeichnungstyp;Glukosewert-Verlauf mg/dL;Insulin (Einheiten);Notizen
        x;01-05-2024 08:00;0;105;;
        x;01-05-2024 08:15;0;110,5;;lunch
        x;01-05-2024 08:16;4;;3,5;
        x;01-05-2024 08:17;6;;;
        """

    @Test(
        "Values, units, conditions, constants, dates of a country, a decimal comma and a title line; again adds nothing"
    )
    func mapping() throws {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        let path = try folder.write(Array(Self.readings.utf8), "data.csv")
        let report = try #require(try folder.importing(path, columns: Self.glucose))
        #expect(report.skips.map(\.reason) == [])
        let glucose = try folder.samples("BloodGlucose")
        #expect(glucose.map(\.value) == [105, 110.5])
        #expect(glucose.map { $0.start - Self.midnight } == [28_800, 29_700])
        #expect(try folder.samples("InsulinDelivery").map(\.value) == [3.5])
        #expect(report.irregularities["note, left out"] == 1)
        #expect(report.irregularities["column that the mapping doesn't name, left out"] == 1)
        #expect(try folder.importing(path, columns: Self.glucose)?.addedCount == 0)
        #expect(try folder.samples("BloodGlucose").count == 2)
    }

    @Test("A mapping beside the files in a folder or zip file is recognized, so that the page needs no option")
    func beside() throws {
        let files = ["a/data.csv": Array(Self.readings.utf8), "a/columns.json": Array(Self.glucose.utf8)]
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        let path = try folder.write(ArchiveFolder.zipped(files), "both.zip")
        #expect(try folder.importing(path)?.added["HKQuantityTypeIdentifierBloodGlucose"] == 2)
        for (name, bytes) in files { try folder.write(bytes, "open/" + name) }
        let again = try #require(try folder.importing(folder.url.path + "/open"))
        #expect(again.addedCount == 0 && again.alreadyThereCount == 3)
    }

    @Test(
        "Objects of a JSON file are rows, by an option or a mapping beside the file", arguments: ["rows", "elements"])
    func objects(member: String) throws {
        let text =
            #"{"user": "x", "data": {"nights": [{"day": "2024-05-01", "weight": {"value": 72.5}}, {"day": "2024-05-02"}]}}"#
        let mapping = #"""
            {"format": "OpenHealthKit columns", "source": "App", "files": "export*.json", "\#(member)": "data.nights", "time": "day",
             "samples": [{"type": "bodyMass", "column": "weight.value", "unit": "kg"}]}
            """#
        for isBeside in [false, true] {
            let folder = try ArchiveFolder()
            defer { folder.remove() }
            let path = try folder.write(Array(text.utf8), "files/export-1.json")
            if isBeside { try folder.write(Array(mapping.utf8), "files/mapping.json") }
            let report = try folder.importing(
                isBeside ? folder.url.path + "/files" : path, columns: isBeside ? nil : mapping)
            #expect(report?.skips == [] && report?.unread == [])
            #expect(try folder.contents() == ["BodyMass 72.5 kg 2024-04-30T22:00:00Z"], "beside: \(isBeside)")
        }
    }

    private func importing(_ csv: String, _ mapping: String) throws -> (ArchiveFolder, ImportReport) {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        let path = try folder.write(Array(csv.utf8), "data.csv")
        return (folder, try #require(try folder.importing(path, columns: mapping)))
    }

    @Test(
        "One date proves the order of day and month for the beginnings and ends of all rows",
        arguments: [(header: 1, names: [#""Start""#, #""End""#, #""Steps""#]), (header: 0, names: ["1", "2", "3"])],
        [false, true])
    func dateOrder(table: (header: Int, names: [String]), isOfSample: Bool) throws {
        let times = zip(["time", "end"], table.names).map { name, column in
            #""\#(name)": {"column": \#(column), "format": ["dd/MM/yyyy HH:mm", "MM/dd/yyyy HH:mm"]}"#
        }
        let (folder, report) = try importing(
            (table.header == 1 ? "Start,End,Steps\n" : "") + """
                02/03/2024 10:00,02/03/2024 10:01,20
                03/02/2024 10:00,03/02/2024 10:01,30
                01/31/2024 10:00,01/31/2024 10:01,10

                """,
            """
            {"header": \(table.header), \(times[0]), \(isOfSample ? "" : times[1] + ",")
             "samples": [{"type": "stepCount", \(isOfSample ? times[1] + "," : "") "column": \(table.names[2])}]}
            """)
        #expect(report.skips == [] && report.unread == [])
        #expect(
            try folder.contents() == [
                "StepCount 10 count 2024-01-31T09:00:00Z +60", "StepCount 20 count 2024-02-03T09:00:00Z +60",
                "StepCount 30 count 2024-03-02T09:00:00Z +60",
            ])
    }

    @Test("Sleep stages by words, ends and lengths, two columns of a time, a zone by row, categories and totals")
    func kinds() throws {
        let (sleep, _) = try importing(
            """
            Tag,Von,Dauer,Phase,Zone
            2024-05-01,23:00,1:30:00,Leicht,Europe/Berlin
            2024-05-02,00:30,0:45:00,TIEF,+02:00
            """,
            """
            {"source": "Ring", "time": {"columns": ["Tag", "Von"], "zone": {"column": "Zone"}},
             "duration": {"column": "Dauer"},
             "samples": [{"type": "sleep", "column": "Phase", "values": {"Leicht": "asleepCore", "tief": 4}}]}
            """)
        let stages = try sleep.samples("SleepAnalysis")
        #expect(stages.map(\.value) == [3, 4])
        #expect(stages.map { $0.end - $0.start } == [5_400, 2_700] && stages[0].end == stages[1].start)

        let (body, _) = try importing(
            "when,oberer,unterer,fat,weight,steps\n1714514400,120,80,20,100,5000\n",
            """
            {"time": {"column": "when", "format": "seconds"}, "samples": [
             {"type": "bloodPressure", "systolic": "oberer", "diastolic": {"column": "unterer", "unit": "mmHg"}},
             {"type": "bodyFatPercentage", "column": "fat", "divideBy": "weight", "factor": 100},
             {"type": "bodyMass", "column": "weight", "unit": "lb"},
             {"type": "mindfulSession", "duration": {"value": 10, "unit": "min"}},
             {"type": "stepCount", "column": "steps", "duration": {"value": 1, "unit": "d"}}]}
            """)
        #expect(try body.samples("BodyFatPercentage").map(\.value) == [0.2])
        #expect(try body.samples("BloodPressureSystolic").map(\.value) == [120])
        #expect(try body.samples("BodyMass").map(\.value) == [100])
        #expect(try body.samples("MindfulSession").map { $0.end - $0.start } == [600])
        let steps = try #require(try body.samples("StepCount").first)
        #expect(steps.start == Self.midnight && steps.end == Self.midnight + 86_400)

        let (workout, report) = try importing(
            "3/31/24;7:30 PM;Bike;45;12,5;1\n3/32/24;7:30 PM;Bike;45;12,5;1\nx;x;x;x;x;0\n",
            """
            {"separator": ";", "header": 0, "decimal": ",", "except": [{"column": 6, "is": "0"}],
             "time": {"column": 1, "format": "M/d/yy"}, "duration": {"column": 4, "unit": "min"},
             "samples": [{"type": "workout", "activity": {"column": 3}, "activities": {"bike": "cycling"},
              "distance": {"column": 5, "unit": "km"}, "energy": 300}]}
            """)
        let found = try #require(try workout.workouts().first)
        guard case .workout(let ride) = found.body else { return }
        #expect(ride.activityType == 13 && ride.duration == 2_700)
        #expect(ride.totalDistance == QuantityRecord(12_500, unit: "m") && ride.totalEnergyBurned?.value == 300)
        #expect(report.skips.map(\.line) == [2])
        #expect(report.irregularities["row that the mapping excludes, left out"] == 1)
    }

    @Test("Activities are recognized by their names in several languages")
    func sports() throws {
        let (folder, _) = try importing(
            "2024-05-01T08:00:00Z,Laufen,5\n2024-05-02T08:00:00Z,Vélo virtuel,20\n",
            """
            {"header": 0, "time": {"column": 1}, "duration": {"value": 1, "unit": "h"},
             "samples": [{"type": "workout", "activity": {"column": 2}, "distance": {"column": 3, "unit": "km"}}]}
            """)
        let workouts = try folder.workouts().compactMap { if case .workout(let body) = $0.body { body } else { nil } }
        #expect(workouts.map(\.activityType) == [37, 13])
        #expect(workouts.map { $0.totalDistance?.value } == [5_000, 20_000])
    }

    @Test(
        "Without a decimal separator in the mapping, it is a comma where semicolons separate",
        arguments: [("when;weight\n2024-05-01;80,125\n", 80.125), ("when,weight\n2024-05-01,\"1,080.5\"\n", 1_080.5)])
    func decimals(csv: String, weight: Double) throws {
        let (folder, report) = try importing(
            csv, #"{"time": "when", "samples": [{"type": "bodyMass", "column": "weight", "unit": "kg"}]}"#)
        #expect(report.skips == [])
        #expect(try folder.samples("BodyMass").map(\.value) == [weight])
    }

    @Test("A length of time in the mapping has a decimal point, whatever the table has")
    func lengths() throws {
        let (folder, report) = try importing(
            "when;steps\n2024-05-01 08:00;12,5\n",
            """
            {"decimal": ",", "time": "when", "duration": {"value": 1.5, "unit": "min"},
             "samples": [{"type": "stepCount", "column": "steps"}]}
            """)
        #expect(report.skips == [])
        #expect(try folder.samples("StepCount").map { $0.end - $0.start } == [90])
    }

    @Test("A length such as 45:30 is of the unit and the next smaller one, and without a unit refused")
    func colons() throws {
        func importing(_ unit: String) throws -> (ArchiveFolder, ImportReport) {
            try self.importing(
                "when,sport,time\n2024-05-01 08:00,run,45:30\n2024-05-02 08:00,run,1:02:30\n",
                """
                {"time": "when", "duration": {"column": "time"\(unit)}, "samples": [
                 {"type": "appleExerciseTime", "column": "time", "unit": "min"},
                 {"type": "workout", "activity": "running", "activeTime": {"column": "time"\(unit)}}]}
                """)
        }
        let (folder, report) = try importing(#", "unit": "min""#)
        #expect(report.skips == [])
        #expect(try folder.samples("AppleExerciseTime").map(\.value) == [45.5, 62.5])
        #expect(try folder.workouts().map { $0.end - $0.start } == [2_730, 3_750])
        let (other, refusals) = try importing("")
        #expect(refusals.skips.map(\.line) == [2] && refusals.skips.allSatisfy { $0.reason.contains("h or min") })
        #expect(try other.workouts().map { $0.end - $0.start } == [3_750])
    }

    @Test("A row that can’t be read is reported with its line and column, and without what it has")
    func rows() throws {
        let (folder, report) = try importing(
            """
            time,weight,unit,end
            2024-05-01 08:00,70.5,kg,2024-05-01 08:00
            soon,70.6,kg,2024-05-01 08:00
            2024-05-01 08:01,seventy,kg,2024-05-01 08:01
            2024-05-01 08:02,70.7,miles,2024-05-01 08:02
            2024-05-01 08:03,70.8,kg,2024-05-01 07:00
            2024-05-01 08:04,,kg,2024-05-01 08:04
            2024-05-01 08:05,70.9
            """,
            """
            {"time": "time", "end": "end",
             "samples": [{"type": "bodyMass", "column": "weight", "unit": {"column": "unit"}}]}
            """)
        #expect(try folder.samples("BodyMass").map(\.value) == [70.5])
        #expect(report.skips.map(\.line) == [3, 4, 5, 6, 8])
        #expect(report.skippedCount == 5)
        let reasons = report.skips.map(\.reason)
        for (reason, column) in zip(reasons, ["time", "weight", "unit", "end", "end"]) {
            #expect(reason.contains("“\(column)”"), "\(reason)")
        }
        for text in ["soon", "seventy", "miles", "70.", "2024-05-01 08"] { #expect(!reasons.joined().contains(text)) }
    }

    @Test(
        "Mistakes in a mapping name the member and what is required",
        arguments: [
            (#"{"#, "JSON"), (#"{"samples": []}"#, "“samples”"),
            (#"{"time": "a", "samples": [{"type": "wheight", "column": "a"}]}"#, "samples[0].type"),
            (#"{"time": "a", "samples": [{"type": "bodyMass", "column": "a", "unit": "km"}]}"#, "samples[0].unit"),
            (#"{"time": "a", "samples": [{"type": "bodyMass"}]}"#, "“column”"),
            (#"{"samples": [{"type": "bodyMass", "column": "a"}]}"#, "“time”"),
            (#"{"time": "a", "samples": [{"type": "bodyMass", "column": "b"}]}"#, "no column “b”"),
            (#"{"time": "a", "smaples": [], "samples": [{"type": "bodyMass", "column": "a"}]}"#, "smaples"),
            (
                #"{"time": {"column": "a", "format": "DD.MM"}, "samples": [{"type": "bodyMass", "column": "a"}]}"#,
                "format"
            ),
            (#"{"time": {"column": "a", "zone": "Berlin"}, "samples": [{"type": "bodyMass", "column": "a"}]}"#, "zone"),
            (
                #"{"time": "a", "samples": [{"type": "sleepAnalysis", "column": "a", "values": {"x": "asleepDeeply"}}]}"#,
                "asleepdeep"
            ),
            (#"{"time": "a", "samples": [{"type": "electrocardiogram", "column": "a"}]}"#, "samples[0].type"),
            (#"{"decimal": ";", "time": "a", "samples": [{"type": "bodyMass", "column": "a"}]}"#, "decimal"),
        ])
    func mistakes(mapping: String, part: String) throws {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        let path = try folder.write(Array("a\n1\n".utf8), "data.csv")
        let error = #expect(throws: ImportError.self) { try folder.importing(path, columns: mapping) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }

    @Test("Without CSV files at the path, a mapping is an error; without one, other CSV files are, too")
    func claims() throws {
        let folder = try ArchiveFolder(["run.fit": FITFileWriter.run.file()])
        defer { folder.remove() }
        #expect(throws: ImportError.self) { try folder.importing(columns: Self.glucose) }
        let other = try folder.write(Array("Date,Weight (kg)\n2024-05-01,70\n".utf8), "other.csv")
        #expect(throws: ImportError.self) { try folder.importing(other) }
        let name = try folder.write(Array("a,b\n\"open".utf8), "broken.csv")
        #expect(throws: ImportError.self) { try folder.importing(name) }
    }
}
