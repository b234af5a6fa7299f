@testable import AppleHealthExport
import AppleHealthGenerator
import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthFiles
import HealthModel
import Testing

/// Zip files as various tools write them; all contain the same archive of iOS 18.
@Suite("Zip quirks") struct ZipQuirkTests {
    private let home: TemporaryFolder
    private let archive: DialectArchive
    /// Everything in the archive, by path below its folder.
    private let files: [(name: String, bytes: [UInt8])]

    init() throws {
        home = try TemporaryFolder()
        archive = try DialectArchive.of("18.1")
        let reader = try ZipReader(path: archive.zip)
        files = try reader.entries.map {
            (String($0.name.dropFirst("apple_health_export/".count)), try reader.stream(of: $0).contents())
        }
    }

    private func write(
        _ name: String = "a.zip", _ options: ZipWriter.Options = .init(),
        renaming: (String) -> String = { "apple_health_export/" + $0 },
        before: [(String, [UInt8])] = [], after: [(String, [UInt8])] = []
    ) throws -> String {
        let path = home.path + "/" + name
        let writer = try ZipWriter(path: path, options: options)
        for (name, bytes) in before + files.map({ (renaming($0.name), $0.bytes) }) + after {
            try writer.beginEntry(name)
            if !bytes.isEmpty { try writer.write(bytes) }
        }
        try writer.finish()
        return path
    }

    /// The import finds everything, auxiliary files too.
    private func expectAll(_ path: String, _ comment: String = "") throws {
        let store = try ImportedStore()
        let report = try store.run(path)
        #expect(report.added == archive.contents.contents, "\(comment)")
        #expect(report.skipped == [:], "\(comment)")
    }

    @Test(
        "Stored, with sizes before or behind, in 64 bits, under flagged names or not",
        arguments: ZipWriter.Options.variants)
    func variants(options: ZipWriter.Options) throws {
        try expectAll(write("variant.zip", options))
    }

    @Test(
        "Under any name, in any folder or none",
        arguments: ["", "apple_health_export/", "Export 2025/Gesundheit/", "a/b/c/d/", "./", "/", "C:\\x/"])
    func folders(prefix: String) throws {
        try expectAll(write("photo.dat", renaming: { prefix + $0 }))
    }

    @Test("The main file has a localized name, in UTF-8 or an old code page, flagged or not")
    func names() throws {
        for name in ["Exportieren.xml", "导出.xml", "dışa aktarılan.xml", "donnée.xml"] {
            for isFlagged in [true, false] {
                try expectAll(
                    write(
                        "b.zip", .init(flagsNamesAsUTF8: isFlagged),
                        renaming: { "apple_health_export/" + ($0 == "export.xml" ? name : $0) }),
                    "\(name) \(isFlagged)")
            }
        }
        // The same length in both, so that no offset moves.
        var bytes = try [UInt8](
            Data(
                contentsOf: URL(
                    fileURLWithPath: write(
                        "c.zip", .init(flagsNamesAsUTF8: false),
                        renaming: { "apple_health_export/" + ($0 == "export.xml" ? "donn@e.xml" : $0) }))))
        for range in bytes.ranges(of: Array("donn@e.xml".utf8)).reversed() { bytes[range.lowerBound + 4] = 0x82 }
        let path = try home.write(bytes, as: "d.zip")
        #expect(try ZipReader(path: path).entries.contains { $0.name == "apple_health_export/donnée.xml" })
        try expectAll(path)
    }

    @Test("Without the right extension, the main file is found by its contents")
    func noEnding() throws {
        try expectAll(write("e.zip", renaming: { $0 == "export.xml" ? "health" : $0 }))
        try expectAll(write("f.zip", renaming: { $0 == "export.xml" ? "EXPORT.XML" : $0 }))
    }

    @Test("Files that macOS adds are ignored, even if they look like an export")
    func rezipped() throws {
        let other = Array(ArchiveText.file(Array(repeating: ArchiveText.record(), count: 60_000)).utf8)
        try expectAll(
            write(
                "g.zip",
                before: [
                    ("__MACOSX/apple_health_export/._export.xml", other), ("__MACOSX/export.xml", other),
                    (".DS_Store", [0, 0, 0, 1]),
                    ("apple_health_export/.DS_Store", [0, 0, 0, 1]), ("apple_health_export/._export.xml", other),
                ]))
    }

    @Test("Of several candidates, the one at the highest level is used, then the largest; damaged ones are skipped")
    func candidates() throws {
        let small = Array(ArchiveText.file([ArchiveText.record()]).utf8)
        let large = Array(ArchiveText.file(Array(repeating: ArchiveText.record(), count: 60_000)).utf8)
        try expectAll(
            write(
                "h.zip", before: [("apple_health_export/a.xml", small)],
                after: [("apple_health_export/old/export.xml", large)]))
        // The others are named.
        let beside = try write("n.zip", after: [("apple_health_export/Exportieren.xml", small)])
        #expect(
            try ImportedStore().run(beside).irregularities[
                "another export, “apple_health_export/Exportieren.xml”, left out"] == 1)
        // An unsupported method, on a file that would come first.
        let path = try write("i.zip", before: [("export.xml", small)])
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        let directory = bytes.firstRange(of: [0x50, 0x4B, 1, 2])!.lowerBound
        bytes[directory + 10] = 99
        try expectAll(home.write(bytes, as: "j.zip"))
    }

    @Test("Relative, absolute and duplicate names do no harm and write nothing")
    func hostileNames() throws {
        let junk = Array("junk".utf8)
        let hostile = [
            "../../../../tmp/evil.xml", "/etc/evil.xml", "apple_health_export/../../evil.gpx", "a\\..\\..\\evil.xml",
            "", "apple_health_export//", "\u{0}",
        ]
        let path = try write("k.zip", before: hostile.map { ($0, junk) }, after: hostile.map { ($0, junk) })
        let listing = try FileManager.default.contentsOfDirectory(atPath: home.path)
        try expectAll(path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == listing)
        // Of two files of one name the first one is read.
        let twice = try write(
            "l.zip",
            after: [
                (
                    "apple_health_export/workout-routes/"
                        + files.first { $0.name.hasSuffix(".gpx") }!.name.dropFirst(15), junk
                )
            ])
        try expectAll(twice)
    }

    @Test("A nested, an empty and a folders-only zip file contain no export")
    func nothingInside() throws {
        let inner = try [UInt8](Data(contentsOf: URL(fileURLWithPath: archive.zip)))
        for contents in [
            [("apple_health_export/export.zip", inner)], [], [("apple_health_export/", []), ("x/y/", [])],
        ] as [[(String, [UInt8])]] {
            let path = home.path + "/m.zip"
            let writer = try ZipWriter(path: path)
            for (name, bytes) in contents {
                try writer.beginEntry(name)
                if !bytes.isEmpty { try writer.write(bytes) }
            }
            try writer.finish()
            do {
                _ = try ImportedStore().run(path)
                Issue.record("there is no export in it")
            } catch {
                #expect((error as? ImportError)?.kind == .noExportInside)
            }
        }
    }

    @Test(
        "Other people's zip writes what can be read",
        arguments: [["-r"], ["-r", "-0"], ["-r", "-fz"], ["-r", "-UN=e"], ["-r", "-X", "-9"]])
    func infoZip(options: [String]) throws {
        var renamed = DialectArchive.options("18.1")
        renamed.locale = "zh_CN"
        let contents = try ArchiveGenerator(options: renamed).make(atPath: home.path + "/folder")
        let run = try ExternalTool.zip.run(
            ["-q"] + options + [home.path + "/info.zip", "apple_health_export"], in: home.path + "/folder")
        #expect(run.status == 0)
        let report = try ImportedStore().run(home.path + "/info.zip")
        #expect(report.added == contents.contents && report.skipped == [:])
    }

    @Test("A zip file written to a pipe has its sizes after the data")
    func python() throws {
        let run = try ExternalTool.python3.run([
            "-c",
            """
            import sys, zipfile, os
            class Pipe:
                def __init__(self, file): self.file = file
                def write(self, data): return self.file.write(data)
                def flush(self): self.file.flush()
            with open(sys.argv[2], "wb") as file, zipfile.ZipFile(Pipe(file), "w", zipfile.ZIP_DEFLATED) as target, zipfile.ZipFile(sys.argv[1]) as source:
                for name in source.namelist():
                    with target.open(name, "w", force_zip64=True) as entry: entry.write(source.read(name))
            """, archive.zip, home.path + "/python.zip",
        ])
        #expect(run.status == 0)
        try expectAll(home.path + "/python.zip")
    }
}
