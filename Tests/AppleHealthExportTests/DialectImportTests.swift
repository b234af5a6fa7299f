import AppleHealthGenerator
import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthModel
import HealthTesting
import Testing

@testable import AppleHealthExport

/// An import of each version's archive finds what the generator says it wrote, in every form; a second
/// one adds nothing; every way of reading gives the same.
@Suite struct DialectImportTests {
    @Test(arguments: DialectArchive.versions)
    func everyFormIsImportedOnce(_ version: String) throws {
        let archive = try DialectArchive.of(version)
        for (path, contents) in [
            (archive.zip, archive.contents), (archive.folder, archive.contents), (archive.xml, archive.plainContents),
        ] {
            let store = try ImportedStore()
            let report = try store.run(path)
            #expect(report.skipped == (path == archive.xml ? archive.missingFiles : [:]), "\(path)")
            #expect(report.alreadyThere == [:], "\(path)")
            #expect(difference(report.added, contents.contents) == [], "\(path)")
            try store.expectWhole()
            let again = try store.run(path)
            #expect(again.addedCount == 0, "\(path): \(again.added)")
            #expect(again.alreadyThere == report.added, "\(path)")
            // Not known by its bytes but read again, and in other batches.
            let read = try ArchiveImporter(
                engine: store.engine, options: .init(batchSize: 190), archive: .init(skipsKnownArchives: false)
            ).run(path: path)
            #expect(
                !read.isKnown && read.addedCount == 0 && difference(read.alreadyThere, report.added) == [], "\(path)")
        }
    }

    @Test(arguments: DialectArchive.versions)
    func aZipAfterItsFolderAddsNothing(_ version: String) throws {
        let archive = try DialectArchive.of(version)
        let store = try ImportedStore()
        let report = try store.run(archive.folder)
        let again = try store.run(archive.zip)
        #expect(again.addedCount == 0)
        #expect(difference(again.alreadyThere, report.added) == [])
    }

    @Test(arguments: DialectArchive.versions)
    func allWaysOfReadingAgree(_ version: String) throws {
        let bytes = try DialectArchive.of(version).bytes()
        let fast = Parsed(bytes)
        let slow = Parsed(bytes, chunkSize: 777, usesTemplates: false)
        #expect(
            try fast.error == nil && fast.skips == slow.skips && fast.skipped == DialectArchive.of(version).missingFiles
        )
        #expect(
            fast.samples == slow.samples && fast.objects == slow.objects && fast.irregularities == slow.irregularities)
        // The reference implementation is slow: one version of each way to write metadata, routes and workouts is enough.
        guard ["8", "12", "16", "26"].contains(version) else { return }
        let known = fast.samples.filter { TypeCatalog.description(for: $0.type) != nil }.map { sample in
            var sample = sample
            sample.metadata.entries.removeAll { $0.key.hasPrefix(MetadataKey.archivedPrefix) }
            return sample
        }
        #expect(counts(known) == counts(NaiveArchive(bytes).samples))
    }

    @Test(arguments: ["8", "11", "12", "14", "16", "26"])
    func allWaysOfReadingAgreeOnDamage(_ version: String) throws {
        // A piece from the middle of each kind of element is enough, and quick.
        let whole = try Self.excerpt(of: DialectArchive.of(version).text())
        let head = whole.firstRange(of: Array("<ExportDate".utf8))!.lowerBound
        var random = SplitMix64(seed: 900 + UInt64(version.utf8.reduce(0) { $0 * 3 + Int($1) }))
        for round in 0..<12 {
            let bytes = Mutation.apply(
                to: whole, from: head, count: Int.random(in: 1...6, using: &random), using: &random)
            let fast = Parsed(bytes)
            let slow = Parsed(bytes, chunkSize: 64, usesTemplates: false)
            let context = "iOS \(version), round \(round)"
            #expect(fast.error?.kind == slow.error?.kind, "\(context)")
            #expect(
                fast.skips == slow.skips && fast.irregularities == slow.irregularities && fast.records == slow.records,
                "\(context)")
            #expect(fast.objects == slow.objects && counts(fast.samples) == counts(slow.samples), "\(context)")
            #expect(NaiveArchive(bytes).isTruncated == (fast.error?.kind == .truncated), "\(context)")
        }
    }

    @Test func theFirstArchivesBecomeTheSameSamples() throws {
        let store = try ImportedStore()
        let report = try store.run(DialectArchive.of("8.0").zip)
        #expect(report.skipped == [:])
        #expect(report.irregularities.keys.contains("Record with attribute recordCount, preserved"))
        // The same measurements as in the later form, with the same values, at the same instants.
        func figures(_ version: String) throws -> [String] {
            try Parsed(DialectArchive.of(version).bytes()).samples.map {
                "\($0.type) \($0.start) \($0.end) \($0.value)"
            }.sorted()
        }
        #expect(try figures("8.0") == figures("8"))
    }

    private func counts(_ samples: [PlainSample]) -> [PlainSample: Int] {
        samples.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    private func difference(_ found: [String: Int], _ wanted: [String: Int]) -> [String] {
        Set(found.keys).union(wanted.keys).sorted().filter { found[$0] != wanted[$0] }.map {
            "\($0): found \(found[$0, default: 0]), written \(wanted[$0, default: 0])"
        }
    }

    /// The head, the first few elements of each kind, and the end.
    static func excerpt(of text: String) -> [UInt8] {
        var taken: [Substring: Int] = [:]
        var lines: [Substring] = []
        var isTaking = true
        var last: (name: Substring, count: Int) = ("", 0)
        for line in text.split(separator: "\n") {
            if line.hasPrefix(" <"), !line.hasPrefix(" </") {
                // The element and its type, as far as the first blank after it.
                let kind = line.prefix(70).prefix(while: { $0 != "=" }) + line.dropFirst(9).prefix(45)
                taken[kind, default: 0] += 1
                isTaking = taken[kind]! <= 2
            } else if !line.hasPrefix(" ") {
                isTaking = true
            }
            let name = line.drop { $0 == " " }.prefix { $0 != " " }
            last = name == last.name ? (name, last.count + 1) : (name, 1)
            // Three points or beats in a row are as good as hundreds.
            if isTaking, last.count <= 3 || !line.hasPrefix("   <") { lines.append(line) }
        }
        return Array(lines.joined(separator: "\n").utf8) + [10]
    }
}
