import Foundation
import HealthModel
import Testing

@testable import AppleHealthExport

/// Content that an archive can hold completely, and content that it cannot.
@Suite struct SupplementCriteriaTests {
    private let watch = DeviceRecord(
        name: "Apple Watch", manufacturer: "Apple Inc.", model: "Watch", hardwareVersion: "Watch7,1",
        softwareVersion: "10.6.1")

    private func revision(_ device: DeviceRecord? = nil, name: String = "Tracker") -> SourceRevisionRecord {
        SourceText.revision(name: name, version: "1.2", device: device)
    }

    private func sample(_ change: (inout SampleRecord) -> Void = { _ in }) -> SampleRecord {
        var sample = SampleRecord(
            type: TypeCatalog.all[0].code, start: 7e8, end: 7e8 + 60, value: 1.5, unit: "count",
            revision: revision(watch), device: watch,
            metadata: Metadata([MetadataText.parse(key: "HKTimeZone", text: "Europe/Berlin")]), creation: 7e8 + 70)
        change(&sample)
        return sample
    }

    private func isPlain(_ sample: SampleRecord) -> Bool {
        var plain = SupplementCriteria(dictionaries: StoreDictionaries())
        let first = plain.isPlain(sample)
        // The cached result is the same.
        #expect(plain.isPlain(sample) == first)
        return first
    }

    @Test func plainSamples() {
        #expect(isPlain(sample()))
        #expect(
            isPlain(
                sample {
                    $0.device = nil; $0.revision = revision()
                }))
        #expect(
            isPlain(
                sample {
                    $0.creation = nil; $0.metadata = .empty
                }))
        #expect(
            isPlain(
                sample { $0.metadata.entries.append(.init(key: "_archived.attribute.mood", value: .string("good"))) }))
    }

    @Test func samplesThatNeedASupplement() {
        #expect(!isPlain(sample { $0.start -= 0.5 }))
        #expect(!isPlain(sample { $0.end += 1e-6 }))
        #expect(!isPlain(sample { $0.creation = 7e8 + 0.001 }))
        #expect(!isPlain(sample { $0.end = 1e13 }))
        #expect(!isPlain(sample { $0.end = .infinity }))
        #expect(!isPlain(sample { $0.revision?.source.bundleIdentifier = "com.example.tracker" }))
        #expect(!isPlain(sample { $0.revision?.productType = "iPhone15,2" }))
        #expect(!isPlain(sample { $0.device?.localIdentifier = "a, name:b" }))
        #expect(!isPlain(sample { $0.revision = revision(watch, name: "bell\u{7}") }))
        for value: MetadataValue in [.string("007\u{1}"), .integer(7), .date(7e8 + 0.25), .bool(true)] {
            let entry = Metadata.Entry(key: "own", value: value)
            let isRead =
                MetadataText.parse(key: "own", text: MetadataValueText.text(entry)) == entry
                && value != .string("007\u{1}")
            #expect(isPlain(sample { $0.metadata = Metadata([entry]) }) == isRead, "\(value)")
        }
        #expect(!isPlain(sample { $0.metadata.entries.append(.init(key: "own", value: .bool(true))) }))
        #expect(
            !isPlain(sample { $0.metadata.entries.append(.init(key: MetadataKey.seriesCount, value: .integer(3))) }))
    }

    @Test func rowsOfAPage() {
        var dictionaries = StoreDictionaries()
        dictionaries.revisions = [
            revision(watch), SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "b", name: "n")),
        ]
        dictionaries.devices = [watch]
        var page = SampleColumns(type: TypeCatalog.all[0].code)
        page.starts = [1, 2, 3, 4]
        page.ends = [1, 2, 3.5, 4]
        page.revisions = [1, 1, 1, 2]
        page.devices = [1, 1, 1, 0]
        var plain = SupplementCriteria(dictionaries: dictionaries)
        #expect(plain.isPlain(page, 0..<2) && !plain.isPlain(page, 0..<3) && !plain.isPlain(page, 3..<4))
        page.creations = [.nan, 1.5, .nan, .nan]
        #expect(plain.isPlain(page, 0..<1) && !plain.isPlain(page, 0..<2))
        page.creations = []
        page.uuids = [nil, UUID(), nil, nil]
        #expect(plain.isPlain(page, 0..<1) && !plain.isPlain(page, 1..<2))
    }
}
