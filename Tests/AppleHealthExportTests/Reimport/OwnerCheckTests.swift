@testable import AppleHealthExport
import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthFiles
import HealthImport
import HealthModel
import HealthStorage
import Testing

/// Nothing of another person's archive is stored, wherever its owner is in the file.
@Suite struct OwnerCheckTests {
    private let folder: TemporaryFolder
    private static let steps = "HKQuantityTypeIdentifierStepCount"

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func me(_ sex: String) -> String {
        "<Me HKCharacteristicTypeIdentifierBiologicalSex=\"HKBiologicalSex\(sex)\"/>"
    }

    private static func text(_ sex: String, records: Int, meBehind place: Int) -> String {
        var elements = (0..<records).map {
            ArchiveText.record(
                start: "2024-03-01 10:\(10 + $0 / 60 % 50):\(10 + $0 % 50) +0100", end: "2024-03-01 12:00:00 +0100",
                value: "\($0)")
        }
        elements.insert(me(sex), at: place)
        return ArchiveText.file(elements)
    }

    private func zip(_ text: String) throws -> String {
        let writer = try ZipWriter(path: folder.path + "/export.zip")
        try writer.beginEntry("apple_health_export/export.xml")
        try writer.write(Array(text.utf8))
        try writer.finish()
        return folder.path + "/export.zip"
    }

    @Test(arguments: [0, 1, 99, 450, 1_000], ["xml", "folder", "zip"])
    func nothingOfAnotherPersonIsImported(_ place: Int, _ form: String) throws {
        let store = try ImportedStore()
        try store.run(folder.write(Self.text("Female", records: 3, meBehind: 3), as: "own/export.xml"))
        let before = try StoreImage(store.engine)
        let text = Self.text("Male", records: 1_000, meBehind: place)
        let path =
            switch form {
            case "xml": try folder.write(text, as: "other/export.xml")
            case "folder": String(try folder.write(text, as: "other/export.xml").dropLast("/export.xml".count))
            default: try zip(text)
            }
        let error = #expect(throws: ImportError.self) { try store.run(path, batchSize: 100) }
        #expect(error?.kind == .anotherPerson)
        #expect(try StoreImage(store.engine) == before)
        #expect(try store.engine.imports.person()?.biologicalSex == 1)
        // It is imported on request; the person's own archive always is.
        try store.run(
            folder.write(Self.text("Female", records: 1_000, meBehind: place), as: "own/export.xml"), batchSize: 100)
        #expect(try store.samples(Self.steps).count == 1_000)
    }

    @Test("Up to three batches of a stream that cannot be read twice are held back")
    func streamsHoldBatches() throws {
        for (place, stored) in [(0, 0), (1, 0), (399, 0), (400, 400), (1_000, 1_000)] {
            let engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
            let run = ImportRun(engine: engine, byteCount: nil, batchesHeld: 3, progress: nil) { header in
                if PersonReader.person(header.characteristics).biologicalSex == 2 {
                    throw ImportError(.anotherPerson, "other")
                }
            }
            var parser = ArchiveParser(
                source: MemorySource(Array(Self.text("Male", records: 1_000, meBehind: place).utf8)),
                options: .init(batchSize: 100, usesTemplates: false), sink: run)
            #expect(throws: ImportError.self) { try parser.run() }
            run.abandon()
            let owner = Caller(
                revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "test", name: "test")),
                permission: .owner)
            #expect(try engine.typeOverview(as: owner).reduce(0) { $0 + $1.count } == stored, "behind \(place)")
        }
        // A stream without an owner is imported completely.
        let engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
        let run = ImportRun(engine: engine, byteCount: nil, batchesHeld: 3, progress: nil) { _ in }
        var parser = ArchiveParser(
            source: MemorySource(Array(ArchiveText.file([ArchiveText.record()]).utf8)), options: .init(), sink: run)
        try parser.run()
        #expect(try run.finish().added == [Self.steps: 1])
    }
}
