import HealthEngine
import HealthFiles
import HealthModel
import HealthImport
import HealthStorage
import Testing

@testable import AppleHealthExport

/// A store in memory, what was imported into it, and short ways to look.
struct ImportedStore {
    let engine: HealthEngine

    init() throws {
        engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
    }

    private let owner = Caller(
        revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "test", name: "test")), permission: .owner
    )

    @discardableResult
    func run(_ path: String, batchSize: Int = 500) throws -> ImportReport {
        try ArchiveImporter(engine: engine, options: .init(batchSize: batchSize)).run(path: path)
    }

    func samples(_ identifier: String) throws -> [PlainSample] {
        let type = try #require(try engine.dictionaries().type(identifier: identifier))
        let found = try engine.samples(SampleRequest(parts: [.init(type: type.code)]), as: owner)
        return found.batches.flatMap { PlainSample.list($0, found.dictionaries) }
    }

    func objects(_ identifier: String) throws -> [ObjectRecord] {
        guard let type = try engine.dictionaries().type(identifier: identifier) else { return [] }
        return try engine.samples(SampleRequest(parts: [.init(type: type.code)]), as: owner).objects
    }

    func expectWhole() throws {
        #expect(try engine.check().isEmpty)
    }
}
