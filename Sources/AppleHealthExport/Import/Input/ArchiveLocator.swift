import Foundation
import HealthFiles

/// Finds an export's main file: in a zip file, in a folder, or the file itself.
enum ArchiveLocator {
    /// The number of folder levels in which the main file is looked for.
    private static let folderDepth = 3

    /// Opens the export's main file. Throws ``ImportError``.
    static func locate(_ path: String) throws -> any ByteSource {
        try open(path).main
    }

    /// Opens the export's main file and its auxiliary files; `-` is standard input. Throws ``ImportError``.
    ///
    /// - Parameter recoversDamagedArchives: Whether to look for the entries of a zip file whose directory is missing.
    static func open(_ path: String, growth: ZipGrowth = .bounded, recoversDamagedArchives: Bool = false) throws
        -> LocatedArchive
    {
        if path == StandardInput.path {
            return try StandardInput.open(growth: growth, recoversDamagedArchives: recoversDamagedArchives)
        }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            let found = try locate(inFolder: path)
            var archive = beside(found.main)
            archive.others = found.others
            return archive
        }
        let file = try FileByteSource(path: path)
        let head = try file.bytes(at: 0, count: ExportSignature.length)
        if ExportSignature.isZip(head) {
            let zip = try opened(path, named: path, recoversDamagedArchives: recoversDamagedArchives)
            return try open(zip: zip, named: path, growth: growth)
        }
        try expectExport(head, named: path)
        return beside(file)
    }

    /// Throws ``ImportError`` unless a file that begins with these bytes is an export.
    static func expectExport(_ head: [UInt8], named name: String) throws {
        if ExportSignature.matches(head) { return }
        if ExportSignature.isWide(head) {
            throw ImportError(
                .notAnExport,
                "“\(name)” is in UTF-16 or UTF-32, but an Apple Health export is in UTF-8. Convert it with iconv -t UTF-8."
            )
        }
        if let hint = ExportSignature.unpacking(head, named: name) {
            throw ImportError(.notAnExport, "“\(name)” is \(hint)")
        }
        if ExportSignature.isWebPage(head) {
            throw ImportError(
                .notAnExport,
                "“\(name)” is a web page, such as one that asks to sign in, and not the archive. Download it again.")
        }
        let what = head.isEmpty ? "is empty" : "does not begin like one"
        throw ImportError(.notAnExport, "“\(name)” is not an Apple Health export: it \(what).")
    }

    /// Returns the zip file that `body` opens, and offers to read what is there of one without a directory.
    static func opened(
        _ path: String, named name: String, recoversDamagedArchives: Bool, retaining owner: AnyObject? = nil
    ) throws -> ZipReader {
        do {
            return try ZipReader(
                path: path, name: name, recoversDamagedArchives: recoversDamagedArchives, retaining: owner)
        } catch let error as ZipError {
            throw ImportError.withoutDirectory(name, error, recoversDamagedArchives: recoversDamagedArchives)
        }
    }

    /// The file with the auxiliary files in its folder.
    private static func beside(_ file: FileByteSource) -> LocatedArchive {
        let folder = file.name.lastIndex(of: "/").map { String(file.name[..<$0]) + "/" } ?? "."
        return LocatedArchive(main: file, auxiliaryFiles: FolderAuxiliaryFiles(folder: folder))
    }

    /// The main file of the export in a folder, and the names of other exports beside it.
    private static func locate(inFolder folder: String) throws -> (main: FileByteSource, others: [String]) {
        var found: [(path: String, size: Int)] = []
        var inner: String?
        var hasCandidates = false
        var level = [folder]
        for _ in 0..<folderDepth {
            var below: [String] = []
            for directory in level {
                guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
                    throw ImportError(.unreadable, "The folder “\(directory)” cannot be listed.")
                }
                for name in names.sorted() where name != "__MACOSX" && !name.hasPrefix(".") {
                    let path = directory + "/" + name
                    var isFolder: ObjCBool = false
                    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { continue }
                    if isFolder.boolValue {
                        below.append(path)
                    } else if name.lowercased().hasSuffix(".zip") {
                        inner = inner ?? String(path.dropFirst(folder.count + 1))
                    } else if isCandidate(name) {
                        hasCandidates = true
                        let file = try FileByteSource(path: path)
                        guard ExportSignature.matches(try file.bytes(at: 0, count: ExportSignature.length)) else {
                            continue
                        }
                        found.append((path, file.byteCount ?? 0))
                    }
                }
            }
            // A file at a higher level wins: one further down may be a backup.
            // The first of the largest.
            if let main = found.max(by: { ($0.size, $1.path) < ($1.size, $0.path) }) {
                let others = found.map(\.path).filter { $0 != main.path }
                return (try FileByteSource(path: main.path), others.map { String($0.dropFirst(folder.count + 1)) })
            }
            level = below
        }
        let failure = "The folder “\(folder)” contains no Apple Health export"
        if let inner { throw ImportError(.noExportInside, "\(failure): it contains “\(inner)”. Import that.") }
        let reason = hasCandidates ? "none of its XML files begins like one" : "it has no XML file"
        throw ImportError(.noExportInside, "\(failure): \(reason).")
    }

    /// Opens the export inside a zip file. A file at a higher level wins, then the larger one. XML files are tried
    /// first, then files with other extensions.
    static func open(zip: ZipReader, named name: String, growth: ZipGrowth) throws -> LocatedArchive {
        let files = zip.entries.filter { entry in
            let parts = entry.name.split(separator: "/")
            return !parts.contains("__MACOSX") && parts.last.map { !$0.hasPrefix(".") } ?? false
        }.sorted { left, right in
            let (depth, other) = (depth(left), depth(right))
            return depth == other ? left.size > right.size : depth < other
        }
        let candidates =
            files.filter { isCandidate(lastPart($0)) }
            + files.filter { !isCandidate(lastPart($0)) && !isAuxiliaryFile(lastPart($0)) }.prefix(unlikelyFilesTried)
        func isExport(_ entry: ZipEntry) throws -> Bool {
            ExportSignature.matches(try zip.stream(of: entry).bytes(ExportSignature.length))
        }
        var damage: ZipError?
        for (index, entry) in candidates.enumerated() {
            do {
                guard try isExport(entry) else { continue }
                let others = candidates[(index + 1)...].filter { other in
                    depth(other) == depth(entry) && isCandidate(lastPart(other)) && (try? isExport(other)) ?? false
                }
                return LocatedArchive(
                    main: try zip.stream(of: entry, growth: growth),
                    auxiliaryFiles: ZipAuxiliaryFiles(zip, beside: entry), others: others.map(\.name),
                    damage: zip.damage)
            } catch let error as ZipError {
                // Another entry may be intact.
                damage = damage ?? error
            }
        }
        if let damage { throw ImportError.damagedZip(name, damage) }
        let failure = "The zip file “\(name)” contains no Apple Health export"
        if let inner = files.first(where: { lastPart($0).lowercased().hasSuffix(".zip") }) {
            throw ImportError(.noExportInside, "\(failure): it contains “\(inner.name)”. Unpack it, and import that.")
        }
        let which =
            zip.entries.count == 1 ? "its only entry doesn’t begin" : "none of its \(zip.entries.count) entries begins"
        throw ImportError(.noExportInside, "\(failure): \(which) like one.")
    }

    /// The number of files without an XML extension that are tried.
    private static let unlikelyFilesTried = 64

    private static func depth(_ entry: ZipEntry) -> Int { entry.name.split(separator: "/").count }

    private static func lastPart(_ entry: ZipEntry) -> String {
        entry.name.split(separator: "/").last.map(String.init) ?? ""
    }

    /// Whether a file's name is that of an auxiliary file.
    static func isAuxiliaryFile(_ name: String) -> Bool {
        let name = name.lowercased()
        return [".gpx", ".csv", ".json", ".pdf", ".xml"].contains { name.hasSuffix($0) }
    }

    static func isCandidate(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix(".xml") && name != "export_cda.xml" && !name.hasPrefix(".")
    }
}

/// An archive's main file and its auxiliary files.
struct LocatedArchive {
    /// The file whose root element is `HealthData`.
    var main: any ByteSource
    var auxiliaryFiles: any AuxiliaryFiles
    /// The names of other exports beside it, which aren't read.
    var others: [String] = []
    /// The damage of the zip file as a whole.
    var damage: ZipError?
    /// Opens the main file once more, if it isn't at the path of the import.
    var reopen: Reopen?

    typealias Reopen = () throws -> any ByteSource
}

/// Recognizes an export's main file by its first kilobyte; its name is localized and therefore unreliable.
enum ExportSignature {
    /// The number of bytes ``matches(_:)`` needs.
    static let length = 1024

    private static let marks: [[UInt8]] = [Array("<!DOCTYPE HealthData".utf8), Array("<HealthData".utf8)]

    /// Whether a file that begins with these bytes is an export. The clinical document beside it
    /// (`export_cda.xml`) does not match.
    static func matches(_ bytes: some Collection<UInt8>) -> Bool {
        let head = Array(bytes.prefix(length))
        return marks.contains { mark in
            guard head.count > mark.count else { return false }
            return (0..<(head.count - mark.count)).contains { start in
                guard head[start..<(start + mark.count)].elementsEqual(mark) else { return false }
                // `<HealthDataFile` would be something else.
                return " \t\r\n[>/".utf8.contains(head[start + mark.count])
            }
        }
    }

    /// Whether a text that begins with these bytes is in UTF-16 or UTF-32, with or without a byte order mark.
    static func isWide(_ bytes: some Collection<UInt8>) -> Bool {
        let head = Array(bytes.prefix(4))
        guard head.count == 4 else { return false }
        return head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0x3C, 0])
            || head.starts(with: [0, 0x3C]) || head.starts(with: [0, 0, 0xFE, 0xFF]) || head == [0, 0, 0, 0x3C]
    }

    /// Whether a file that begins with these bytes is HTML, which a browser saves if a link doesn't lead to the file.
    static func isWebPage(_ head: [UInt8]) -> Bool {
        let text = String(decoding: head, as: UTF8.self).lowercased().drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        return text.hasPrefix("<!doctype html") || text.hasPrefix("<html")
    }

    /// The first bytes of compressed files that are not zip files, their names, and the programs that unpack them.
    private static let otherFormats: [(start: [UInt8], name: String, program: String)] = [
        ([0x1F, 0x8B], "compressed with gzip", "gunzip"), (Array("BZh".utf8), "compressed with bzip2", "bunzip2"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "compressed with xz", "unxz"),
        ([0x28, 0xB5, 0x2F, 0xFD], "compressed with zstd", "unzstd"),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive", "7z x"),
        (Array("Rar!".utf8), "a RAR archive", "unrar x"),
    ]

    /// The kind of a file and how to import its contents, as the end of a sentence; `nil` for a file in no format known
    /// here.
    static func unpacking(_ head: [UInt8], named name: String) -> String? {
        let isTar = head.count > 262 && head[257..<262].elementsEqual("ustar".utf8)
        if isTar { return "a tar archive. Unpack it with tar -xf, and import the folder or the export.xml in it." }
        guard let format = otherFormats.first(where: { head.starts(with: $0.start) }) else { return nil }
        let parts = name.lowercased().split(separator: ".")
        if format.program.contains(" ") {
            return "\(format.name). Unpack it with \(format.program), and import the folder or the export.xml in it."
        }
        if parts.last.map({ $0.hasPrefix("t") }) ?? false || parts.dropLast().last == "tar" {
            return
                "a tar archive \(format.name). Unpack it with tar -xf, and import the folder or the export.xml in it."
        }
        return "\(format.name). Unpack it with \(format.program), and import the result, or pipe it: "
            + "\(format.program) -c FILE | hk import -"
    }

    /// Whether these bytes begin a zip file: a local header, or the end record of an empty zip file.
    static func isZip(_ bytes: some Collection<UInt8>) -> Bool {
        let head = Array(bytes.prefix(4))
        return head == [0x50, 0x4B, 3, 4] || head == [0x50, 0x4B, 5, 6]
    }
}
