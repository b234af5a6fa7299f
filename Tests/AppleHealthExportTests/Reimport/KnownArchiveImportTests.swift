@testable import AppleHealthExport
import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthFiles
import HealthModel
import HealthStorage
import Testing

/// Imports of identical and of changed archives.
@Suite struct KnownArchiveImportTests {
    private let folder: TemporaryFolder
    private let engine: HealthEngine
    private let steps = "HKQuantityTypeIdentifierStepCount"
    private let owner = Caller(
        revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "test", name: "test")), permission: .owner
    )

    init() throws {
        folder = try TemporaryFolder()
        engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
    }

    private let me = "<Me HKCharacteristicTypeIdentifierDateOfBirth=\"1985-03-12\"/>"

    private func file(_ minutes: Range<Int>) -> String {
        ArchiveText.file(
            [me]
                + minutes.map {
                    ArchiveText.record(
                        start: "2024-03-01 10:\(10 + $0):00 +0100", end: "2024-03-01 10:\(10 + $0):30 +0100")
                }
                + [ArchiveText.record(value: "many")])
    }

    private func run(_ path: String, _ options: ArchiveOptions = .init()) throws -> ImportReport {
        var report = try ArchiveImporter(engine: engine, archive: options).run(path: path)
        report.seconds = 0
        return report
    }

    @Test func theReportIsTheSameAsIfItHadBeenRead() throws {
        let path = try folder.write(file(0..<40), as: "export.xml")
        let first = try run(path)
        #expect(!first.isKnown && first.added == [steps: 40])
        var known = try run(path)
        let read = try run(path, .init(skipsKnownArchives: false))
        #expect(known.isKnown && !read.isKnown)
        known.isKnown = false
        #expect(known == read)
        #expect(read.alreadyThere == [steps: 40] && read.skipped == [steps: 1] && read.bytes == first.bytes)
    }

    @Test func anotherNameOfTheSameBytesIsKnown() throws {
        _ = try run(folder.write(file(0..<40), as: "export.xml"))
        #expect(try run(folder.write(file(0..<40), as: "elsewhere/Exportieren.xml")).isKnown)
    }

    @Test func aChangeOfOneByteIsRead() throws {
        _ = try run(folder.write(file(0..<40), as: "export.xml"))
        let changed = file(0..<40).replacingOccurrences(of: "10:12:00", with: "10:12:01")
        let report = try run(folder.write(changed, as: "export.xml"))
        #expect(!report.isKnown && report.added == [steps: 1])
    }

    @Test func deletedSamplesAreImportedAgain() throws {
        let path = try folder.write(file(0..<10), as: "export.xml")
        _ = try run(path)
        let type = try #require(try engine.dictionaries().type(identifier: steps))
        try engine.deleteObjects(
            of: type.code, matching: .start(.lessThan, ArchiveText.instant(2024, 3, 1, 9, 13)), as: owner)
        let report = try run(path)
        #expect(!report.isKnown && report.added == [steps: 3] && report.alreadyThere == [steps: 7])
        #expect(try run(path).isKnown)
    }

    @Test func aClearedCharacteristicIsImportedAgain() throws {
        let path = try folder.write(file(0..<10), as: "export.xml")
        _ = try run(path)
        try engine.profile.update { $0.dateOfBirth = nil }
        #expect(try run(path).characteristicsAdded == ["HKCharacteristicTypeIdentifierDateOfBirth"])
        #expect(try engine.profile.read().dateOfBirth == Profile.Day(year: 1985, month: 3, day: 12))
    }

    @Test func afterAnotherArchiveItIsReadAgain() throws {
        let path = try folder.write(file(0..<10), as: "export.xml")
        _ = try run(path)
        _ = try run(folder.write(file(0..<20), as: "newer.xml"))
        let report = try run(path)
        #expect(!report.isKnown && report.added == [:] && report.alreadyThere == [steps: 10])
    }

    @Test func zipsAreKnownByTheirBytes() throws {
        let path = folder.path + "/export.zip"
        let writer = try ZipWriter(path: path)
        try writer.beginEntry("apple_health_export/export.xml")
        try writer.write(Array(file(0..<20).utf8))
        try writer.finish()
        #expect(try !run(path).isKnown)
        let again = try run(path)
        #expect(again.isKnown && again.alreadyThere == [steps: 20])
        // Unzipped it is another file, with the same in it.
        let report = try run(folder.write(file(0..<20), as: "export.xml"))
        #expect(!report.isKnown && report.added == [:])
    }

    @Test func anAuxiliaryFileThatChangedIsNoticed() throws {
        _ = try folder.write(file(0..<10), as: "a/export.xml")
        _ = try folder.write("<gpx/>", as: "a/workout-routes/route.gpx")
        _ = try run(folder.path + "/a")
        #expect(try run(folder.path + "/a").isKnown)
        _ = try folder.write("<gpx></gpx>", as: "a/workout-routes/route.gpx")
        #expect(try !run(folder.path + "/a").isKnown)
        _ = try folder.write("<gpx></gpx>", as: "a/workout-routes/another.gpx")
        #expect(try !run(folder.path + "/a").isKnown)
    }

    @Test func mirroringAlwaysReads() throws {
        let path = try folder.write(ArchiveText.file([ArchiveText.record()]), as: "export.xml")
        _ = try run(path)
        #expect(try !run(path, .init(mirrors: true)).isKnown)
    }
}
