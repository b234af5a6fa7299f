import Foundation
import HealthFiles
import HealthModel
import Testing

@testable import HealthDevices

@Suite("Tables as programs of the world write them")
struct ColumnTableTests {
    private static let moment = "2024-05-01T07:00:00Z"
    private static let weights = #"""
        {"time": "when", "samples": [{"type": "bodyMass", "column": "weight", "unit": "kg"}]}
        """#
    private static let stored = ["BodyMass 80.5 kg \(moment)", "BodyMass 81 kg 2024-05-02T07:00:00Z"]

    private static func table(_ description: String, _ text: String, _ mapping: String = weights) -> ImportCase {
        ImportCase(description, "data.csv", text, zone: "UTC", columns: mapping, stored)
    }

    static let forms: [ImportCase] = [
        table("commas", "when,weight\n2024-05-01 07:00,80.5\n2024-05-02 07:00,81\n"),
        table("no line end at the end", "when,weight\n2024-05-01 07:00,80.5\n2024-05-02 07:00,81"),
        table("line ends of Windows", "when,weight\r\n2024-05-01 07:00,80.5\r\n2024-05-02 07:00,81\r\n"),
        table("line ends of old Macs", "when,weight\r2024-05-01 07:00,80.5\r2024-05-02 07:00,81\r"),
        table("semicolons and decimal commas", "when;weight\n2024-05-01 07:00;80,5\n2024-05-02 07:00;81,0\n"),
        table("tabs", "when\tweight\n2024-05-01 07:00\t80.5\n2024-05-02 07:00\t81\n"),
        table("bars", "when|weight\n2024-05-01 07:00|80.5\n2024-05-02 07:00|81\n"),
        table("a separator that is named", "sep=;\nwhen;weight\n2024-05-01 07:00;80,5\n2024-05-02 07:00;81\n"),
        table("a byte order mark", "\u{FEFF}when,weight\n2024-05-01 07:00,80.5\n2024-05-02 07:00,81\n"),
        table("quotation marks", "\"when\",\"weight\"\n\"2024-05-01 07:00\",\"80.5\"\n\"2024-05-02 07:00\",\"81\"\n"),
        table("spaces", " when , weight \n 2024-05-01 07:00 , 80.5 \n2024-05-02 07:00,  81\n"),
        table("blank lines", "when,weight\n\n2024-05-01 07:00,80.5\n\n\n2024-05-02 07:00,81\n\n"),
        table("capital letters in the header", "When,WEIGHT\n2024-05-01 07:00,80.5\n2024-05-02 07:00,81\n"),
        table(
            "a decimal comma in quotation marks", "when,weight\n2024-05-01 07:00,\"80,5\"\n2024-05-02 07:00,\"81,0\"\n",
            #"{"decimal": ",", "time": "when", "samples": [{"type": "bodyMass", "column": "weight", "unit": "kg"}]}"#),
        table(
            "grams with grouped thousands", "when,weight\n2024-05-01 07:00,\"80,500\"\n2024-05-02 07:00,\"81,000.0\"\n",
            #"{"time": "when", "samples": [{"type": "bodyMass", "column": "weight", "unit": "kg", "factor": 0.001}]}"#),
        table(
            "Swiss thousands", "when;weight\n2024-05-01 07:00;80’500\n2024-05-02 07:00;81'000,0\n",
            #"{"time": "when", "samples": [{"type": "bodyMass", "column": "weight", "unit": "kg", "factor": 0.001}]}"#),
        table(
            "no header", "2024-05-01 07:00,80.5\n2024-05-02 07:00,81\n",
            #"{"header": 0, "time": {"column": 1}, "samples": [{"type": "bodyMass", "column": 2, "unit": "kg"}]}"#),
        table(
            "a header on the third line",
            "Export,of\nsomething\nwhen,weight\n2024-05-01 07:00,80.5\n2024-05-02 07:00,81\n",
            #"{"header": 3, "time": "when", "samples": [{"type": "bodyMass", "column": "weight", "unit": "kg"}]}"#),
        table(
            "a unit by row", "when,weight,unit\n2024-05-01 07:00,80.5,kg\n2024-05-02 07:00,81,Kilograms\n",
            #"{"time": "when", "samples": [{"type": "bodyMass", "column": "weight", "unit": {"column": "unit"}}]}"#),
        table(
            "a zone by row", "when,zone,weight\n2024-05-01 09:00,+02:00,80.5\n2024-05-02 03:00,America/New_York,81\n",
            #"""
            {"time": {"column": "when", "zone": {"column": "zone"}},
             "samples": [{"type": "bodyMass", "column": "weight", "unit": "kg"}]}
            """#),
        table(
            "several formats of dates", "when,weight\n01.05.2024 07:00,80.5\n05/02/2024 7:00 AM,81\n",
            #"""
            {"time": {"column": "when", "format": ["dd.MM.yyyy HH:mm", "MM/dd/yyyy h:mm a"]},
             "samples": [{"type": "bodyMass", "column": "weight", "unit": "kg"}]}
            """#),
        table(
            "seconds since 1970", "when,weight\n1714546800,80.5\n1714633200,81\n",
            #"""
            {"time": {"column": "when", "format": "seconds"},
             "samples": [{"type": "bodyMass", "column": "weight", "unit": "kg"}]}
            """#),
        table(
            "a name of several", "when,Gewicht\n2024-05-01 07:00,80.5\n2024-05-02 07:00,81\n",
            #"{"time": "when", "samples": [{"type": "bodyMass", "column": ["weight", "gewicht"], "unit": "kg"}]}"#),
        table(
            "a member of JSON in a cell",
            "when,data\n2024-05-01 07:00,\"{\"\"kg\"\": 80.5}\"\n2024-05-02 07:00,\"{\"\"kg\"\": \"\"81\"\"}\"\n",
            #"{"time": "when", "samples": [{"type": "bodyMass", "column": "data", "member": "kg", "unit": "kg"}]}"#),
    ]

    @Test("The same weights in any form", arguments: forms)
    func form(row: ImportCase) throws { try row.check() }

    @Test("Text in UTF-16 and in the code page of Windows")
    func encodings() throws {
        let text = "größe;when\n1,8;2024-05-01 07:00\n"
        let mapping = #"{"time": "when", "samples": [{"type": "height", "column": "größe", "unit": "m"}]}"#
        var (little, big): ([UInt8], [UInt8]) = ([0xFF, 0xFE], [0xFE, 0xFF])
        for unit in text.utf16 {
            little += [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            big += [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        }
        let windows = text.unicodeScalars.map { UInt8($0.value) }
        for bytes in [little, big, windows] {
            let folder = try ArchiveFolder(["data.csv": bytes])
            defer { folder.remove() }
            _ = try folder.importing(columns: mapping, zone: "UTC")
            #expect(try folder.contents() == ["Height 1.8 m \(Self.moment)"])
        }
    }

    // MARK: - Numbers, units and lengths

    @Test(
        "Units as people write them",
        arguments: [
            ("bodyMass", "lb", "BodyMass 2.5 lb"), ("bodyMass", "pounds", "BodyMass 2.5 lb"),
            ("bodyMass", "g", "BodyMass 2.5 g"), ("bodyMass", "st", "BodyMass 2.5 st"),
            ("height", "cm", "Height 2.5 cm"), ("height", "ft", "Height 2.5 ft"), ("height", "inches", "Height 2.5 in"),
            ("bloodGlucose", "mg/dL", "BloodGlucose 2.5 mg/dL"),
            ("bloodGlucose", "mmol/L", "BloodGlucose 2.5 mmol<180.1558800000541>/L"),
            ("bodyTemperature", "°F", "BodyTemperature 2.5 degF"),
            ("bodyTemperature", "°C", "BodyTemperature 2.5 degC"),
            ("activeEnergyBurned", "kJ", "ActiveEnergyBurned 2.5 kJ"),
            ("oxygenSaturation", "%", "OxygenSaturation 0.025 %"), ("heartRate", "bpm", "HeartRate 2.5 count/min"),
            ("distanceCycling", "km", "DistanceCycling 2.5 km"), ("distanceCycling", "mi", "DistanceCycling 2.5 mi"),
            ("dietaryWater", "mL", "DietaryWater 2.5 mL"), ("dietaryWater", "fl_oz_us", "DietaryWater 2.5 fl_oz_us"),
        ])
    func units(type: String, unit: String, stored: String) throws {
        try ImportCase(
            unit, "data.csv", "when,value\n2024-05-01 07:00,2.5\n", zone: "UTC",
            columns: #"{"time": "when", "samples": [{"type": "\#(type)", "column": "value", "unit": "\#(unit)"}]}"#,
            ["\(stored) \(Self.moment)"]
        ).check()
    }

    @Test(
        "What isn’t a number is reported, and what is empty isn’t",
        arguments: [
            ("", false), ("-", false), ("n/a", false), ("NaN", false), ("null", false), ("eighty", true),
            ("80.5kg", true),
            ("80,5", true), ("1e400", true), ("∞", true), ("0x50", true), ("8 0", false), ("--5", true),
        ])
    func cells(cell: String, isReported: Bool) throws {
        let folder = try ArchiveFolder(["data.csv": Array("when,weight\n2024-05-01 07:00,\"\(cell)\"\n".utf8)])
        defer { folder.remove() }
        let report = try #require(try folder.importing(columns: Self.weights))
        #expect(report.skips.map(\.line) == (isReported ? [2] : []))
        // Spaces group thousands.
        #expect(report.addedCount == (cell == "8 0" ? 1 : 0))
    }

    /// The length, its unit, and the seconds from seven o'clock in Berlin on, in the night in which the clocks change.
    static let lengths: [(date: String, length: String, unit: String, seconds: Int)] = [
        ("2024-05-01 07:00", "90", "s", 90), ("2024-05-01 07:00", "1.5", "min", 90),
        ("2024-05-01 07:00", "1.5", "h", 5_400), ("2024-05-01 07:00", "1", "d", 86_400),
        ("2024-05-01 07:00", "1:30", "min", 90), ("2024-05-01 07:00", "1:30", "h", 5_400),
        ("2024-05-01 07:00", "1:00:01", "s", 3_601), ("2024-05-01 07:00", "1500", "ms", 1),
        ("2024-03-30 12:00", "1", "d", 82_800), ("2024-10-26 12:00", "1", "d", 90_000),
        // Hours are hours, whatever the clocks show.
        ("2024-03-30 12:00", "24", "h", 86_400), ("2024-10-26 12:00", "24", "h", 86_400),
    ]

    @Test("Lengths of time", arguments: lengths)
    func length(date: String, length: String, unit: String, seconds: Int) throws {
        let folder = try ArchiveFolder(["data.csv": Array("when,long,steps\n\(date),\(length),5\n".utf8)])
        defer { folder.remove() }
        let report = try folder.importing(
            columns: #"""
                {"time": "when", "duration": {"column": "long", "unit": "\#(unit)"},
                 "samples": [{"type": "stepCount", "column": "steps"}]}
                """#)
        #expect(report?.skips == [])
        let samples = try folder.samples("StepCount")
        #expect(samples.map { Int($0.end - $0.start) } == [seconds])
    }

    /// A local time in Berlin, and the instant.
    @Test(
        "Local times when clocks change",
        arguments: [
            ("2024-03-31 01:59:59", "2024-03-31T00:59:59Z"), ("2024-03-31 02:30", "2024-03-31T01:30:00Z"),
            ("2024-03-31 03:00", "2024-03-31T01:00:00Z"), ("2024-10-27 01:59", "2024-10-26T23:59:00Z"),
            ("2024-10-27 02:30", "2024-10-27T00:30:00Z"), ("2024-10-27 03:00", "2024-10-27T02:00:00Z"),
            ("2024-10-27 02:30+01:00", "2024-10-27T01:30:00Z"), ("2024-02-29", "2024-02-28T23:00:00Z"),
        ])
    func clocks(local: String, instant: String) throws {
        try ImportCase(
            local, "data.csv", "when,weight\n\(local),80.5\n", columns: Self.weights, ["BodyMass 80.5 kg \(instant)"]
        ).check()
    }

    @Test(
        "The hour that occurs twice, in rows of either order",
        arguments: [
            ("Europe/Berlin", 5, false), ("Europe/Berlin", 5, true), ("Europe/Berlin", 30, false),
            ("Europe/Berlin", 30, true), ("Australia/Lord_Howe", 15, false), ("Australia/Lord_Howe", 15, true),
        ])
    func repeatedHour(zone: String, minutes: Int, isDescending: Bool) throws {
        let clock = LocalClock(timeZone: try #require(TimeZone(identifier: zone)))
        // Clocks are set back at 01:00 UTC, and in Australia at 15:00 UTC.
        let change = try #require(
            clock.instant(of: zone == "Europe/Berlin" ? "2024-10-27T01:00:00Z" : "2024-04-06T15:00:00Z"))
        var instants = stride(from: -7_200.0, to: 7_200, by: Double(minutes * 60)).map { change + $0 }
        if isDescending { instants.reverse() }
        let lines = instants.enumerated().map { "\(clock.text($1).prefix(16)),\(50 + $0)" }
        #expect(Set(lines.map { $0.prefix(16) }).count < lines.count)
        try ImportCase(
            "twice", "data.csv", "when,weight\n" + lines.joined(separator: "\n") + "\n", zone: zone,
            columns: Self.weights,
            instants.enumerated().map {
                "BodyMass \(50 + $0) kg \(LocalClock(timeZone: .gmt).text($1).replacing("+00:00", with: "Z"))"
            }
        ).check()
    }

    @Test("A sample that lasts into the second occurrence of an hour, and times with offsets in it")
    func repeatedEnd() throws {
        try ImportCase(
            "end", "data.csv",
            "from,to,steps\n2024-10-27 02:50,2024-10-27 02:10,5\n2024-10-27 02:20,2024-10-27 02:40,6\n"
                + "2024-10-27 02:45+02:00,2024-10-27 02:55+02:00,7\n",
            columns: #"{"time": "from", "end": "to", "samples": [{"type": "stepCount", "column": "steps"}]}"#,
            [
                "StepCount 5 count 2024-10-27T00:50:00Z +1200", "StepCount 6 count 2024-10-27T01:20:00Z +1200",
                "StepCount 7 count 2024-10-27T00:45:00Z +600",
            ]
        ).check()
    }

    // MARK: - Sports

    @Test(
        "Sports by their names in other languages",
        arguments: [
            ("Lauf", 37), ("Course à pied", 37), ("Hardloopsessie", 37), ("Carrera", 37), ("Corsa", 37), ("ラン", 37),
            ("Radfahrt", 13), ("Sortie à vélo", 13), ("Fietsrit", 13), ("骑行", 13), ("E-Bike-Fahrt", 13),
            ("Schwimmen", 46), ("Natation", 46), ("Spaziergang", 52), ("Wanderung", 24), ("Randonnée", 24),
            ("Ski alpin", 61), ("Skilanglauf", 60), ("Snowboarden", 67), ("Rudern", 35), ("Yoga", 57),
            ("Krafttraining", 50),
            ("Klettern", 9), ("Tennis", 48), ("Pilates", 66), ("HIIT", 63), ("Golf", 21), ("Fußball", 41),
            ("eine neue Sportart", 3_000), ("", 3_000),
        ])
    func sport(name: String, activity: UInt) {
        #expect(SportNames.track(called: name).activity == activity)
        #expect(SportNames.track(called: name.uppercased()).activity == activity || name == "Fußball")
    }
}
