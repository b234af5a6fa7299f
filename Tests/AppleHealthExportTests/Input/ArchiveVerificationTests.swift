@testable import AppleHealthExport
import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthFiles
import HealthModel
import Testing

/// Nothing of a zip archive with a wrong checksum is stored, unless it is asked to import what is intact.
@Suite struct ArchiveVerificationTests {
    private let home: TemporaryFolder
    private let steps = "HKQuantityTypeIdentifierStepCount"
    private static let count = 3_000

    init() throws {
        home = try TemporaryFolder()
    }

    /// A zip archive in which the last record has another value than its checksum says, and the intact one.
    private func archives() throws -> (damaged: String, intact: String) {
        let records = (0..<Self.count).map { ArchiveText.record(value: "\($0 + 1_000_000)") }
        let text = ArchiveText.file(["<Me HKCharacteristicTypeIdentifierDateOfBirth=\"1987-05-04\"/>"] + records)
        let intact = home.path + "/intact.zip"
        let writer = try ZipWriter(path: intact, options: .init(level: nil))
        try writer.beginEntry("apple_health_export/export.xml")
        try writer.write(Array(text.utf8))
        try writer.finish()
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: intact)))
        let place = try #require(bytes.firstRange(of: Array("\(Self.count - 1 + 1_000_000)".utf8)))
        bytes[place.upperBound - 1] = UInt8(ascii: "0")
        return (try home.write(bytes, as: "damaged.zip"), intact)
    }

    @Test(arguments: [10, 100_000])
    func nothingOfADamagedArchiveIsStored(batchSize: Int) throws {
        let (damaged, intact) = try archives()
        let store = try ImportedStore()
        let error = #expect(throws: ImportError.self) { try store.run(damaged, batchSize: batchSize) }
        #expect(error?.kind == .damagedZip && error?.description.hasSuffix("does not match its checksum.") == true)
        #expect(try store.engine.lastSequence() == 0 && store.engine.imports.person() == nil)
        #expect(try store.run(intact, batchSize: batchSize).addedCount == Self.count)
    }

    @Test func existingFilesAreKeptOnRequest() throws {
        let (damaged, intact) = try archives()
        let store = try ImportedStore()
        var options = ImportOptions(batchSize: 500)
        options.recoversDamagedArchives = true
        let report = try ArchiveImporter(engine: store.engine, options: options).run(path: damaged)
        #expect(report.addedCount >= Self.count - 1)
        #expect(report.irregularities.keys.contains { $0.hasPrefix("the zip file is damaged: ") })
        // It is read again the next time, and the intact archive adds what was wrong.
        #expect(try !ArchiveImporter(engine: store.engine, options: options).run(path: damaged).isKnown)
        #expect(try store.run(intact).addedCount == 1)
    }

    @Test(arguments: [0, 10])
    func aTruncatedFileIsReadUpToItsEnd(missing: Int) throws {
        let text = ArchiveText.file((0..<20).map { ArchiveText.record(value: "\($0)") })
        let cut = try #require(text.range(of: "value=\"15\"")).lowerBound
        let bytes = Array(text[..<cut].utf8).dropLast(missing)
        let path = try home.write(Array(bytes), as: "cut.xml")
        let store = try ImportedStore()
        let error = #expect(throws: ImportError.self) { try store.run(path) }
        #expect(error?.kind == .truncated && error?.description.contains("--recover") == true)
        var options = ImportOptions()
        options.recoversDamagedArchives = true
        let other = try ImportedStore()
        let report = try ArchiveImporter(engine: other.engine, options: options, archive: .init(mirrors: true)).run(
            path: path)
        #expect(report.added == [steps: 15] && report.skipped == ["HealthData": 1])
        #expect(report.skips.map(\.reason) == ["it is truncated here"] && report.removedCount == 0)
        #expect(try other.run(home.write(text, as: "whole.xml")).addedCount == 5)
    }
}
