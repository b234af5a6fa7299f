import AppleHealthExport
import Foundation
import HealthCompression
import HealthDevices
import HealthEngine
import HealthStorage
import Testing

@Suite("Importing files of devices")
struct DeviceImporterTests {
    private let engine: HealthEngine
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("devices-\(UUID().uuidString)")

    init() throws {
        engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func write(_ bytes: [UInt8], _ name: String) throws -> String {
        let file = folder.appendingPathComponent(name)
        try Data(bytes).write(to: file)
        return file.path
    }

    private func importing(_ path: String, _ options: ImportOptions = .init()) throws -> ImportReport? {
        try DeviceImporter.run(path: path, options: options) { engine }
    }

    @Test("The same file again, compressed or in a folder, adds nothing")
    func again() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let bytes = FITFileWriter.run.file()
        let first = try #require(try importing(write(bytes, "run.bin")))
        #expect(first.added["HKWorkoutTypeIdentifier"] == 1)
        #expect(first.added["HKWorkoutRouteTypeIdentifier"] == 1)
        #expect(first.added["HKQuantityTypeIdentifierHeartRate"] == 99)
        let packed = try write(Deflater.deflated(bytes, format: .gzip), "run.fit.gz")
        for path in [packed, folder.path] {
            let report = try #require(try importing(path))
            #expect(report.added == [:], "\(path)")
            #expect(report.alreadyThereCount > 0)
            #expect(report.skips.map(\.reason) == [])
        }
    }

    @Test("Other files are not claimed, damaged ones are refused or reported, and --mirror is refused")
    func refusals() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try importing(write(Array("<HealthData>".utf8), "export.xml")) == nil)
        #expect(try importing(folder.path) == nil)
        let bytes = FITFileWriter.run.file()
        var wrong = bytes
        wrong[500] ^= 1
        let damaged = try write(wrong, "wrong.fit")
        #expect(throws: ImportError.self) { try importing(damaged) }
        let cut = try #require(try importing(write(Array(bytes[..<1_500]), "cut.fit")))
        #expect(cut.addedCount > 0 && cut.skips.count == 1 && cut.skips[0].byte != nil)
        #expect(throws: ImportError.self) { try importing(damaged, ImportOptions(mirrors: true)) }
    }
}
