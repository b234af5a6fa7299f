import Foundation
import HealthCompression
import HealthDevices
import HealthEngine
import HealthFiles
import HealthModel
import HealthStorage

/// A folder with the files of an archive that a test writes, and a store into which it is imported.
struct ArchiveFolder {
    let engine: HealthEngine
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("archive-\(UUID().uuidString)")

    /// - Parameter files: The bytes by path.
    init(_ files: [String: [UInt8]] = [:]) throws {
        engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, bytes) in files { try write(bytes, name) }
    }

    @discardableResult
    func write(_ bytes: [UInt8], _ name: String) throws -> String {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }

    func remove() { try? FileManager.default.removeItem(at: url) }

    /// A zip file with these files.
    static func zipped(_ files: [String: [UInt8]]) throws -> [UInt8] {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).zip")
        defer { try? FileManager.default.removeItem(at: path) }
        let zip = try ZipWriter(path: path.path)
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
            try zip.beginEntry(name)
            try zip.write(bytes)
        }
        try zip.finish()
        return [UInt8](try Data(contentsOf: path))
    }

    func importing(_ path: String? = nil, columns: String? = nil, zone: String? = "Europe/Berlin") throws
        -> ImportReport?
    {
        try FileImporter.run(
            path: path ?? url.path, options: ImportOptions(timeZone: zone), columns: columns.map { Array($0.utf8) }
        ) { engine }
    }

    /// The units of the samples of a quantity type.
    func units(_ name: String) throws -> Set<String> {
        guard let type = TypeCatalog.description(for: "HKQuantityTypeIdentifier" + name) else { return [] }
        let found = try engine.samples(SampleRequest(parts: [.init(type: type.code)]), as: .reader)
        return Set(found.batches.flatMap { $0.units.map { found.dictionaries.unit($0) } })
    }

    /// All samples of a type in the order of their start, with those that belong to workouts.
    func samples(_ name: String) throws -> [(value: Double, start: Double, end: Double)] {
        let type =
            TypeCatalog.description(for: "HKQuantityTypeIdentifier" + name)
            ?? TypeCatalog.description(
                for: "HKCategoryTypeIdentifier" + name)
        guard let code = type?.code else { return [] }
        return try engine.withReader(as: .reader) { reader in
            try reader.pages(of: code).flatMap { page in
                let rows = try reader.rows(of: page, columns: [.starts, .ends, .values])
                return zip(rows.values, zip(rows.starts, rows.ends)).map { (value: $0, start: $1.0, end: $1.1) }
            }
        }.sorted { ($0.start, $0.end, $0.value) < ($1.start, $1.end, $1.value) }
    }

    func workouts() throws -> [ObjectRecord] {
        guard let type = TypeCatalog.description(for: "HKWorkoutTypeIdentifier") else { return [] }
        return try engine.withReader(as: .reader) { reader in
            try reader.objects(of: type.code).compactMap { try reader.object($0.sequence) }
        }.sorted { $0.start < $1.start }
    }
}

extension FileImporter {
    /// Imports with the readers of devices and services.
    static func run(
        path: String, name: String? = nil, options: ImportOptions, columns: [UInt8]? = nil,
        isInterrupted: @escaping @Sendable () -> Bool = { false }, opening: () throws -> HealthEngine
    ) throws -> ImportReport? {
        try run(
            path: path, name: name, options: options, registry: FileRegistry(FileRegistry.devices(columns: columns)),
            isInterrupted: isInterrupted, opening: opening)
    }
}

extension ImportReport {
    /// The number of files that were not read, by the beginning of the reason.
    func unreadCount(_ reason: String) -> Int {
        unread.reduce(0) { $0 + ($1.reason.hasPrefix(reason) ? $1.count : 0) }
    }
}
