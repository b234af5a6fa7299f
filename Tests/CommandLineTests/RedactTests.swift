import Foundation
import Testing

@Suite("hk redact")
struct RedactTests {
    private let scratch = Scratch()

    /// Texts of the archive below that no copy may have.
    private static let secrets = [
        "Xanthippe", "Quetzal", "Zaunkoenig", "Wermut", "sync-zebra", "5D0F9B0A-52C1-4F0C-9E57-3B0C6A2F7E11", "Berlin",
        "Watch6,7", "iPhone15,2", "Balthasar", "52.516", "13.377", "2019-07-2", "1961-03",
        "Female", "route_2019", "Frieda’s note", "1563768300",
    ]

    private static let route = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Apple Health Export" xmlns="http://www.topografix.com/GPX/1/1">
          <trk>
            <name>Route 2019-07-22 6:05am</name>
            <trkseg>
              <trkpt lon="13.377704" lat="52.516275"><ele>34.5</ele><time>2019-07-22T04:05:00Z</time><extensions><speed>3</speed><course>90</course><hAcc>4</hAcc><vAcc>4</vAcc></extensions></trkpt>
              <trkpt lon="13.379704" lat="52.516975"><ele>36.5</ele><time>2019-07-22T04:06:00Z</time><extensions><speed>3</speed><course>90</course><hAcc>4</hAcc><vAcc>4</vAcc></extensions></trkpt>
            </trkseg>
          </trk>
        </gpx>

        """

    private static let export = """
        <?xml version="1.0" encoding="UTF-8"?>
        <HealthData locale="de_DE">
         <ExportDate value="2019-07-24 12:00:00 +0200"/>
         <Me HKCharacteristicTypeIdentifierDateOfBirth="1961-03-17" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>
         <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Xanthippe’s iPhone" sourceVersion="17.3" device="&lt;&lt;HKDevice: 0x1&gt;, name:iPhone of Balthasar, manufacturer:Apple Inc., model:iPhone, hardware:iPhone15,2, software:17.3&gt;" unit="count" creationDate="2019-07-22 06:10:00 +0200" startDate="2019-07-22 06:05:00 +0200" endDate="2019-07-22 06:10:00 +0200" value="731">
          <MetadataEntry key="com.example.Quetzal" value="Zaunkoenig"/>
          <MetadataEntry key="HKMetadataKeySyncIdentifier" value="sync-zebra"/>
          <MetadataEntry key="HKMetadataKeySyncVersion" value="1563768300"/>
          <MetadataEntry key="HKTimeZone" value="Europe/Berlin"/>
         </Record>
         <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Xanthippe’s Watch" sourceVersion="10.1" device="&lt;&lt;HKDevice: 0x2&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,7, software:10.1&gt;" unit="count/min" creationDate="2019-07-22 06:06:00 +0200" startDate="2019-07-22 06:06:00 +0200" endDate="2019-07-22 06:06:00 +0200" value="91"/>
         <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Quetzal Scale" unit="kg" creationDate="2019-07-23 06:06:00 +0200" startDate="2019-07-23 06:06:00 +0200" endDate="2019-07-23 06:06:00 +0200" value="71.4">
          <MetadataEntry key="Frieda’s note" value="Wermut"/>
         </Record>
         <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="20" durationUnit="min" totalEnergyBurned="251.5" totalEnergyBurnedUnit="kcal" sourceName="Xanthippe’s Watch" sourceVersion="10.1" creationDate="2019-07-22 06:30:00 +0200" startDate="2019-07-22 06:05:00 +0200" endDate="2019-07-22 06:25:00 +0200">
          <MetadataEntry key="HKTimeZone" value="Europe/Berlin"/>
          <WorkoutActivity uuid="5D0F9B0A-52C1-4F0C-9E57-3B0C6A2F7E11" startDate="2019-07-22 06:05:00 +0200" endDate="2019-07-22 06:25:00 +0200" duration="20" durationUnit="min"/>
          <WorkoutRoute sourceName="Xanthippe’s Watch" sourceVersion="10.1" creationDate="2019-07-22 06:30:00 +0200" startDate="2019-07-22 06:05:00 +0200" endDate="2019-07-22 06:06:00 +0200">
           <FileReference path="/workout-routes/route_2019-07-22_6.05am.gpx"/>
          </WorkoutRoute>
         </Workout>
        </HealthData>

        """

    /// A folder as an unpacked export.
    private func original() throws -> URL {
        let folder = scratch.file("original/apple_health_export")
        let routes = folder.appendingPathComponent("workout-routes")
        try FileManager.default.createDirectory(at: routes, withIntermediateDirectories: true)
        try Data(Self.export.utf8).write(to: folder.appendingPathComponent("export.xml"))
        try Data(Self.route.utf8).write(to: routes.appendingPathComponent("route_2019-07-22_6.05am.gpx"))
        return scratch.file("original")
    }

    private func redact(_ from: URL, _ to: String, _ options: [String] = []) throws -> CommandRun {
        try CommandRun(["redact", from.path, scratch.file(to).path] + options, store: scratch.store)
    }

    /// All bytes of a file, or of the files in a folder, and their names.
    private func bytes(_ url: URL) throws -> Data {
        guard let names = FileManager.default.enumerator(atPath: url.path) else { return try Data(contentsOf: url) }
        var all = Data()
        for case let name as String in names {
            all += Data(name.utf8)
            all += (try? Data(contentsOf: url.appendingPathComponent(name))) ?? Data()
        }
        return all.isEmpty ? try Data(contentsOf: url) : all
    }

    private func expectNoSecrets(_ data: Data, _ place: String) {
        #expect(!data.isEmpty)
        for secret in Self.secrets { #expect(data.range(of: Data(secret.utf8)) == nil, "“\(secret)” is in \(place)") }
        let identity = UUID(uuidString: "5D0F9B0A-52C1-4F0C-9E57-3B0C6A2F7E11")!
        #expect(data.range(of: withUnsafeBytes(of: identity.uuid) { Data($0) }) == nil, "the UUID is in \(place)")
        for coordinate in [13.377704, 52.516275, 13.379704, 52.516975] {
            for pattern in [coordinate.bitPattern.littleEndian, coordinate.bitPattern.bigEndian] {
                #expect(
                    data.range(of: withUnsafeBytes(of: pattern) { Data($0) }) == nil, "\(coordinate) is in \(place)")
            }
        }
    }

    @Test("Nothing that identifies the person is in a copy of an archive or a store, in any form")
    func secrets() throws {
        let archive = try original()
        let found = try bytes(archive)
        for secret in Self.secrets { #expect(found.range(of: Data(secret.utf8)) != nil, "\(secret)") }
        let store = scratch.file("own.sqlite")
        #expect(try CommandRun(["import", archive.path], store: store).status == 0)
        for (index, from) in [archive, store].enumerated() {
            for form in ["xml", "zip", "sqlite", "folder"] {
                let name = form == "folder" ? "copy\(index)" : "copy\(index).\(form)"
                let run = try redact(from, name, ["--seed", "\(index + 3)"])
                #expect(run.status == 0 && run.errors == "", "\(run.errors)")
                expectNoSecrets(Data(run.output.utf8), "what is printed")
                let copy = scratch.file(name)
                expectNoSecrets(try bytes(copy), name)
                if form == "zip" {
                    let unpacked = "unpacked\(index)"
                    let unzip = try CommandRun(
                        shell: "cd '\(scratch.folder.path)' && python3 -m zipfile -e \(name) \(unpacked)",
                        store: scratch.store)
                    #expect(unzip.status == 0, "\(unzip.errors)")
                    expectNoSecrets(try bytes(scratch.file(unpacked)), "the entries of \(name)")
                }
                guard form != "xml" else { continue }
                let fixture = form == "sqlite" ? copy : scratch.file("read-\(name).sqlite")
                if form != "sqlite" { #expect(try CommandRun(["import", copy.path], store: fixture).status == 0) }
                let lines = scratch.file("lines-\(name).ndjson")
                #expect(try CommandRun(["export", lines.path], store: fixture).status == 0)
                expectNoSecrets(try Data(contentsOf: lines), "the samples of \(name)")
            }
        }
    }

    @Test("Samples, values, sources’ differences, times of day and days of the week stay")
    func remaining() throws {
        let archive = try original()
        #expect(try redact(archive, "copy.sqlite").status == 0)
        let copy = scratch.file("copy.sqlite")
        func samples(_ type: String) throws -> [[String: Any]] {
            try CommandRun(["samples", type, "--json", "--time-zone", "UTC"], store: copy).objects()
        }
        let steps = try #require(try samples("stepCount").first)
        #expect(steps["quantity"] as? Double == 731)
        let text = try #require(steps["startDate"] as? String)
        let start = try Date(text.replacing("+00:00", with: "Z"), strategy: .iso8601)
        let moved = try Date("2019-07-22T04:05:00Z", strategy: .iso8601).timeIntervalSince(start)
        #expect(moved > 0 && moved.truncatingRemainder(dividingBy: 7 * 86_400) == 0)
        let metadata = try #require(steps["metadata"] as? [String: Any])
        #expect(metadata["HKTimeZone"] as? String == "Etc/GMT-2")
        let rate = try #require(try samples("heartRate").first)
        #expect(rate["source"] as? String != steps["source"] as? String)
        #expect((rate["productType"] as? String ?? "Watch").hasPrefix("Watch"))
        #expect(try samples("bodyMass").first?["quantity"] as? Double == 71.4)
        let workout = try #require(try samples("workout").first)
        #expect(workout["source"] as? String == rate["source"] as? String)
        #expect(workout["duration"] as? Double == 1200)
        #expect(try samples("workoutRoute").first?["count"] as? Int == 2)
        let profile = try #require(try CommandRun(["profile", "--json"], store: copy).json() as? [String: Any])
        #expect(!"\(profile)".contains("1961") && !"\(profile)".lowercased().contains("female"))
    }

    @Test("Jitter changes quantities by at most that much, and a seed makes the same copy again")
    func jitter() throws {
        let archive = try original()
        #expect(try redact(archive, "a.xml", ["--seed", "7", "--jitter", "10"]).status == 0)
        #expect(try redact(archive, "b.xml", ["--seed", "7", "--jitter", "10"]).status == 0)
        #expect(try redact(archive, "c.xml", ["--seed", "8", "--jitter", "10"]).status == 0)
        let texts = try ["a", "b", "c"].map { try String(contentsOf: scratch.file("\($0).xml"), encoding: .utf8) }
        #expect(texts[0] == texts[1] && texts[0] != texts[2])
        #expect(try redact(archive, "d.xml").status == 0)
        #expect(try String(contentsOf: scratch.file("d.xml"), encoding: .utf8).contains("251.5"))
        for text in texts {
            #expect(!text.contains("251.5"))
            let values = text.matches(of: /<Record type="HKQuantityTypeIdentifier(\w+)"[^>]* value="([0-9.]+)"/)
            #expect(values.count == 3)
            for (type, original) in [("StepCount", 731.0), ("HeartRate", 91), ("BodyMass", 71.4)] {
                let value = try #require(values.first { $0.1 == type }.flatMap { Double($0.2) })
                #expect(abs(value - original) <= original * 0.1 + 0.5, "\(type)")
                if type != "BodyMass" { #expect(value == value.rounded(), "\(type)") }
            }
        }
    }

    @Test("The report says what was replaced and left out, and what remains")
    func report() throws {
        let archive = try scratch.archive(
            """
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" startDate="2024-01-03 08:00:00 +0000" endDate="2024-01-03 08:05:00 +0000" value="120">
              <MetadataEntry key="note" value="at home"/>
             </Record>
            """)
        let path = scratch.file("copy.xml").path
        let run = try redact(archive, "copy.xml")
        #expect(run.status == 0 && run.errors == "")
        #expect(
            run.output == """
                Redacted 1 sample and 0 other objects to \(path).
                Replaced: all dates, by whole weeks, 1 source, 1 text, 1 metadata key.
                Still there: values, types, units, times of day and days of the week, durations, and the shapes of routes.
                Some of these may be enough to recognize the person. Look at the copy before you share it.

                """)
        let answer = try #require(
            try redact(archive, "copy2.xml", ["--jitter", "2.5", "--json"]).json() as? [String: Any])
        #expect(answer["samples"] as? Int == 1 && answer["keys"] as? Int == 1 && answer["devices"] as? Int == 0)
        let jittered = try redact(archive, "copy3.xml", ["--jitter", "2.5"])
        #expect(jittered.output.contains("\nStill there: values, changed by up to 2.5%, types, units,"))
    }

    @Test("Invalid arguments are reported, and nothing is written or replaced")
    func mistakes() throws {
        let archive = try original()
        let copy = scratch.file("copy.zip")
        try Data("mine".utf8).write(to: copy)
        let again = try redact(archive, "copy.zip")
        #expect(again.status == 64 && again.output == "")
        #expect(again.errors == "Error: “\(copy.path)” already exists. Nothing was changed; choose another path.\n")
        #expect(try Data(contentsOf: copy) == Data("mine".utf8))
        for (from, options, message) in [
            (archive, ["--jitter", "51"], "Error: --jitter must be from 0 to 50."),
            (scratch.file("nowhere.zip"), [], "Error: “\(scratch.file("nowhere.zip").path)” does not exist."),
        ] {
            let run = try redact(from, "other.zip", options)
            #expect(run.status != 0 && run.output == "")
            #expect(run.errors.hasPrefix(message), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: scratch.file("other.zip").path))
        }
    }
}
