import Foundation
import Testing

@Suite("hk crosscheck")
struct CrosscheckTests {
    private let scratch = Scratch()

    private func write(_ observations: String) throws -> String {
        let folder = scratch.file("apple_health_export")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let main = """
            <?xml version="1.0" encoding="UTF-8"?>
            <HealthData locale="en_US">
             <ExportDate value="2026-01-15 09:12:33 +0100"/>
             <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" startDate="2024-03-01 10:00:00 +0100" endDate="2024-03-01 10:00:00 +0100" value="72"/>
            </HealthData>

            """
        try main.write(to: folder.appendingPathComponent("export.xml"), atomically: true, encoding: .utf8)
        let document = """
            <?xml version="1.0"?>
            <ClinicalDocument xmlns="urn:hl7-org:v3"><title>Health Data Export</title></ClinicalDocument>
            <component><section><entry><organizer>
            \(observations)
            </organizer></entry></section></component>

            """
        try document.write(to: folder.appendingPathComponent("export_cda.xml"), atomically: true, encoding: .utf8)
        return folder.path
    }

    private func observation(_ value: String) -> String {
        "<component><observation><text><value>\(value)</value><type>HKQuantityTypeIdentifierHeartRate</type><unit>count/min</unit></text><effectiveTime><low value=\"20240301100000+0100\"/><high value=\"20240301100000+0100\"/></effectiveTime></observation></component>"
    }

    @Test("Counts observations found in and missing from the store, and prints no value")
    func compared() throws {
        let path = try write(observation("72") + observation("99") + observation("?"))
        #expect(try CommandRun(["import", path, "--quiet"], store: scratch.store).status == 0)
        let run = try CommandRun(["crosscheck", path], store: scratch.store)
        #expect(run.status == 1 && run.errors == "")
        #expect(
            run.output == """
                type       found  missing
                heartRate      1        1
                all            1        1

                1 observation couldn’t be read.

                """)
        let answer = try #require(
            try CommandRun(["crosscheck", path, "--json"], store: scratch.store).json() as? [String: Any])
        #expect(
            (answer["types"] as? [String: [String: Int]]) == [
                "HKQuantityTypeIdentifierHeartRate": ["found": 1, "missing": 1]
            ])
        #expect(answer["unreadable"] as? Int == 1 && answer["isCutOff"] as? Bool == false)
    }

    @Test("Succeeds if every observation was found")
    func equal() throws {
        let path = try write(observation("72"))
        #expect(try CommandRun(["import", path, "--quiet"], store: scratch.store).status == 0)
        #expect(try CommandRun(["crosscheck", path], store: scratch.store).status == 0)
        #expect(try CommandRun(["crosscheck", write(observation("99")), "--json"], store: scratch.store).status == 1)
    }

    @Test("Reports an archive without the document instead of comparing it")
    func missing() throws {
        let path = try write(observation("72"))
        try FileManager.default.removeItem(atPath: path + "/export_cda.xml")
        let run = try CommandRun(["crosscheck", path], store: scratch.emptyStore())
        #expect(run.status != 0)
        #expect(run.errors == "Error: The archive “\(path)” has no readable export_cda.xml; nothing was compared.\n")
    }
}
