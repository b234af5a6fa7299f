@testable import AppleHealthExport
import ArchiveTestSupport
import Foundation
import HealthFiles
import Testing

/// Auxiliary files are found where they may be, and nowhere else.
@Suite struct AuxiliaryFilesTests {
    private let export = ArchiveText.file([ArchiveText.record()])

    private func contents(_ archive: LocatedArchive, _ path: String, limit: Int = 1 << 20) -> String {
        do throws(AuxiliaryFileError) {
            return String(decoding: try archive.auxiliaryFiles.contents(of: path, limit: limit), as: UTF8.self)
        } catch {
            return error.reason
        }
    }

    private func zip(_ entries: [(String, String)], in folder: TemporaryFolder, flagged: Bool = true) throws
        -> LocatedArchive
    {
        let path = folder.path + "/export.zip"
        let writer = try ZipWriter(path: path, options: .init(flagsNamesAsUTF8: flagged))
        for (name, contents) in entries {
            try writer.beginEntry(name)
            try writer.write(Array(contents.utf8))
        }
        try writer.finish()
        return try ArchiveLocator.open(path)
    }

    /// Where an entry or file lies, and the path under which the main file names it.
    private static let places: [(String, String)] = [
        ("apple_health_export/workout-routes/a.gpx", "/workout-routes/a.gpx"),
        ("apple_health_export/workout-routes/a.gpx", "workout-routes/a.gpx"),
        ("apple_health_export/workout-routes/a.gpx", "//workout-routes/./a.gpx"),
        ("apple_health_export/workout-routes/a.gpx", "\\workout-routes\\a.gpx"),
        ("apple_health_export/Workout-Routes/A.GPX", "/workout-routes/a.gpx"),
        ("apple_health_export/workout-routes/cafe\u{301}.gpx", "/workout-routes/café.gpx"),
        ("apple_health_export/workout-routes/route_3.00#U202fPM.gpx", "/workout-routes/route_3.00\u{202F}PM.gpx"),
        ("apple_health_export/workout-routes/route_3.00ΓÇ»PM.gpx", "/workout-routes/route_3.00\u{202F}PM.gpx"),
    ]

    @Test(arguments: places, [true, false])
    func findsEntriesOfAZip(_ place: (String, String), _ flagged: Bool) throws {
        let folder = try TemporaryFolder()
        let archive = try zip(
            [
                ("apple_health_export/export.xml", export), (place.0, "found"),
                ("__MACOSX/" + place.0, "not this"), ("apple_health_export/workout-routes/._a.gpx", "nor this"),
                ("apple_health_export/workout-routes/b.gpx", "nor that"),
            ], in: folder, flagged: flagged)
        #expect(contents(archive, place.1) == "found")
    }

    @Test func findsEntriesBelowAnotherFolder() throws {
        let folder = try TemporaryFolder()
        let archive = try zip(
            [("export.xml", export), ("old/apple_health_export/workout-routes/a.gpx", "found")], in: folder)
        #expect(contents(archive, "/workout-routes/a.gpx") == "found")
        #expect(archive.auxiliaryFiles.paths(inFolder: "workout-routes") == ["/workout-routes/a.gpx"])
    }

    @Test func doesNotGuessBetweenTwo() throws {
        let folder = try TemporaryFolder()
        let archive = try zip(
            [("x/export.xml", export), ("y/workout-routes/a.gpx", "1"), ("z/workout-routes/a.gpx", "2")], in: folder)
        #expect(contents(archive, "/workout-routes/a.gpx") == "its file is missing")
    }

    @Test(arguments: places)
    func findsFilesOfAFolder(_ place: (String, String)) throws {
        let folder = try TemporaryFolder()
        try folder.write(export, as: "apple_health_export/export.xml")
        try folder.write("found", as: place.0)
        try folder.write("not this", as: place.0.split(separator: "/").prefix(2).joined(separator: "/") + "/b.gpx")
        #expect(contents(try ArchiveLocator.open(folder.path), place.1) == "found")
        #expect(contents(try ArchiveLocator.open(folder.path + "/apple_health_export/export.xml"), place.1) == "found")
    }

    @Test func doesNotConfuseNames() throws {
        let folder = try TemporaryFolder()
        try folder.write(export, as: "export.xml")
        try folder.write("another", as: "workout-routes/道.gpx")
        #expect(contents(try ArchiveLocator.open(folder.path), "/workout-routes/路.gpx") == "its file is missing")
        let archive = try zip([("export.xml", export), ("workout-routes/道.gpx", "another")], in: folder)
        #expect(contents(archive, "/workout-routes/路.gpx") == "its file is missing")
    }

    @Test func listsAFolderInOrder() throws {
        let folder = try TemporaryFolder()
        let names = ["ecg_2.csv", "ecg_10.csv", "ecg_1.csv"]
        for name in names { try folder.write("x", as: "electrocardiograms/" + name) }
        try folder.write("x", as: "electrocardiograms/.hidden")
        try folder.write(export, as: "export.xml")
        let expected = [
            "/electrocardiograms/ecg_1.csv", "/electrocardiograms/ecg_10.csv", "/electrocardiograms/ecg_2.csv",
        ]
        #expect(try ArchiveLocator.open(folder.path).auxiliaryFiles.paths(inFolder: "electrocardiograms") == expected)
        let archive = try zip(
            [("a/export.xml", export)] + names.map { ("a/electrocardiograms/" + $0, "x") }, in: folder)
        #expect(archive.auxiliaryFiles.paths(inFolder: "electrocardiograms") == expected)
        #expect(archive.auxiliaryFiles.paths(inFolder: "workout-routes") == [])
    }

    // MARK: Incomplete listings

    @Test func aFolderThatCannotBeListedIsReported() throws {
        let folder = try TemporaryFolder()
        try folder.write(export, as: "export.xml")
        try folder.write("not a folder", as: "electrocardiograms")
        let auxiliaryFiles = CountedAuxiliaryFiles(try ArchiveLocator.open(folder.path).auxiliaryFiles)
        #expect(auxiliaryFiles.paths(inFolder: "electrocardiograms") == [])
        #expect(auxiliaryFiles.listingProblem(inFolder: "electrocardiograms") == .unreadable)
        #expect(auxiliaryFiles.listingProblem(inFolder: "workout-routes") == nil)
        #expect(auxiliaryFiles.irregularities == ["folder electrocardiograms that cannot be listed, left out": 1])
        #expect(
            contents(try ArchiveLocator.open(folder.path), "/electrocardiograms/a.csv") == "its folder cannot be listed"
        )
    }

    @Test func aFolderOutsideTheArchiveIsReported() throws {
        let folder = try TemporaryFolder()
        try folder.write(export, as: "inside/export.xml")
        try folder.write("x", as: "outside/ecg_1.csv")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/inside/electrocardiograms", withDestinationPath: "../outside")
        let auxiliaryFiles = CountedAuxiliaryFiles(try ArchiveLocator.open(folder.path + "/inside").auxiliaryFiles)
        #expect(auxiliaryFiles.paths(inFolder: "electrocardiograms") == [])
        #expect(
            auxiliaryFiles.irregularities == [
                "folder electrocardiograms that is a link out of the archive, left out": 1
            ])
    }

    @Test func filesBeyondTheLimitOfAListingAreCounted() throws {
        let folder = try TemporaryFolder()
        for number in 1...5 { try folder.write("x", as: "electrocardiograms/ecg_\(number).csv") }
        let auxiliaryFiles = CountedAuxiliaryFiles(FolderAuxiliaryFiles(folder: folder.path, maximumListing: 3))
        let paths = auxiliaryFiles.paths(inFolder: "electrocardiograms")
        #expect(paths == (1...3).map { "/electrocardiograms/ecg_\($0).csv" })
        for path in paths.dropFirst() { _ = try auxiliaryFiles.contents(of: path) }
        #expect(auxiliaryFiles.listingProblem(inFolder: "electrocardiograms") == .tooManyFiles(omitted: 2))
        #expect(auxiliaryFiles.counts == ["electrocardiograms": .init(found: 5, read: 2)])
        #expect(
            auxiliaryFiles.irregularities == [
                "file in electrocardiograms, which has too many to list, left out": 2,
                "file in electrocardiograms that was not read, left out": 1,
            ])
        // A file to which the main file refers is found without the listing.
        _ = try auxiliaryFiles.contents(of: "/electrocardiograms/ecg_5.csv")
        #expect(auxiliaryFiles.counts == ["electrocardiograms": .init(found: 5, read: 3)])
    }

    @Test(arguments: [
        "/../secret.txt", "../secret.txt", "/workout-routes/../../secret.txt", "/workout-routes/..\\..\\secret.txt",
    ])
    func neverLeavesTheFolder(_ path: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("secret", as: "secret.txt")
        try folder.write(export, as: "inside/export.xml")
        try folder.write("x", as: "inside/workout-routes/a.gpx")
        #expect(
            contents(try ArchiveLocator.open(folder.path + "/inside"), path) == "its path points outside the archive")
        let archive = try zip([("a/export.xml", export), ("secret.txt", "secret")], in: folder)
        #expect(contents(archive, path) == "its path points outside the archive")
    }

    @Test func refusesAbsolutePathsAndLinksOut() throws {
        let folder = try TemporaryFolder()
        let secret = try folder.write("secret", as: "secret.txt")
        try folder.write(export, as: "inside/export.xml")
        try folder.write("x", as: "inside/workout-routes/a.gpx")
        let routes = folder.path + "/inside/workout-routes"
        try FileManager.default.createSymbolicLink(atPath: routes + "/link.gpx", withDestinationPath: secret)
        try FileManager.default.createSymbolicLink(atPath: routes + "/near.gpx", withDestinationPath: "a.gpx")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/inside/out", withDestinationPath: "..")
        let archive = try ArchiveLocator.open(folder.path + "/inside")
        #expect(contents(archive, secret) == "its file is missing")
        #expect(contents(archive, "/workout-routes/link.gpx") == "its path points outside the archive")
        #expect(contents(archive, "/out/secret.txt") == "its path points outside the archive")
        #expect(contents(archive, "/workout-routes/near.gpx") == "x")
        #expect(contents(archive, "/workout-routes") == "its file is not a regular file")
        #expect(archive.auxiliaryFiles.paths(inFolder: "out") == [])
    }

    @Test func doesNotWaitForAPipe() throws {
        let folder = try TemporaryFolder()
        try folder.write(export, as: "export.xml")
        try folder.write("x", as: "workout-routes/a.gpx")
        #expect(mkfifo(folder.path + "/workout-routes/pipe.gpx", 0o600) == 0)
        #expect(
            contents(try ArchiveLocator.open(folder.path), "/workout-routes/pipe.gpx")
                == "its file is not a regular file")
    }

    @Test func stopsAtTheSizeLimit() throws {
        let folder = try TemporaryFolder()
        let bomb = String(repeating: " ", count: 3 << 20)
        let archive = try zip([("export.xml", export), ("workout-routes/a.gpx", bomb)], in: folder)
        #expect(contents(archive, "/workout-routes/a.gpx", limit: 1 << 21) == "its file is larger than 2 MB")
        #expect(contents(archive, "/workout-routes/a.gpx", limit: 3 << 20) == bomb)
        // A stream that does not say how long it is.
        let source = try LimitedByteSource(EndlessSource(), limit: 1 << 20)
        var count = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { buffer.deallocate() }
        #expect(throws: AuxiliaryFileError.self) {
            while true { count += try source.read(into: buffer) }
        }
        #expect(count <= 1 << 20)
    }

    @Test func reportsDamage() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/export.zip"
        _ = try zip([("export.xml", export), ("workout-routes/a.gpx", AuxiliaryText.gpx(points: 50))], in: folder)
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let entry = try #require(try ZipReader(path: path).entries.first { $0.name.hasSuffix("a.gpx") })
        for offset in 200..<300 { bytes[entry.offset + offset] ^= 0x5A }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(contents(try ArchiveLocator.open(path), "/workout-routes/a.gpx") == "its file is damaged in the zip")
    }

    @Test(arguments: ["", "/", "/./", "a\u{0}b", String(repeating: "a/", count: 20)])
    func refusesInvalidPaths(_ path: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(export, as: "export.xml")
        let reason = contents(try ArchiveLocator.open(folder.path), path)
        #expect(reason == "its file is missing" || reason == "its path points outside the archive")
    }
}

private final class EndlessSource: ByteSource {
    let name = "endless"
    let byteCount: Int? = nil

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { buffer.count }
}
