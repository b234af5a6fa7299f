import Foundation

/// Finds the main file behind a path: in a zip file, in a folder, or the file itself.
enum ArchiveLocator {
    /// How deep below a given folder the main file may lie.
    private static let folderDepth = 3

    /// The stream of the export's main file. Throws ``ImportError``.
    static func locate(_ path: String) throws -> any ByteSource {
        try open(path).main
    }

    /// The export's main file with what lies beside it. Throws ``ImportError``.
    static func open(_ path: String) throws -> LocatedArchive {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            return try beside(locate(inFolder: path))
        }
        let file = try FileByteSource(path: path)
        let head = try file.bytes(at: 0, count: ExportSignature.length)
        if ExportSignature.isZip(head) { return try open(zip: path) }
        guard ExportSignature.matches(head) else {
            let what = head.isEmpty ? "is empty" : "does not begin like one"
            throw ImportError(.notAnExport, "“\(path)” is no Apple Health export: it \(what).")
        }
        return beside(file)
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

    private static func open(zip path: String) throws -> LocatedArchive {
        do {
            let zip = try ZipReader(path: path)
            let candidates = zip.entries.filter { entry in
                let parts = entry.name.split(separator: "/")
                return !parts.contains("__MACOSX") && isCandidate(parts.last.map(String.init) ?? "")
            }
            for entry in candidates.sorted(by: { $0.size > $1.size }) {
                let head = try zip.stream(of: entry).head(ExportSignature.length)
                if ExportSignature.matches(head) {
                    return LocatedArchive(
                        main: try zip.stream(of: entry), companions: ZipCompanions(zip, beside: entry))
                }
            }
            throw ImportError(
                .noExportInside,
                "The zip file “\(path)” holds no Apple Health export: none of its \(zip.entries.count) entries begins like one.")
        } catch let error as ZipError {
            throw ImportError(.damagedZip, "The zip file “\(path)” is damaged: \(error.description).")
        }
    }

    private static func isCandidate(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix(".xml") && name != "export_cda.xml" && !name.hasPrefix(".")
    }
}
