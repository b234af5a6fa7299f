@testable import HealthFiles
import ArchiveTestSupport
import Foundation
import HealthTesting
import Testing

@Suite struct ZipReaderTests {
    private func contents() -> [(String, [UInt8])] {
        var random = SplitMix64(seed: 31)
        return [
            (
                "apple_health_export/Exportieren.xml",
                Array(String(repeating: "<Record a=\"1\"/>\n", count: 40_000).utf8)
            ),
            ("apple_health_export/导出.xml", (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &random) }),
            ("empty", []), ("one", [7]),
        ]
    }

    /// One entry whose offset and size are almost as large as an integer can be.
    @Test(arguments: [1 << 60, 1 << 62] as [UInt64])
    func impossibleSizesAreErrors(size: UInt64) throws {
        func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian, Array.init)
        }
        let extra = bytes(UInt16(1)) + bytes(UInt16(24)) + bytes(UInt64(1)) + bytes(size - 1) + bytes(size - 1)
        let header =
            bytes(UInt32(0x0201_4B50)) + [UInt8](repeating: 0, count: 16) + bytes(UInt32.max) + bytes(UInt32.max)
            + bytes(UInt16(1))
            + bytes(UInt16(extra.count)) + [UInt8](repeating: 0, count: 10) + bytes(UInt32.max) + [0x61] + extra
        let end =
            bytes(UInt32(0x0605_4B50)) + [0, 0, 0, 0, 1, 0, 1, 0] + bytes(UInt32(header.count)) + bytes(UInt32(0)) + [
                0, 0,
            ]
        let folder = try TemporaryFolder()
        try Data(header + end).write(to: URL(fileURLWithPath: folder.path + "/a.zip"))
        do {
            // A size that a file could have is one that this one is too short for.
            let zip = try ZipReader(path: folder.path + "/a.zip")
            #expect(zip.entries.count == 1 && size == 1 << 60)
        } catch {
            #expect(error is ZipError)
        }
    }

    private func makeZip(_ options: ZipWriter.Options, in folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/a.zip"
        let writer = try ZipWriter(path: path, options: options)
        for (name, bytes) in contents() {
            try writer.beginEntry(name)
            for start in stride(from: 0, to: bytes.count, by: 70_001) {
                try writer.write(Array(bytes[start..<min(start + 70_001, bytes.count)]))
            }
        }
        try writer.finish()
        return path
    }

    @Test(arguments: ZipWriter.Options.variants)
    func readsFilesOfTheWriter(_ options: ZipWriter.Options) throws {
        let folder = try TemporaryFolder()
        let reader = try ZipReader(path: makeZip(options, in: folder))
        #expect(reader.entries.map(\.name) == contents().map(\.0))
        for (entry, (_, bytes)) in zip(reader.entries, contents()) {
            #expect(entry.size == bytes.count)
            #expect(try reader.stream(of: entry).contents() == bytes)
        }
    }

    @Test func findsTheDirectoryBeforeAComment() throws {
        let folder = try TemporaryFolder()
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: makeZip(.init(), in: folder))))
        bytes[bytes.count - 2] = 5
        let path = try folder.write(bytes + Array("hello".utf8), as: "b.zip")
        #expect(try ZipReader(path: path).entries.count == 4)
    }

    /// Without Zip64, the number of entries is written modulo 65,536.
    @Test func readsEveryEntryOfADirectoryWhoseCountIsTooSmall() throws {
        let folder = try TemporaryFolder()
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: makeZip(.init(), in: folder))))
        let end = bytes.count - ZipFormat.endLength
        bytes[end + 8] = 1
        bytes[end + 10] = 1
        let path = try folder.write(bytes, as: "b.zip")
        #expect(try ZipReader(path: path).entries.map(\.name) == contents().map(\.0))
    }

    /// Python's zipfile reads what the writer writes.
    @Test(arguments: ZipWriter.Options.variants)
    func otherToolsReadIt(_ options: ZipWriter.Options) throws {
        let folder = try TemporaryFolder()
        let run = try ExternalTool.python3.run([
            "-c",
            "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); sys.exit(0 if z.testzip() is None and len(z.namelist())==4 else 1)",
            makeZip(options, in: folder),
        ])
        #expect(run.status == 0)
    }

    @Test func damageIsAnError() throws {
        let folder = try TemporaryFolder()
        let whole = try [UInt8](Data(contentsOf: URL(fileURLWithPath: makeZip(.init(), in: folder))))
        var random = SplitMix64(seed: 32)
        var caught = 0
        for round in 0..<150 {
            let bytes: [UInt8]
            if round < 50 {
                bytes = Array(whole[..<Int.random(in: 0..<whole.count, using: &random)])
            } else {
                bytes = Mutation.apply(to: whole, from: 0, count: 3, using: &random)
            }
            let path = try folder.write(bytes, as: "damaged.zip")
            do {
                let zip = try ZipReader(path: path)
                for entry in zip.entries { _ = try zip.stream(of: entry).contents() }
            } catch is ZipError {
                caught += 1
            }
        }
        #expect(caught > 100, "seed 32")
    }

    @Test func refusesEncryptedAndUnknownMethods() throws {
        let folder = try TemporaryFolder()
        let path = try makeZip(.init(), in: folder)
        var entry = try ZipReader(path: path).entries[0]
        entry.methodNumber = 12
        #expect(throws: ZipError.self) { try ZipEntryStream(of: entry, in: path) }
        entry.methodNumber = 8
        entry.isEncrypted = true
        #expect(throws: ZipError.self) { try ZipEntryStream(of: entry, in: path) }
    }
}
