import ArchiveTestSupport
import Foundation
import HealthEngine
@testable import HealthFiles
import Testing

@testable import AppleHealthExport

/// Small zip files that expand to much.
@Suite struct ZipBombTests {
    private let home: TemporaryFolder

    init() throws {
        home = try TemporaryFolder()
    }

    private func zip(_ files: [(String, [UInt8])], as name: String = "a.zip") throws -> [UInt8] {
        let path = home.path + "/" + name
        let writer = try ZipWriter(path: path)
        for (name, bytes) in files {
            try writer.beginEntry(name)
            try writer.write(bytes)
        }
        try writer.finish()
        return try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func importError(_ bytes: [UInt8]) throws -> ImportError? {
        let path = try home.write(bytes, as: "bomb.zip")
        do {
            try ImportedStore().run(path)
            return nil
        } catch {
            return error as? ImportError
        }
    }

    private static let main: (String, [UInt8]) = (
        "apple_health_export/export.xml", Array(ArchiveText.file([ArchiveText.record()]).utf8)
    )

    /// One file of compressed data under many names: each name costs 50 bytes and refers to all of it.
    @Test func entriesThatShareTheirDataAreDamage() throws {
        var bytes = try zip([
            Self.main, ("apple_health_export/electrocardiograms/a.csv", [UInt8](repeating: 32, count: 200_000)),
        ])
        let end = bytes.count - ZipFormat.endLength
        let start = Int(bytes.littleEndian(end + 16, as: UInt32.self))
        var last = start
        while bytes.littleEndian(last + 42, as: UInt32.self) == 0 {
            last +=
                46 + Int(bytes.littleEndian(last + 28, as: UInt16.self))
                + Int(bytes.littleEndian(last + 30, as: UInt16.self))
        }
        let entry = Array(bytes[last..<end])
        let copies = 1_000
        bytes.replaceSubrange(end..<end, with: (0..<copies).flatMap { _ in entry })
        let newEnd = end + copies * entry.count
        for (offset, number) in [(8, UInt32(copies + 2)), (10, UInt32(copies + 2))] {
            bytes[newEnd + offset] = UInt8(number & 255)
            bytes[newEnd + offset + 1] = UInt8(number >> 8)
        }
        let length = UInt32(newEnd - start)
        for place in 0..<4 { bytes[newEnd + 12 + place] = UInt8(truncatingIfNeeded: length >> UInt32(8 * place)) }
        let path = try home.write(bytes, as: "shared.zip")
        let error = #expect(throws: ZipError.self) { try ZipReader(path: path) }
        #expect(error?.description.contains("overlap") == true, "\(error.map { "\($0)" } ?? "")")
        #expect(try importError(bytes)?.kind == .damagedZip)
    }

    /// An archive in an archive is not unpacked.
    @Test func nestedArchivesAreNotOpened() throws {
        var inner = try zip([Self.main], as: "0.zip")
        for level in 1...8 { inner = try zip([("export.zip", inner), ("copy.zip", inner)], as: "\(level).zip") }
        #expect(try importError(inner)?.kind == .noExportInside)
    }

    /// Sizes in the directory are claims: neither memory nor time is spent on them.
    @Test(arguments: [UInt32(0), 1, 0x7FFF_FFFF, 0xFFFF_FFFE])
    func wrongSizes(_ size: UInt32) throws {
        var bytes = try zip([Self.main])
        let end = bytes.count - ZipFormat.endLength
        let start = Int(bytes.littleEndian(end + 16, as: UInt32.self))
        for place in 0..<4 { bytes[start + 24 + place] = UInt8(truncatingIfNeeded: size >> UInt32(8 * place)) }
        #expect(try importError(bytes)?.kind == .damagedZip)
        for place in 0..<4 { bytes[start + 20 + place] = UInt8(truncatingIfNeeded: size >> UInt32(8 * place)) }
        let kind = try importError(bytes)?.kind
        #expect(
            kind == .damagedZip || kind == .noExportInside || kind == .truncated || kind == .notAnExport,
            "\(String(describing: kind))")
    }
}
