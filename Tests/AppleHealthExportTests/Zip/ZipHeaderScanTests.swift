import AppleHealthGenerator
import ArchiveTestSupport
import Foundation
import HealthEngine
@testable import HealthFiles
import HealthModel
import HealthTesting
import Testing

@testable import AppleHealthExport

/// Zip files that were cut off before their directory.
@Suite struct ZipHeaderScanTests {
    private let home: TemporaryFolder

    init() throws {
        home = try TemporaryFolder()
    }

    private func importing(_ path: String, into store: ImportedStore, keeps: Bool) throws -> ImportReport {
        var options = ImportOptions(batchSize: 500)
        options.recoversDamagedArchives = keeps
        return try ArchiveImporter(engine: store.engine, options: options).run(path: path)
    }

    /// The bytes of a zip file up to its directory.
    private func withoutDirectory(_ path: String) throws -> (whole: Data, cut: Data) {
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let directory = try #require(whole.firstRange(of: Data([0x50, 0x4B, 1, 2]))?.lowerBound)
        return (whole, whole[..<directory])
    }

    @Test(arguments: ["9", "16.2"])
    func allEntriesAreFoundWithoutTheDirectory(_ version: String) throws {
        let archive = try DialectArchive.of(version)
        let path = try home.write(Array(withoutDirectory(archive.zip).cut), as: "cut.zip")
        let whole = try ZipReader(path: archive.zip)
        let scanned = try ZipReader(path: path, name: path, recoversDamagedArchives: true)
        #expect(scanned.damage != nil && whole.damage == nil)
        #expect(Set(scanned.entries) == Set(whole.entries))
        let store = try ImportedStore()
        let error = #expect(throws: ImportError.self) { try importing(path, into: store, keeps: false) }
        #expect(error?.kind == .damagedZip)
        #expect(error?.description.contains("To import what can be read, use --recover") == true)
        #expect(try store.engine.lastSequence() == 0)
        let report = try importing(path, into: store, keeps: true)
        #expect(report.added == archive.contents.contents)
        #expect(
            report.irregularities.keys.contains {
                $0.hasPrefix("the zip file is damaged: it has no directory at its end")
            })
        // The whole file adds nothing, and is not taken for one that is known.
        let again = try importing(archive.zip, into: store, keeps: false)
        #expect(again.addedCount == 0 && !again.isKnown)
    }

    @Test func aFileCutOffWithinItsMainFileIsReadUpToThere() throws {
        let archive = try DialectArchive.of("16.2")
        let whole = try withoutDirectory(archive.zip).whole
        let main = try #require(try ZipReader(path: archive.zip).entries.max { $0.size < $1.size })
        let path = try home.write(Array(whole[..<(main.offset + main.compressedSize / 2)]), as: "half.zip")
        let store = try ImportedStore()
        let report = try importing(path, into: store, keeps: true)
        #expect(report.addedCount > 100 && report.addedCount < archive.contents.contents.values.reduce(0, +))
        #expect(report.skips.contains { $0.reason == "it is truncated here" })
        #expect(report.irregularities.keys.contains { $0.contains("is cut off") })
        _ = try importing(archive.zip, into: store, keeps: false)
        let other = try ImportedStore()
        let first = try importing(archive.zip, into: other, keeps: false)
        #expect(try importing(archive.zip, into: store, keeps: true).alreadyThere == first.added)
    }

    @Test(.serialized, arguments: [false, true])
    func streamedAndStoredEntries(_ isStored: Bool) throws {
        // One entry with its sizes before it and one with its sizes after it, the second cut off at each byte.
        let text = Array(ArchiveText.file((0..<20).map { ArchiveText.record(value: "\($0)") }).utf8)
        let zip = handMade(name: "export.xml", text, isStored: isStored)
        let path = try home.write(zip, as: "made-\(isStored).zip")
        let entries = try ZipReader(path: path, name: path, recoversDamagedArchives: true).entries
        #expect(entries.map(\.name) == ["note.txt", "export.xml"])
        #expect(entries.last?.size == text.count)
        let report = try importing(path, into: try ImportedStore(), keeps: true)
        #expect(report.addedCount == 20)
        for length in stride(from: 0, to: zip.count, by: 17) {
            let path = try home.write(Array(zip[..<length]), as: "made.zip")
            _ = try? importing(path, into: try ImportedStore(), keeps: true)
        }
    }

    @Test func damagedHeadersEndTheScan() throws {
        var random = SplitMix64(seed: 5)
        let zip = handMade(name: "export.xml", Array("<HealthData>".utf8), isStored: false)
        for round in 0..<400 {
            var damaged = zip
            for _ in 0..<3 {
                damaged[Int.random(in: 4..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let path = try home.write(damaged, as: "damaged-\(round % 4).zip")
            let reader = try? ZipReader(path: path, name: path, recoversDamagedArchives: true)
            for entry in reader?.entries ?? [] { _ = try? reader?.stream(of: entry).contents() }
        }
    }

    /// A stored entry with sizes and an entry without, followed by a descriptor, and no directory.
    private func handMade(name: String, _ contents: [UInt8], isStored: Bool) -> [UInt8] {
        func sum(_ bytes: [UInt8]) -> UInt32 {
            var sum: UInt32 = 0xFFFF_FFFF
            for byte in bytes {
                sum ^= UInt32(byte)
                for _ in 0..<8 {
                    let isOdd = sum & 1 == 1
                    sum >>= 1
                    if isOdd { sum ^= 0xEDB8_8320 }
                }
            }
            return ~sum
        }
        let crc = sum(contents)
        func header(_ name: String, method: UInt16, flags: UInt16, size: Int, crc: UInt32 = 0) -> [UInt8] {
            var bytes: [UInt8] = []
            bytes.append(littleEndian: ZipFormat.localHeader)
            for field in [20, flags, method, 0, 0x21] as [UInt16] { bytes.append(littleEndian: field) }
            for field in [crc, UInt32(size), UInt32(size)] { bytes.append(littleEndian: field) }
            bytes.append(littleEndian: UInt16(name.utf8.count))
            bytes.append(littleEndian: UInt16(0))
            return bytes + Array(name.utf8)
        }
        let note = Array("hello".utf8)
        let first = header("note.txt", method: 0, flags: 0, size: note.count, crc: sum(note)) + note
        // As one block of deflate's own stored kind.
        var deflated: [UInt8] = [1]
        deflated.append(littleEndian: UInt16(contents.count))
        deflated.append(littleEndian: ~UInt16(contents.count))
        deflated += contents
        let body = isStored ? contents : deflated
        let second =
            header(
                name, method: isStored ? 0 : 8, flags: isStored ? 0 : ZipFormat.flagDescriptor,
                size: isStored ? body.count : 0,
                crc: isStored ? crc : 0) + body
        var descriptor: [UInt8] = []
        if !isStored {
            descriptor.append(littleEndian: ZipFormat.dataDescriptor)
            for field in [crc, UInt32(body.count), UInt32(contents.count)] { descriptor.append(littleEndian: field) }
        }
        return first + second + descriptor
    }
}
