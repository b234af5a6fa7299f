import AppleHealthGenerator
import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import Testing

@testable import AppleHealthExport

/// A whole generated archive, read every way and brought in twice.
@Suite struct GeneratedArchiveTests {
    private let bytes: [UInt8]
    private let records: Int

    init() throws {
        var bytes: [UInt8] = []
        let generator = ArchiveGenerator(
            options: .init(records: 6_000, seed: 3, exportDate: Date(timeIntervalSinceReferenceDate: 7e8)))
        records = try generator.writeXML { bytes += $0 }
        self.bytes = bytes
    }

    private func counts(_ samples: [PlainSample]) -> [PlainSample: Int] {
        samples.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    @Test func allPathsAgree() {
        let fast = Parsed(bytes)
        let slow = Parsed(bytes, chunkSize: 777, usesTemplates: false)
        #expect(fast.error == nil && fast.skips == [] && fast.samples.count == records)
        #expect(
            fast.samples == slow.samples && fast.objects == slow.objects && fast.irregularities == slow.irregularities)
        let naive = NaiveArchive(bytes)
        let known = fast.samples.filter { TypeCatalog.description(for: $0.type) != nil }.map { sample in
            var sample = sample
            sample.metadata.entries.removeAll { $0.key.hasPrefix(MetadataKey.archivedPrefix) }
            return sample
        }
        #expect(counts(known) == counts(naive.samples))
    }

    @Test func isImportedOnce() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, as: "export.xml")
        let engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
        let importer = ArchiveImporter(engine: engine, options: .init(batchSize: 1_000))
        let first = try importer.run(path: path)
        #expect(first.skippedCount == 0 && first.alreadyThereCount == 0 && first.addedCount >= records)
        let again = try importer.run(path: path)
        #expect(again.addedCount == 0, "\(again.added)")
        #expect(again.alreadyThere == first.added)
    }
}
