@testable import AppleHealthExport
import AppleHealthGenerator
import ArchiveTestSupport
import Foundation
import HealthFiles
import Testing

@Suite(.serialized) struct StandardInputTests {
    /// Opens the archive from a pipe that another thread fills.
    private func archive(_ bytes: [UInt8]) throws -> LocatedArchive {
        let pipe = Pipe()
        let writer = pipe.fileHandleForWriting
        let filler = Thread {
            try? writer.write(contentsOf: Data(bytes))
            try? writer.close()
        }
        filler.start()
        let located = try StandardInput.open(descriptor: pipe.fileHandleForReading.fileDescriptor, growth: .bounded)
        kept.add(pipe)
        return located
    }

    /// Keeps pipes open as long as their readers.
    private final class Kept {
        var pipes: [Pipe] = []
        func add(_ pipe: Pipe) { pipes.append(pipe) }
    }

    private let kept = Kept()

    private func contents(_ source: any ByteSource) throws -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 70_001)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try source.readFully(into: $0) }
            if count == 0 { return all }
            all += buffer[..<count]
        }
    }

    @Test func xmlIsReadUnchanged() throws {
        let bytes = try DialectArchive.of("12").bytes()
        let located = try archive(bytes)
        #expect(located.main.name == "standard input" && located.main.byteCount == nil)
        #expect(try contents(located.main) == bytes)
    }

    @Test func aZipFileKeepsItsAuxiliaryFiles() throws {
        let dialect = try DialectArchive.of("18.1")
        let located = try archive([UInt8](Data(contentsOf: URL(fileURLWithPath: dialect.zip))))
        #expect(located.main.name == "standard input: apple_health_export/export.xml")
        #expect(try contents(located.main) == dialect.bytes())
        #expect(
            located.auxiliaryFiles.paths(inFolder: "workout-routes").count
                == dialect.contents.contents["HKWorkoutRouteTypeIdentifier"])
        // The file it is kept in has no name.
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
        }
        let kept = open.filter { $0.contains(/\/archive-[A-Za-z0-9]{6}( |$)/) }
        #expect(!kept.isEmpty && kept.allSatisfy { $0.hasSuffix(" (deleted)") })
        withExtendedLifetime(located) {}
    }

    @Test func aRedirectedFileIsReadInPlace() throws {
        let dialect = try DialectArchive.of("18.1")
        for path in [dialect.zip, dialect.xml] {
            let handle = try #require(FileHandle(forReadingAtPath: path))
            let located = try StandardInput.open(descriptor: handle.fileDescriptor, growth: .bounded)
            #expect(located.main.byteCount != nil && located.main.name.hasPrefix("standard input"))
            #expect(try contents(located.main) == dialect.bytes())
        }
    }

    @Test func aDamagedRedirectedZipFileIsAnImportError() throws {
        let folder = try TemporaryFolder()
        let handle = try #require(FileHandle(forReadingAtPath: folder.write([0x50, 0x4B, 3, 4, 0, 0], as: "cut.zip")))
        do {
            _ = try StandardInput.open(descriptor: handle.fileDescriptor, growth: .bounded)
            Issue.record("It is not a zip file")
        } catch {
            #expect((error as? ImportError)?.kind == .damagedZip)
            #expect(
                "\(error)"
                    == "The zip file “standard input” is damaged: it is too short to have a directory. To import what can be read, use --recover (ImportOptions.recoversDamagedArchives)."
            )
        }
    }

    @Test func errorsNameStandardInput() throws {
        for (bytes, kind, sentence) in [
            ([], ImportError.Kind.notAnExport, "“standard input” is not an Apple Health export: it is empty."),
            (
                Array("dear diary".utf8), .notAnExport,
                "“standard input” is not an Apple Health export: it does not begin like one."
            ),
            (
                [0x50, 0x4B, 3, 4, 0, 0], .damagedZip,
                "The zip file “standard input” is damaged: it is too short to have a directory. To import what can be read, use --recover (ImportOptions.recoversDamagedArchives)."
            ),
        ] as [([UInt8], ImportError.Kind, String)] {
            do {
                _ = try archive(bytes)
                Issue.record("it isn't an archive")
            } catch {
                // What another reader may know still has its path.
                let other = error as? StandardInput.Other
                #expect((other != nil) == (kind == .notAnExport))
                let reason = other?.error ?? error as? ImportError
                #expect(reason?.kind == kind && reason?.description == sentence)
            }
        }
    }
}
