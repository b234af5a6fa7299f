@testable import AppleHealthExport
import HealthFiles
import Testing

/// Elements of more parts than a parser keeps in memory: stepped over and counted, whatever their size.
@Suite struct CrowdedElementTests {
    private static let steps = "HKQuantityTypeIdentifierStepCount"
    private static let before = ArchiveText.record(value: "1")
    private static let after = ArchiveText.record(value: "2")
    private static let workout =
        "<Workout workoutActivityType=\"HKWorkoutActivityTypeRowing\" sourceName=\"s\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 11:00:00 +0100\">"

    /// Parses a file that has an element with a repeated filling between two records.
    private func parse(
        _ head: String, _ filling: String, _ tail: String, times: Int, limit: Int = 1_000, chunk: Int = 1 << 16
    ) throws -> (values: [Double], objects: Int, findings: ImportFindings) {
        let text = ArchiveText.file([Self.before, "@", Self.after]).split(separator: "@", maxSplits: 1)
        let source = RepeatingSource(head: text[0] + head, filling: filling, times: times, tail: tail + text[1])
        let sink = CollectingSink()
        var parser = ArchiveParser(
            source: source, options: .init(chunkSize: chunk, maximumPartCount: limit), sink: sink)
        try parser.run()
        return (sink.samples.map(\.value), sink.objects.count, parser.findings)
    }

    @Test(
        "More parts than are taken",
        arguments: [
            ("<Record type=\"\(steps)\">", "<MetadataEntry key=\"k\" value=\"v\"/>\n", "</Record>", steps),
            ("<Record type=\"\(steps)\">", "<a/>", "</Record>", steps),
            ("<Record type=\"\(steps)\">", "<a/>text", "</Record>", steps),
            ("<Record type=\"\(steps)\"><b>", "<a></a>", "</b></Record>", steps),
            ("<Record type=\"\(steps)\">", "<!-- -->", "</Record>", steps),
            (
                "<Record type=\"\(steps)\"><HeartRateVariabilityMetadataList>",
                "<InstantaneousBeatsPerMinute bpm=\"60\" time=\"7:47:41.86 PM\"/>",
                "</HeartRateVariabilityMetadataList></Record>", steps
            ),
            (
                "<Correlation type=\"HKCorrelationTypeIdentifierFood\">", before, "</Correlation>",
                "HKCorrelationTypeIdentifierFood"
            ),
            (workout, "<WorkoutEvent type=\"x\"/>", "</Workout>", "Workout"),
            (workout, "<a><b/></a>", "</Workout>", "Workout"),
            ("<Me>", "<a b=\"\"/>", "</Me>", "Me"),
            ("<Novelty>", "<a b=\"a value of some length\"/>", "</Novelty>", "Novelty"),
        ], [64, 1 << 16])
    func isCountedAndSteppedOver(_ element: (head: String, filling: String, tail: String, type: String), _ chunk: Int)
        throws
    {
        let result = try parse(element.head, element.filling, element.tail, times: 1_001, chunk: chunk)
        #expect(result.values == [1, 2] && result.objects == 0)
        #expect(result.findings.skipped == [element.type: 1] && result.findings.irregularities == [:])
        #expect(result.findings.skips == [.init(line: 9, type: element.type, reason: ElementReader.tooManyParts)])
    }

    @Test(
        "More attributes in a tag than are taken",
        arguments: [("<Record type=\"\(steps)\"", steps), ("<Novelty", "Novelty"), ("<Me", "Me")])
    func attributes(_ head: String, _ type: String) throws {
        let result = try parse(head, " a=\"b\"", "/>", times: 4_097, limit: 1_000_000)
        #expect(result.values == [1, 2] && result.findings.skipped == [type: 1])
        let child = try parse("<Novelty><a", " a=\"b\"", "/></Novelty>", times: 4_097, limit: 1_000_000)
        #expect(child.values == [1, 2] && child.findings.skipped == ["Novelty": 1])
        #expect(try parse("<Novelty", " a=\"b\"", "/>", times: 4_096, limit: 1_000_000).objects == 1)
    }

    @Test("As many as are taken are taken, and a day of points is fewer")
    func justBelow() throws {
        #expect(try parse("<Novelty>", "<a/>", "</Novelty>", times: 998).objects == 1)
        #expect(try parse("<Novelty>", "<a/>", "</Novelty>", times: 999).objects == 0)
        // A tag, eight attributes and the date, which is long.
        #expect(ElementReader.maximumPartCount > 86_400 * (1 + 8 + 1))
    }

    @Test(
        "An element whose end is lost takes nothing with it but itself",
        arguments: ["Workout", "Audiogram", "ActivitySummary", "Me"])
    func endIsLost(_ name: String) throws {
        let parsed = Parsed(ArchiveText.file([Self.before, "<\(name) a=\"1\"><b/>", Self.after, Self.after]))
        #expect(parsed.samples.map(\.value) == [1, 2, 2] && parsed.error == nil)
        #expect(parsed.skips == [.init(line: 9, type: name, reason: "another element begins inside it")])
    }
}
