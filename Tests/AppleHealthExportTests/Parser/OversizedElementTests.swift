@testable import AppleHealthExport
import HealthFiles
import Testing

/// Elements larger than a parser keeps in memory: stepped over and counted.
@Suite struct OversizedElementTests {
    private static let steps = "HKQuantityTypeIdentifierStepCount"
    private static let before = ArchiveText.record(value: "1")
    private static let after = ArchiveText.record(value: "2")
    private static let reason = "it is larger than 1 MB"

    /// Parses a file that has an element of `size` bytes of `filling`, repeated, between two records.
    private func parse(
        _ head: String, _ filling: String, _ tail: String, size: Int = 3 << 20, limit: Int = 1 << 20,
        chunk: Int = 1 << 16
    ) throws -> (samples: [PlainSample], findings: ImportFindings) {
        let text = ArchiveText.file([Self.before, "@", Self.after]).split(separator: "@", maxSplits: 1)
        let source = RepeatingSource(
            head: text[0] + head, filling: filling, times: size / filling.utf8.count, tail: tail + text[1])
        let sink = CollectingSink()
        var parser = ArchiveParser(
            source: source, options: .init(chunkSize: chunk, maximumElementSize: limit), sink: sink)
        try parser.run()
        return (sink.samples, parser.findings)
    }

    @Test(
        arguments: [
            ("<Record type=\"\(steps)\" sourceName=\"", "0123456789abcdef", "\" value=\"3\"/>", steps),
            (
                "<Record type=\"\(steps)\" sourceName=\"s\">", "<MetadataEntry key=\"k\" value=\"v\"/>\n", "</Record>",
                steps
            ),
            (
                "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\">", "<WorkoutEvent type=\"x\"/>",
                "</Workout>", "Workout"
            ),
            (
                "<Correlation type=\"HKCorrelationTypeIdentifierFood\">", before, "</Correlation>",
                "HKCorrelationTypeIdentifierFood"
            ),
            ("<Novelty>", "words and words ", "</Novelty>", "Novelty"),
            ("<Novelty ", "a=\"b\" ", "/>", "Novelty"),
            ("<Novelty", "x", "/>", "Noveltyxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
        ])
    func isCountedAndSteppedOver(_ head: String, _ filling: String, _ tail: String, _ type: String) throws {
        let result = try parse(head, filling, tail)
        #expect(result.samples.map(\.value) == [1, 2])
        #expect(result.findings.skipped == [type: 1])
        #expect(result.findings.skips == [.init(line: 9, type: type, reason: Self.reason)])
    }

    @Test func linesGoOnBeingCounted() throws {
        let result = try parse("<Workout>", "<a/>\n", "</Workout>\n <Record/>")
        #expect(result.findings.skips.map(\.line) == [9, 9 + (3 << 20) / 5 + 1])
    }

    @Test func commentsAreNotElements() throws {
        let result = try parse("<!--", " <Record/> - ", "-->")
        #expect(result.samples.map(\.value) == [1, 2] && result.findings.skipped.isEmpty)
    }

    @Test func aQuoteThatNeverClosesEndsAtTheNextTag() throws {
        let result = try parse("<Record type=\"\(Self.steps)\" value=\"", "0123456789abcdef", "")
        #expect(result.samples.map(\.value) == [1, 2])
        #expect(result.findings.skipped == [Self.steps: 1])
    }

    @Test func elementAtTheEndOfTheFileIsTruncated() throws {
        let source = RepeatingSource(
            head: "<HealthData>\n<Workout>", filling: "<a/>\n", times: (3 << 20) / 5, tail: "")
        var parser = ArchiveParser(source: source, options: .init(maximumElementSize: 1 << 20), sink: CollectingSink())
        do {
            try parser.run()
            Issue.record("It is truncated")
        } catch {
            #expect((error as? ImportError)?.kind == .truncated)
        }
    }

    @Test func justBelowTheLimitIsTaken() throws {
        let result = try parse("<Novelty a=\"", "0123456789abcdef", "\"/>", size: (1 << 20) - 100)
        #expect(result.samples.count == 2 && result.findings.skipped.isEmpty)
    }

    @Test func theUsualLimitIs32Megabytes() throws {
        let result = try parse(
            "<Novelty a=\"", "0123456789abcdef", "\"/>", size: 34 << 20, limit: ScanWindow.maximumElementSize,
            chunk: 1 << 20)
        #expect(result.findings.skips.map(\.reason) == ["it is larger than 32 MB"])
    }
}
