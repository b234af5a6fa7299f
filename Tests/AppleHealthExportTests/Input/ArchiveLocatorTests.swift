@testable import AppleHealthExport
import ArchiveTestSupport
import Foundation
import HealthFiles
import Testing

@Suite struct ArchiveLocatorTests {
    private let export = ArchiveText.file([ArchiveText.record()])
    private let clinical = "<?xml version=\"1.0\"?>\n<ClinicalDocument xmlns=\"urn:hl7-org:v3\"></ClinicalDocument>"

    private func text(_ path: String) throws -> String {
        let source = try ArchiveLocator.locate(path)
        var bytes = [UInt8](repeating: 0, count: 100_000)
        let count = try bytes.withUnsafeMutableBytes { try source.readFully(into: $0) }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private func kind(_ path: String) -> ImportError.Kind? {
        do {
            _ = try ArchiveLocator.locate(path)
            return nil
        } catch {
            return (error as? ImportError)?.kind
        }
    }

    @Test(arguments: [
        "export.xml", "eksport.xml", "vienti.xml", "Exportieren.xml", "导出.xml", "dışa aktarılan.xml", "x.txt",
    ])
    func acceptsAFileWithAnyName(_ name: String) throws {
        let folder = try TemporaryFolder()
        #expect(try text(folder.write(export, as: name)) == export)
    }

    @Test(
        arguments: [
            ("export.xml.gz", [0x1F, 0x8B, 8], "compressed with gzip. Unpack it with gunzip"),
            ("export.tgz", [0x1F, 0x8B, 8], "a tar archive compressed with gzip. Unpack it with tar -xf"),
            ("export.tar.gz", [0x1F, 0x8B, 8], "a tar archive compressed with gzip. Unpack it with tar -xf"),
            ("export.7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive. Unpack it with 7z x"),
            ("export.xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "compressed with xz. Unpack it with unxz"),
            ("export.bz2", Array("BZh9".utf8), "compressed with bzip2. Unpack it with bunzip2"),
            ("export.zst", [0x28, 0xB5, 0x2F, 0xFD], "compressed with zstd. Unpack it with unzstd"),
            ("export.rar", Array("Rar!".utf8), "a RAR archive. Unpack it with unrar x"),
            (
                "export.tar", [UInt8](repeating: 0, count: 257) + Array("ustar".utf8) + [0, 0],
                "a tar archive. Unpack it with tar -xf"
            ),
        ] as [(String, [UInt8], String)])
    func otherContainersAreNamed(_ name: String, _ bytes: [UInt8], _ hint: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, as: name)
        let error = #expect(throws: ImportError.self) { try ArchiveLocator.locate(path) }
        #expect(error?.kind == .notAnExport)
        #expect(error?.description.hasPrefix("“\(path)” is \(hint)") == true, "\(error?.description ?? "")")
    }

    @Test func aWebPageIsNamed() throws {
        let folder = try TemporaryFolder()
        for page in ["<!DOCTYPE html>", "\n <html lang=\"de\">", "\u{FEFF}<HTML>"] {
            let path = try folder.write(page, as: "export.zip")
            let error = #expect(throws: ImportError.self) { try ArchiveLocator.locate(path) }
            #expect(error?.description.hasPrefix("“\(path)” is a web page") == true, "\(error?.description ?? "")")
        }
    }

    @Test func anArchiveInAnArchiveIsNamed() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/outer.zip"
        let writer = try ZipWriter(path: path)
        try writer.beginEntry("things/readme.txt")
        try writer.write(Array("hello".utf8))
        try writer.beginEntry("things/export.zip")
        try writer.write([0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18))
        try writer.finish()
        let error = #expect(throws: ImportError.self) { try ArchiveLocator.locate(path) }
        #expect(error?.kind == .noExportInside)
        #expect(error?.description.hasSuffix("it contains “things/export.zip”. Unpack it, and import that.") == true)
    }

    /// Writes an export as a zip file, and returns its path and bytes.
    private func zipFile(in folder: TemporaryFolder) throws -> (path: String, bytes: [UInt8]) {
        let path = folder.path + "/export.zip"
        let writer = try ZipWriter(path: path)
        try writer.beginEntry("apple_health_export/export.xml")
        try writer.write(Array(export.utf8))
        try writer.finish()
        return (path, try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
    }

    /// The first bit of the flags, in the local header and in the directory, says that an entry is encrypted.
    @Test func aPasswordIsNamed() throws {
        let folder = try TemporaryFolder()
        let (path, written) = try zipFile(in: folder)
        var bytes = written
        for start in bytes.indices.dropLast(8) where bytes[start...].starts(with: [0x50, 0x4B]) {
            switch (bytes[start + 2], bytes[start + 3]) {
            case (3, 4): bytes[start + 6] |= 1
            case (1, 2): bytes[start + 8] |= 1
            default: break
            }
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: ImportError.self) { try ArchiveLocator.locate(path) }
        #expect(
            error?.description
                == "The zip file “\(path)” is protected with a password. Unpack it with 7z x, and import the folder.")
    }

    @Test(arguments: ["", "apple_health_export/", "outer/apple_health_export/"])
    func findsTheFileInAFolder(_ prefix: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(export, as: prefix + "exportar.xml")
        try folder.write(clinical, as: prefix + "export_cda.xml")
        try folder.write("<x/>", as: prefix + "other.xml")
        try folder.write("junk", as: "__MACOSX/" + prefix + "._exportar.xml")
        try folder.write(ArchiveText.file(Array(repeating: ArchiveText.record(), count: 50)), as: "__MACOSX/export.xml")
        #expect(try text(folder.path) == export)
    }

    @Test(arguments: ["apple_health_export/export.xml", "apple_health_export/导出.xml", "mine.xml"])
    func findsTheEntryInAZip(_ name: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/any name.dat"
        let writer = try ZipWriter(path: path)
        for (entry, contents) in [
            ("__MACOSX/apple_health_export/export.xml", export + export), ("apple_health_export/.DS_Store", "x"),
            ("apple_health_export/export_cda.xml", clinical), ("apple_health_export/a.gpx", "<gpx/>"), (name, export),
            ("apple_health_export/big.xml", String(repeating: "<x/>", count: 10_000)),
        ] {
            try writer.beginEntry(entry)
            try writer.write(Array(contents.utf8))
        }
        try writer.finish()
        #expect(try text(path) == export)
    }

    @Test func aZipFileInAFolderIsNamed() throws {
        let folder = try TemporaryFolder()
        try folder.write([0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18), as: "2024/export.zip")
        let error = #expect(throws: ImportError.self) { try ArchiveLocator.locate(folder.path) }
        #expect(error?.kind == .noExportInside)
        #expect(error?.description.hasSuffix("it contains “2024/export.zip”. Import that.") == true)
    }

    @Test func otherExportsInAFolderAreNamed() throws {
        let folder = try TemporaryFolder()
        try folder.write(export, as: "2023/export.xml")
        try folder.write(export + "\n", as: "2024/export.xml")
        let archive = try ArchiveLocator.open(folder.path)
        #expect(archive.main.name.hasSuffix("/2024/export.xml") && archive.others == ["2023/export.xml"])
    }

    /// As Windows compresses large files.
    @Test func anotherCompressionIsNamed() throws {
        let folder = try TemporaryFolder()
        let (path, written) = try zipFile(in: folder)
        var bytes = written
        bytes[bytes.firstRange(of: [0x50, 0x4B, 1, 2])!.lowerBound + 10] = 9
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: ImportError.self) { try ArchiveLocator.locate(path) }
        #expect(
            error?.description
                == "The zip file “\(path)” is compressed with Deflate64, which is not supported. Unpack it with 7z x, and import the folder."
        )
    }

    @Test func reportsErrors() throws {
        let folder = try TemporaryFolder()
        #expect(kind(folder.path + "/nothing") == .notFound)
        #expect(kind(folder.path) == .noExportInside)
        #expect(kind(try folder.write("", as: "empty.xml")) == .notAnExport)
        #expect(kind(try folder.write("<html/>", as: "page.html")) == .notAnExport)
        #expect(kind(try folder.write(clinical, as: "export_cda.xml")) == .notAnExport)
        #expect(kind(try folder.write(String(repeating: " ", count: 2_000) + export, as: "late.xml")) == .notAnExport)
        #expect(kind(try folder.write([0x50, 0x4B, 3, 4, 0, 0], as: "torn.zip")) == .damagedZip)
        let writer = try ZipWriter(path: folder.path + "/other.zip")
        try writer.beginEntry("a.xml")
        try writer.write(Array(clinical.utf8))
        try writer.finish()
        #expect(kind(folder.path + "/other.zip") == .noExportInside)
        #expect(kind("/dev/null") == .unreadable)
    }

    @Test func errorsAreOneSentence() throws {
        do {
            _ = try ArchiveLocator.locate("/nowhere/export.zip")
            Issue.record("there is nothing")
        } catch {
            #expect(
                "\(error)"
                    == "“/nowhere/export.zip” does not exist. Give the path of an export.zip, of its folder or of its XML file."
            )
        }
    }
}
