@testable import AppleHealthExport
import ArchiveTestSupport
import Foundation
import HealthFiles
import HealthModel
import HealthTesting
import Testing

/// Compares the parser's paths with each other and with a slow reference parser, on damaged files.
@Suite struct ArchiveParserMutationTests {
    /// Records as they come in rows, so that templates are in use, with all else in between.
    private static let elements: [String] = {
        var elements: [String] = []
        for index in 0..<12 {
            let minute = 10 + index
            elements.append(
                ArchiveText.record(
                    type: "HKQuantityTypeIdentifierHeartRate", source: "Jo’s Apple\u{A0}Watch", version: "9.3.1",
                    device: ArchiveText.device.replacingOccurrences(of: "282e3a260", with: "28\(index)e3a26\(index)"),
                    unit: "count/min", start: "2024-03-01 10:\(minute):00 +0100",
                    end: "2024-03-01 10:\(minute):00 +0100",
                    value: "\(60 + index).25",
                    children: [ArchiveText.entry("HKMetadataKeyHeartRateMotionContext", "\(index % 2)")]))
            elements.append(ArchiveText.record(start: "2024-03-01 10:00:0\(index % 10) +0100", value: "\(index)"))
            elements.append(
                ArchiveText.record(
                    type: "HKCategoryTypeIdentifierSleepAnalysis", version: "17.\(index / 6)", unit: nil, creation: nil,
                    value: "HKCategoryValueSleepAnalysisAsleep" + ["Core", "Deep", "REM"][index % 3]))
            if index == 5 {
                elements.append("<!-- comment -->")
                elements.append(
                    "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" sourceName=\"w\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 11:00:00 +0100\">\n<WorkoutEvent type=\"HKWorkoutEventTypePause\" date=\"2024-03-01 10:30:00 +0100\"/></Workout>"
                )
                elements.append(
                    "<Correlation type=\"HKCorrelationTypeIdentifierBloodPressure\" sourceName=\"c\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 10:00:00 +0100\">\n"
                        + ArchiveText.record(
                            type: "HKQuantityTypeIdentifierBloodPressureSystolic", unit: "mmHg", value: "120")
                        + "\n</Correlation>")
            }
        }
        return elements
    }()

    private static let whole = Array(ArchiveText.file(elements).utf8)
    /// Where the elements begin: the head stays whole, as damage there ends everything.
    private static let headLength = ArchiveText.file([]).utf8.count - "</HealthData>\n".utf8.count

    private func counts(_ samples: [PlainSample]) -> [PlainSample: Int] {
        samples.reduce(into: [:]) { counts, sample in
            var sample = sample
            sample.metadata.entries.removeAll { $0.key.hasPrefix("_archived.element") }
            counts[sample, default: 0] += 1
        }
    }

    /// The samples that one list has more of than the other, in few words.
    private func difference(_ left: [PlainSample], _ right: [PlainSample]) -> [String] {
        let (left, right) = (counts(left), counts(right))
        return Set(left.keys).union(right.keys).compactMap { sample in
            let (first, second) = (left[sample, default: 0], right[sample, default: 0])
            return first == second ? nil : "\(first) / \(second): \(sample)"
        }
    }

    @Test func allPathsReadTheWholeFile() {
        let fast = Parsed(Self.whole)
        #expect(fast.samples.count == 36 && fast.objects.count == 2 && fast.skips == [] && fast.error == nil)
        #expect(difference(fast.samples, NaiveArchive(Self.whole).samples) == [])
    }

    @Test(arguments: [16, 17, 64, 100, 333, 2_000])
    func chunksMakeNoDifference(_ chunkSize: Int) {
        let fast = Parsed(Self.whole)
        let slow = Parsed(Self.whole, chunkSize: chunkSize)
        #expect(fast.samples == slow.samples && fast.objects == slow.objects)
    }

    @Test(arguments: [101, 102, 103, 104, 105, 106, 107, 108, 109, 110] as [UInt64])
    func allPathsAgreeOnMutatedFiles(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for round in 0..<120 {
            let bytes = Mutation.apply(
                to: Self.whole, from: Self.headLength, count: Int.random(in: 1...6, using: &random), using: &random)
            let fast = Parsed(bytes)
            let slow = Parsed(bytes, chunkSize: 64, usesTemplates: false)
            let context = "seed \(seed), round \(round)"
            #expect(fast.error?.kind == slow.error?.kind, "\(context)")
            #expect(
                fast.skips == slow.skips && fast.irregularities == slow.irregularities && fast.records == slow.records,
                "\(context)")
            #expect(fast.header == slow.header, "\(context)")
            #expect(fast.objects == slow.objects, "\(context)")
            #expect(difference(fast.samples, slow.samples) == [], "\(context)")
            let naive = NaiveArchive(bytes)
            #expect(naive.isTruncated == (fast.error?.kind == .truncated), "\(context)")
            if !naive.isTruncated {
                // The reference implementation knows the catalog's types only.
                let known = fast.samples.filter { TypeCatalog.description(for: $0.type) != nil }
                #expect(difference(known, naive.samples) == [], "\(context)")
            }
        }
    }

    @Test func cutAnywhereItIsTruncatedWithoutPartialRecords() {
        let complete = counts(Parsed(Self.whole, batchSize: 1).samples)
        let close = Self.whole.count - "</HealthData>\n".utf8.count
        for length in stride(from: Self.headLength, to: close + 12, by: 7) {
            let parsed = Parsed(Array(Self.whole[..<length]), batchSize: 1)
            #expect(parsed.error?.kind == .truncated, "cut at \(length)")
            #expect(parsed.skips == [], "cut at \(length)")
            for (sample, count) in counts(parsed.samples) {
                #expect(count <= complete[sample, default: 0], "cut at \(length)")
            }
        }
        #expect(Parsed(Array(Self.whole[..<(close + 13)])).error == nil)
        for length in 0..<Self.headLength {
            let error = Parsed(Array(Self.whole[..<length])).error
            #expect(error?.kind == .notAnExport || error?.kind == .truncated, "cut at \(length)")
        }
    }

    @Test func reportsWhereItIsTruncated() {
        let bytes = Array(Self.whole[..<(Self.headLength + 40)])
        let lines = bytes.filter { $0 == 10 }.count + 1
        #expect(
            Parsed(bytes).error?.description
                == "“memory” is truncated: it ends at byte \(bytes.count), on line \(lines), before the end of HealthData. To import what can be read, use --recover (ImportOptions.recoversDamagedArchives)."
        )
    }
}
