import Foundation

/// Finds the main file behind a path: in a zip file, in a folder, or the file itself.
enum ArchiveLocator {
    /// How deep below a given folder the main file may lie.
    private static let folderDepth = 3

    /// The stream of the export's main file. Throws ``ImportError``.
    static func locate(_ path: String) throws -> any ByteSource {
        try open(path).main
    }

    /// The export's main file with what lies beside it; `-` is standard input. Throws ``ImportError``.
    static func open(_ path: String, growth: ZipGrowth = .bounded) throws -> LocatedArchive {
        if path == StandardInput.path { return try StandardInput.open(growth: growth) }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            return try beside(locate(inFolder: path))
        }
        let file = try FileByteSource(path: path)
        let head = try file.bytes(at: 0, count: ExportSignature.length)
        if ExportSignature.isZip(head) {
            return try open(zip: readable(named: path) { try ZipReader(path: path) }, named: path, growth: growth)
        }
        try expectExport(head, named: path)
        return beside(file)
    }

    /// Throws ``ImportError`` where a file that begins like this is no export.
    static func expectExport(_ head: [UInt8], named name: String) throws {
        if ExportSignature.matches(head) { return }
        if ExportSignature.isWide(head) {
            throw ImportError(
                .notAnExport,
                "“\(name)” is in UTF-16 or UTF-32, an Apple Health export is in UTF-8; iconv -t UTF-8 makes one of it.")
        }
        let what = head.isEmpty ? "is empty" : "does not begin like one"
        throw ImportError(.notAnExport, "“\(name)” is no Apple Health export: it \(what).")
    }

    /// What `body` returns; damage of a zip file as an ``ImportError``.
    static func readable<Result>(named name: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ZipError {
            throw ImportError(.damagedZip, "The zip file “\(name)” is damaged: \(error.description).")
        }
    }

    /// The file with what lies in its folder.
    private static func beside(_ file: FileByteSource) -> LocatedArchive {
        let folder = file.name.lastIndex(of: "/").map { String(file.name[..<$0]) + "/" } ?? "."
        return LocatedArchive(main: file, companions: FolderCompanions(folder: folder))
    }

    private static func locate(inFolder folder: String) throws -> FileByteSource {
        var found: (path: String, size: Int)?
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
                    } else if isCandidate(name) {
                        let file = try FileByteSource(path: path)
                        guard ExportSignature.matches(try file.bytes(at: 0, count: ExportSignature.length)) else {
                            continue
                        }
                        let size = file.byteCount ?? 0
                        if size > found?.size ?? -1 { found = (path, size) }
                    }
                }
            }
            // What lies higher is what was meant; a backup further down is not.
            if let found { return try FileByteSource(path: found.path) }
            level = below
        }
        throw ImportError(
            .noExportInside,
            "The folder “\(folder)” holds no Apple Health export: no XML file in it begins like one.")
    }

    /// The export inside a zip file. What lies higher is what was meant, and of files side by side the
    /// larger one; the name's ending is looked at first and then no more.
    static func open(zip: ZipReader, named name: String, growth: ZipGrowth) throws -> LocatedArchive {
        let files = zip.entries.filter { entry in
            let parts = entry.name.split(separator: "/")
            return !parts.contains("__MACOSX") && parts.last.map { !$0.hasPrefix(".") } ?? false
        }.sorted { left, right in
            let (depth, other) = (depth(left), depth(right))
            return depth == other ? left.size > right.size : depth < other
        }
        let candidates = files.filter { isCandidate(lastPart($0)) }
            + files.filter { !isCandidate(lastPart($0)) && !isCompanion(lastPart($0)) }.prefix(strangersTried)
        var damage: (any Error)?
        for entry in candidates {
            do {
                let head = try zip.stream(of: entry).head(ExportSignature.length)
                guard ExportSignature.matches(head) else { continue }
                return LocatedArchive(
                    main: try zip.stream(of: entry, growth: growth), companions: ZipCompanions(zip, beside: entry))
            } catch let error as ZipError {
                // Another one may be whole.
                damage = damage ?? error
            }
        }
        try readable(named: name) { if let damage { throw damage } }
        throw ImportError(
            .noExportInside,
            "The zip file “\(name)” holds no Apple Health export: none of its \(zip.entries.count) entries begins like one.")
    }

    /// How many files without the right ending are looked into.
    private static let strangersTried = 64

    private static func depth(_ entry: ZipEntry) -> Int { entry.name.split(separator: "/").count }

    private static func lastPart(_ entry: ZipEntry) -> String { entry.name.split(separator: "/").last.map(String.init) ?? "" }

    /// Whether a file is one of those beside the main one, by its name.
    private static func isCompanion(_ name: String) -> Bool {
        let name = name.lowercased()
        return [".gpx", ".csv", ".json", ".pdf", ".xml"].contains { name.hasSuffix($0) }
    }

    private static func isCandidate(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix(".xml") && name != "export_cda.xml" && !name.hasPrefix(".")
    }
}
