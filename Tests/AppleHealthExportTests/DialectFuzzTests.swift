import AppleHealthGenerator
import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthFiles
import HealthModel
import HealthTesting
import Testing

@testable import AppleHealthExport

/// Archives of every dialect, damaged at random, all the way into a store and mended afterwards. Seeds are fixed.
@Suite struct DialectFuzzTests {
    /// Each way archives have been written.
    private static let versions = ["8", "9", "12", "14", "16", "26"]
    private static let kinds: [ImportError.Kind] = [.truncated, .notAnExport]

    /// A folder with the files of a version, its main file cut down to a few elements of each kind.
    private struct Bench {
        let home: TemporaryFolder
        let folder: String
        let main: String
        let whole: [UInt8]
        /// Where the first element behind the head begins.
        let body: Int

        init(_ version: String) throws {
            let archive = try DialectArchive.of(version)
            home = try TemporaryFolder()
            folder = home.path + "/archive"
            try FileManager.default.copyItem(atPath: archive.folder, toPath: folder)
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
            main = folder + "/" + files.first { $0.hasSuffix("export.xml") }!
            whole = try DialectImportTests.excerpt(of: String(contentsOfFile: main, encoding: .utf8))
            let me = whole.firstRange(of: Array("<Me ".utf8))!.lowerBound
            body = whole[me...].firstIndex(of: UInt8(ascii: "\n"))! + 1
        }

        func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: main)) }

        func importing(_ store: ImportedStore) throws -> ImportReport {
            try ArchiveImporter(engine: store.engine, options: .init(batchSize: 20)).run(path: folder)
        }
    }

    /// Imports what is in the folder now; what goes wrong must be one clear error.
    private func importDamaged(_ bench: Bench, _ store: ImportedStore, _ context: String) throws -> ImportReport? {
        do {
            return try bench.importing(store)
        } catch let error as ImportError {
            #expect(Self.kinds.contains(error.kind), "\(context): \(error)")
            #expect(!error.description.contains("\n") && error.description.hasSuffix("."), "\(context)")
            return nil
        }
    }

    @Test("Cut anywhere: whole batches, and the whole archive completes them", arguments: versions)
    func cut(_ version: String) throws {
        let bench = try Bench(version)
        let clean = try ImportedStore()
        try bench.write(bench.whole)
        _ = try bench.importing(clean)
        let image = try StoreImage(clean.engine)
        let seed: UInt64 = 9_000
        var random = SplitMix64(seed: seed)
        for _ in 0..<5 {
            let place = Int.random(in: bench.body..<bench.whole.count - 3, using: &random)
            let context = "iOS \(version), seed \(seed), cut at \(place)"
            let store = try ImportedStore()
            try bench.write(Array(bench.whole[..<place]))
            #expect(try importDamaged(bench, store, context) == nil, "\(context)")
            try store.expectWhole()
            try bench.write(bench.whole)
            _ = try bench.importing(store)
            #expect(Self.few(try StoreImage(store.engine).difference(from: image)) == [], "\(context)")
            #expect(try bench.importing(store).addedCount == 0, "\(context)")
        }
    }

    @Test(
        "Bytes flipped, left out and doubled: counted skips, and the good archive brings all that was lost",
        arguments: versions)
    func mutated(_ version: String) throws {
        let bench = try Bench(version)
        let clean = try ImportedStore()
        try bench.write(bench.whole)
        let known = try bench.importing(clean).skips.map(\.reason)
        let image = try StoreImage(clean.engine)
        let seed: UInt64 = 9_100
        var random = SplitMix64(seed: seed)
        var noticed = 0
        for round in 0..<6 {
            let context = "iOS \(version), seed \(seed), round \(round)"
            let store = try ImportedStore()
            try bench.write(
                Mutation.apply(
                    to: bench.whole, from: bench.body, count: Int.random(in: 1...12, using: &random), using: &random))
            let report = try importDamaged(bench, store, context)
            if report.map({ $0.skips.map(\.reason) != known }) ?? true { noticed += 1 }
            for skip in report?.skips ?? [] { #expect(skip.line >= 0 && !skip.reason.isEmpty, "\(context)") }
            try store.expectWhole()
            // What was lost to the damage comes; what came by it stays beside.
            try bench.write(bench.whole)
            _ = try bench.importing(store)
            let mended = try StoreImage(store.engine)
            let samples = image.samples.filter { mended.samples[$0.key, default: 0] < $0.value }.map { "\($0)" }
            let (wanted, found) = (Self.faces(image), Self.faces(mended))
            let objects = wanted.filter { found[$0.key, default: 0] < $0.value }.map { "\($0)" }
            let missing = Self.few(samples + objects)
            #expect(missing == [], "\(context)")
            #expect(try bench.importing(store).addedCount == 0, "\(context)")
            try store.expectWhole()
        }
        #expect(noticed > 0, "seed \(seed)")
    }

    /// The objects. A correlation's members are identified by their dates and values; metadata that the damage has
    /// changed stays with them.
    private static func faces(_ image: StoreImage) -> [PlainObject: Int] {
        image.objects.reduce(into: [:]) { faces, item in
            var object = item.key
            // The order of members is that of the damaged archive, where some may be missing.
            object.metadata.entries.removeAll { MetadataKey.archivedForms.contains($0.key) }
            object.members = object.members.reduce(into: [:]) { members, item in
                var member = item.key
                (member.metadata, member.creation) = (.empty, nil)
                members[member, default: 0] += item.value
            }
            faces[object, default: 0] += item.value
        }
    }

    private static func few(_ lines: [String]) -> [String] { lines.prefix(3).map { String($0.prefix(500)) } }
}
