@testable import AppleHealthExport
import Foundation
import HealthFiles
import HealthModel
import HealthTesting
import Testing

/// Heartbeat lists: localized clock times become instants and are written again.
@Suite struct BeatListTests {
    struct Dialect: Sendable, CustomTestStringConvertible {
        var name: String
        /// The format of an hour of the day with minutes, seconds and hundredths.
        var text: @Sendable (_ hour: Int, _ rest: [Int]) -> String
        /// Whether the byte scanner supports the format.
        var isPlain = true

        var testDescription: String { name }
    }

    private static func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    private static func twelve(_ hour: Int) -> Int { hour % 12 == 0 ? 12 : hour % 12 }

    static let dialects: [Dialect] = [
        Dialect(name: "English, 12 hours") {
            "\(twelve($0)):\(pad($1[0])):\(pad($1[1])).\(pad($1[2])) \($0 < 12 ? "AM" : "PM")"
        },
        Dialect(name: "English since iOS 17") {
            "\(twelve($0)):\(pad($1[0])):\(pad($1[1])).\(pad($1[2]))\u{202F}\($0 < 12 ? "AM" : "PM")"
        },
        Dialect(name: "Portuguese numbers, 12 hours") {
            "\(twelve($0)):\(pad($1[0])):\(pad($1[1])),\(pad($1[2])) \($0 < 12 ? "AM" : "PM")"
        },
        Dialect(name: "French") { "\(pad($0)):\(pad($1[0])):\(pad($1[1])),\(pad($1[2]))" },
        Dialect(name: "English, 24 hours") { "\(pad($0)):\(pad($1[0])):\(pad($1[1])).\(pad($1[2]))" },
        Dialect(name: "Spanish, one digit") { "\($0):\(pad($1[0])):\(pad($1[1])),\(pad($1[2]))" },
        Dialect(name: "Spanish, 12 hours") {
            "\(twelve($0)):\(pad($1[0])):\(pad($1[1])),\(pad($1[2])) \($0 < 12 ? "a. m." : "p. m.")"
        },
        Dialect(name: "Finnish") { "\($0).\(pad($1[0])).\(pad($1[1])),\(pad($1[2]))" },
        Dialect(name: "Japanese, 12 hours") {
            "\($0 < 12 ? "午前" : "午後")\($0 % 12):\(pad($1[0])):\(pad($1[1])).\(pad($1[2]))"
        },
        Dialect(name: "Chinese, 12 hours") {
            "\($0 < 12 ? "上午" : "下午")\(twelve($0)):\(pad($1[0])):\(pad($1[1])).\(pad($1[2]))"
        },
        Dialect(name: "Korean, 12 hours") {
            "\($0 < 12 ? "오전" : "오후") \(twelve($0)):\(pad($1[0])):\(pad($1[1])).\(pad($1[2]))"
        },
        Dialect(name: "Canadian French") { "\(pad($0)) h \(pad($1[0])) min \(pad($1[1])),\(pad($1[2])) s" },
        Dialect(
            name: "Arabic",
            text: { hour, rest in
                let text = "\(twelve(hour)):\(pad(rest[0])):\(pad(rest[1]))٫\(pad(rest[2])) \(hour < 12 ? "ص" : "م")"
                return String(
                    text.unicodeScalars.map { scalar in
                        (48...57).contains(scalar.value)
                            ? Character(Unicode.Scalar(scalar.value + 0x630)!) : Character(scalar)
                    })
            }, isPlain: false),
    ]

    /// The list of beats at hundredths of a second after local midnight.
    private func list(_ dialect: Dialect, _ ticks: [Int], rates: [Int]? = nil) -> [(bpm: String, time: String)] {
        ticks.enumerated().map { index, tick in
            let rest = tick % 360_000
            return (
                "\(rates?[index] ?? 60 + index % 30)",
                dialect.text(tick / 360_000 % 24, [rest / 6_000, rest / 100 % 60, rest % 100])
            )
        }
    }

    private func parsed(
        _ beats: [(bpm: String, time: String)], start: String, end: String, usesTemplates: Bool = true
    ) -> Parsed {
        Parsed(
            ArchiveText.file([
                ArchiveText.record(
                    type: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", source: "Watch",
                    device: ArchiveText.device,
                    unit: "ms", start: start, end: end, value: "42.5", children: [AuxiliaryText.beats(beats)])
            ]), usesTemplates: usesTemplates)
    }

    private func element(_ beats: [(bpm: String, time: String)]) throws -> ArchivedElement {
        try #require(ElementMarkup.read(AuxiliaryText.beats(beats)))
    }

    private func offsets(_ object: ObjectRecord?) -> [Double]? {
        guard case .document(let document)? = object?.body else { return nil }
        return document.series[HeartbeatSeriesDocument.offsets]
    }

    /// The difference in hours between the list's clock and the record's date, and the start of the list.
    @Test(arguments: dialects, [-1, 0, 1, 12])
    func findsTheInstants(_ dialect: Dialect, _ shift: Int) throws {
        // 18:59:30 at -0400 in the record; the list crosses the hour.
        let ticks = [0, 94, 1_88, 3_050, 3_127, 5_999].map { (18 * 3_600 + 59 * 60 + 30) * 100 + $0 }
        let beats = list(dialect, ticks.map { ($0 + (24 + shift) * 360_000) % 8_640_000 })
        let parsed = parsed(beats, start: "2017-11-22 18:59:30 -0400", end: "2017-11-22 19:00:30 -0400")
        #expect(
            parsed.skips == [] && parsed.irregularities == [:] && parsed.samples.count == 1 && parsed.objects.count == 1
        )
        let series = try #require(parsed.objects.first)
        #expect(parsed.identifiers[series.type] == "HKDataTypeIdentifierHeartbeatSeries")
        #expect(offsets(series) == [0, 0.94, 1.88, 30.5, 31.27, 59.99])
        #expect(parsed.samples[0].metadata == .empty)
        #expect(series.start == parsed.samples[0].start && series.end == parsed.samples[0].end)
        #expect(series.revision == parsed.samples[0].revision && series.device == parsed.samples[0].device)
        #expect(series.creation == parsed.samples[0].creation)
        #expect(HeartbeatSeriesWriter.element(series, offset: 0) == (try element(beats)))
    }

    @Test(arguments: dialects)
    func crossesMidnight(_ dialect: Dialect) throws {
        let ticks = [(23 * 3_600 + 59 * 60 + 59) * 100 + 10, 8_640_000 + 5, 8_640_000 + 105]
        let beats = list(dialect, ticks)
        let parsed = parsed(beats, start: "2017-11-22 23:59:59 +0100", end: "2017-11-23 00:00:59 +0100")
        #expect(offsets(parsed.objects.first) == [0.1, 1.05, 2.05])
        #expect(HeartbeatSeriesWriter.element(try #require(parsed.objects.first), offset: 0) == (try element(beats)))
    }

    @Test(arguments: dialects)
    func scannerAgreesWithTheReferenceImplementation(_ dialect: Dialect) throws {
        var random = SplitMix64(seed: 9)
        for _ in 0..<50 {
            var tick = Int.random(in: 0..<8_640_000, using: &random)
            let ticks = (0..<Int.random(in: 1...80, using: &random)).map { _ in
                tick += Int.random(in: 0...160, using: &random)
                return tick
            }
            let beats = list(dialect, ticks)
            let slow = try #require(BeatList(try element(beats)))
            let text = Array((AuxiliaryText.beats(beats) + String(repeating: " ", count: 100)).utf8)
            let start = "<HeartRateVariabilityMetadataList>".utf8.count
            let fast = text.withUnsafeBufferPointer {
                BeatListScanner.scan($0.baseAddress!, from: start, end: $0.count)
            }
            #expect((fast != nil) == dialect.isPlain)
            if let fast {
                #expect(fast.0 == slow && fast.end == text.count - 100)
            }
            #expect(slow.element == (try element(beats)))
            // A truncated list is not read partially.
            let cut = Int.random(in: 0..<(text.count - 100), using: &random)
            let part = text.withUnsafeBufferPointer {
                BeatListScanner.scan($0.baseAddress!, from: min(start, cut), end: cut)
            }
            #expect(part == nil)
        }
    }

    @Test(arguments: [
        ("+0530", "10:29:58", [0.5, 1.5]), ("-0330", "22:29:58", [0.5, 1.5]), ("+0545", "10:44:58", [0.5, 1.5]),
        ("+1030", "10:29:58", [0.5, 1.5]),
    ])
    func countsInTheZoneOfTheDates(_ zone: String, _ clock: String, _ expected: [Double]) throws {
        let parsed = parsed(
            [("60", clock + ".50"), ("61", clock.dropLast().description + "9.50")],
            start: "2024-01-10 \(clock) \(zone)", end: "2024-01-10 \(clock.prefix(3))59:59 \(zone)")
        #expect(offsets(parsed.objects.first) == expected)
    }

    @Test func supportsHalfHoursOfDaylightSaving() throws {
        // Lord Howe Island: the record in daylight saving time, the list in standard time.
        let parsed = parsed(
            [("60", "09:45:01.50"), ("60", "09:45:02.50")], start: "2024-06-10 10:15:00 +1100",
            end: "2024-06-10 10:16:00 +1100")
        #expect(offsets(parsed.objects.first) == [1.5, 2.5])
    }

    @Test func aBeatCanBeBeforeARoundedStart() throws {
        let parsed = parsed(
            [("60", "10:14:59.60"), ("60", "10:15:00.60")], start: "2024-06-10 10:15:00 +0100",
            end: "2024-06-10 10:16:00 +0100")
        #expect(offsets(parsed.objects.first) == [-0.4, 0.6])
    }

    @Test(arguments: [
        [("71", "7:47:41.86 PM"), ("69", "7:47:40.86 PM")], [("71", "19:47:41")], [("71", "7:47:41.8")],
        [("71", "7:47:61.86")],
        [("71", "")], [("x", "7:47:41.86")], [("71", "7:47:41.86 PM"), ("69", "7:47:42.86 XM")], [("71", "1:2:3:4:5")],
    ])
    func keepsAListItCannotUnderstand(_ beats: [(bpm: String, time: String)]) throws {
        let parsed = parsed(beats, start: "2024-06-10 07:47:41 +0100", end: "2024-06-10 07:48:41 +0100")
        #expect(parsed.objects == [] && parsed.samples.count == 1 && parsed.skips == [])
        let entry = try #require(parsed.samples.first?.metadata.entries.first)
        let markup = try #require(ArchivedMetadata.markup(of: entry))
        #expect(ElementMarkup.read(markup) == (try element(beats)))
    }

    @Test func keepsTheTextOfUnusualRates() throws {
        let beats = [("71.50", "07:47:41.86"), ("072", "07:47:42.86"), ("7", "07:47:43.86")]
        let parsed = parsed(beats, start: "2024-06-10 07:47:41 +0100", end: "2024-06-10 07:48:41 +0100")
        guard case .document(let document)? = parsed.objects.first?.body else {
            throw ImportError(.unreadable, "no series")
        }
        #expect(document.series[HeartbeatSeriesDocument.rates] == [71.5, 72, 7])
        #expect(document.series[HeartbeatSeriesDocument.gaps] == nil)
        #expect(HeartbeatSeriesWriter.element(try #require(parsed.objects.first), offset: 0) == (try element(beats)))
    }

    @Test func listsInSeveralForms() throws {
        let texts = [
            "<HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute time=\"07:47:41.86\" bpm=\"71\"/></HeartRateVariabilityMetadataList>",
            "<HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute bpm='71' time='07:47:41.86' /></HeartRateVariabilityMetadataList>",
            "<HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute bpm=\"71\" time=\"07:47:41.86\"></InstantaneousBeatsPerMinute></HeartRateVariabilityMetadataList>",
            "<HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute bpm=\"71\" time=\"07:47:41&#46;86\"/></HeartRateVariabilityMetadataList >",
        ]
        for text in texts {
            let parsed = Parsed(
                ArchiveText.file([
                    ArchiveText.record(
                        start: "2024-06-10 07:47:41 +0100", end: "2024-06-10 07:48:41 +0100", children: [text])
                ]))
            #expect(offsets(parsed.objects.first) == [0.86], "\(text)")
        }
    }

    @Test func recordsWithEqualMetadataKeepTheirLists() {
        // Equal metadata and beats: caching of known markup must not lose the second list.
        let record = ArchiveText.record(
            type: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", unit: "ms", value: "42",
            children: [ArchiveText.entry("HKAlgorithmVersion", "2"), AuxiliaryText.beats([("60", "10:00:00.50")])])
        let parsed = Parsed(ArchiveText.file(Array(repeating: record, count: 5)))
        #expect(parsed.samples.count == 5 && parsed.objects.count == 5)
        #expect(parsed.samples.allSatisfy { $0.metadata.entries.map(\.key) == ["HKAlgorithmVersion"] })
    }

    @Test func beatsOfAMemberAreKept() throws {
        let member = ArchiveText.record(
            type: "HKQuantityTypeIdentifierHeartRate", unit: "count/min", value: "60",
            children: [AuxiliaryText.beats([("60", "10:00:00.50")])])
        let parsed = Parsed(
            ArchiveText.file([
                "<Correlation type=\"HKCorrelationTypeIdentifierBloodPressure\" sourceName=\"a\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 10:00:00 +0100\">\(member)</Correlation>"
            ]))
        #expect(parsed.objects.count == 1)
        #expect(
            parsed.objects.first?.members.first?.metadata.entries.map(\.key) == [
                "_archived.HeartRateVariabilityMetadataList"
            ])
    }

    @Test(arguments: [0, 3_600, -12_600])
    func writesSeriesThatCameFromNoArchive(_ offset: Int) throws {
        let start = ArchiveText.instant(2024, 6, 10, 11, 59, 59)
        let series = ObjectRecord(
            type: TypeCatalog.description(for: HeartbeatSeriesReader.identifier)!.code, start: start, end: start + 3,
            body: .document(DocumentBody(series: ["offsets": [0.5, 1.25, 2.25], "gaps": [0, 0, 0]])))
        let element = try #require(HeartbeatSeriesWriter.element(series, offset: offset))
        let expected = [
            0: ["11:59:59.50 AM", "12:00:00.25 PM", "12:00:01.25 PM"],
            3_600: ["12:59:59.50 PM", "1:00:00.25 PM", "1:00:01.25 PM"],
            -12_600: ["8:29:59.50 AM", "8:30:00.25 AM", "8:30:01.25 AM"],
        ]
        #expect(element.children.compactMap { $0["time"] } == expected[offset])
        #expect(element.children.map { $0["bpm"] } == ["80", "80", "60"])
    }

    @Test func mutatedListsNeverTrap() throws {
        let original = Array(
            ArchiveText.file([
                ArchiveText.record(children: [
                    AuxiliaryText.beats(list(Self.dialects[0], [3_600_010, 3_600_090, 3_600_190, 3_960_000]))
                ])
            ]).utf8)
        let start = try #require(String(decoding: original, as: UTF8.self).range(of: "<HeartRate")).lowerBound
        let from = String(decoding: original, as: UTF8.self).utf8.distance(from: "".startIndex, to: start)
        for seed in 0..<2_000 {
            var random = SplitMix64(seed: UInt64(seed))
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: from..<(bytes.count - 20), using: &random)
                if Bool.random(using: &random) {
                    bytes[place] = Array("0123456789:.,\" <>/APM".utf8).randomElement(using: &random)!
                } else {
                    bytes.remove(at: place)
                }
            }
            let short = Parsed(bytes, chunkSize: 64)
            let long = Parsed(bytes)
            #expect(short.objects == long.objects && short.samples == long.samples, "seed \(seed)")
        }
    }
}
