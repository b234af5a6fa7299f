import AppleHealthExport
import Foundation
import HealthCompression

/// The files of devices at a path: a file itself, or those in a folder or a zip file, each also compressed with gzip; and
/// the tables of services beside them.
///
/// They are recognized by their first bytes, not by their names.
struct DeviceFiles {
    /// A file, which is read when it is its turn.
    struct File {
        /// Reads one part of a file after the other.
        typealias Parts = (ColumnContext, (DeviceReading) throws -> Void) throws -> Void

        let name: String
        let read: () throws -> [UInt8]
        /// What an archive's list of activities says about the file.
        var activity: StravaActivity?
        /// How a table is read, which may be larger than memory.
        var parts: Parts?
    }

    private(set) var files: [File] = []
    /// How many other files of an archive were left out, by what they are.
    private(set) var leftOut: [String: Int] = [:]
    /// The size of the file at the path; 0 for a folder.
    private(set) var byteCount = 0

    /// The largest file that is read as a whole; the longest activities have some 20 MB.
    private static let maximumSize = 1 << 28
    private static let maximumCount = 100_000
    /// In how many zip files a file may be.
    private static let maximumDepth = 3

    /// `nil` if there are no files of devices at the path.
    ///
    /// - Parameter columns: The JSON of a column mapping for the tables at the path, which are all that is read then.
    /// - Throws: ``ImportError`` for a mapping that can't be used.
    init?(path: String, columns: [UInt8]? = nil) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
        do {
            var archive = try ServiceArchive(columns: columns)
            if isFolder.boolValue {
                try addFiles(inFolder: path, to: &archive)
            } else {
                let head = Self.head(path)
                if Self.isZip(head) {
                    // An archive of Apple's may be read even without a directory.
                    if let zip = try Self.undamaged({ try ZipReader(path: path) }) {
                        try addFiles(of: zip, to: &archive)
                    }
                } else if Self.matches(head, path) {
                    files = [File(name: path) { try Self.contents(path) }]
                } else if !head.isEmpty, !Self.isMarkup(head) {
                    try archive.add(path, size: Self.size(path) ?? 0) { try FilePieces.unpacked(FilePieces.file(path)) }
                }
            }
            let found = try archive.contents()
            if columns != nil { files = [] }
            leftOut = found.leftOut
            byteCount = isFolder.boolValue ? 0 : Self.size(path) ?? 0
            for (name, list) in found.lists { add(list, named: name) }
            files += found.tables.map { name, table in File(name: name, read: { [] }, parts: table.read) }
        } catch let error as ColumnMappingError {
            throw ImportError(.unreadable, "The column mapping can’t be used: \(error.description).")
        }
        guard !files.isEmpty || !leftOut.isEmpty else { return nil }
    }

    // MARK: - Recognition

    private static func isZip(_ head: [UInt8]) -> Bool { head.starts(with: [0x50, 0x4B, 3, 4]) }
    private static func isMarkup(_ head: [UInt8]) -> Bool {
        head.first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "<")
    }

    private static func size(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    }

    private static func head(_ path: String) -> [UInt8] {
        var status = stat()
        // Opening a pipe would block until it has a writer.
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let file = FileHandle(forReadingAtPath: path)
        else { return [] }
        defer { try? file.close() }
        return Array((try? file.read(upToCount: DeviceFormat.headLength)) ?? Data())
    }

    private static func matches(_ head: [UInt8], _ path: String) -> Bool {
        if DeviceFormat(head: head) != nil { return true }
        guard GzipHeader.begins(head), let source = try? FilePieces.unpacked(FilePieces.file(path)),
            let bytes = try? source()
        else { return false }
        return DeviceFormat(head: bytes) != nil
    }

    /// Whether a name is of a hidden file, or of a route that belongs to an archive of Apple's.
    private static func isExcluded(_ name: String) -> Bool {
        name.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "__MACOSX" || $0 == "workout-routes" }
    }

    private static func undamaged<Value>(_ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch is ZipError {
            return nil
        }
    }

    private mutating func addFiles(inFolder folder: String, to archive: inout ServiceArchive) throws {
        guard let paths = FileManager.default.enumerator(atPath: folder) else { return }
        var names: [String] = []
        for case let name as String in paths where names.count < Self.maximumCount {
            if !Self.isExcluded(name) { names.append(name) }
        }
        for name in names.sorted() {
            let path = folder + "/" + name
            let head = Self.head(path)
            if Self.matches(head, path) {
                files.append(File(name: name) { try Self.contents(path) })
            } else if Self.isZip(head) {
                guard let zip = try Self.undamaged({ try ZipReader(path: path) }) else { continue }
                try addFiles(of: zip, to: &archive, in: name + "/", depth: 1)
            } else if !head.isEmpty, ServiceArchive.isCandidate(name) {
                try archive.add(name, size: Self.size(path) ?? 0) { try FilePieces.unpacked(FilePieces.file(path)) }
            }
        }
    }

    /// - Parameters:
    ///   - folder: What the names of the files begin with.
    ///   - depth: The number of zip files around this one.
    private mutating func addFiles(
        of zip: ZipReader, to archive: inout ServiceArchive, in folder: String = "", depth: Int = 0
    ) throws {
        for entry in zip.entries.sorted(by: { $0.name < $1.name })
        where files.count < Self.maximumCount && !Self.isExcluded(entry.name) {
            let name = entry.name.lowercased()
            let plain = name.hasSuffix(".gz") ? name.dropLast(3) : Substring(name)
            if [".fit", ".tcx", ".gpx"].contains(where: { plain.hasSuffix($0) }) {
                files.append(
                    File(name: folder + entry.name) {
                        guard entry.size <= Self.maximumSize else { throw DeviceFileError("it is too large") }
                        return try Self.unpacked(zip.stream(of: entry).contents())
                    })
            } else if name.hasSuffix(".zip"), depth < Self.maximumDepth {
                guard let inner = try Self.undamaged({ try zip.zip(in: entry) }) else { continue }
                try addFiles(of: inner, to: &archive, in: folder + entry.name + "/", depth: depth + 1)
            } else if ServiceArchive.isCandidate(name) {
                try archive.add(folder + entry.name, size: entry.size) {
                    try FilePieces.unpacked(FilePieces.entry(entry, of: zip))
                }
            }
        }
    }

    // MARK: - Lists of activities

    /// Gives each activity of a list to its file. Those without one become workouts by the figures of the list.
    private mutating func add(_ list: StravaList, named name: String) {
        func plain(_ name: String) -> String {
            name.lowercased().hasSuffix(".gz") ? String(name.lowercased().dropLast(3)) : name.lowercased()
        }
        let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
        let places = Dictionary(
            files.enumerated().map { (plain($1.name), $0) }, uniquingKeysWith: { first, _ in first })
        var rest = DeviceReading(damages: list.damages)
        for activity in list.activities {
            if let file = activity.file, let place = places[plain(folder + file)] {
                files[place].activity = activity
                continue
            }
            if activity.file != nil, !places.isEmpty {
                rest.content.leaveOut("file of an activity, which the archive doesn’t have")
            }
            rest.content.objects.append(activity.workout)
        }
        guard rest.content.count > 0 || !rest.damages.isEmpty else { return }
        files.append(File(name: name, read: { [] }, parts: { [rest] _, yield in try yield(rest) }))
    }

    // MARK: - Contents

    private static func contents(_ path: String) throws -> [UInt8] {
        let data: Data
        do {
            guard size(path) ?? 0 <= maximumSize else { throw DeviceFileError("it is too large") }
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch let error as DeviceFileError {
            throw error
        } catch {
            throw DeviceFileError("it can’t be read")
        }
        return try unpacked([UInt8](data))
    }

    /// The bytes themselves, or those that gzip compressed.
    private static func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
        guard GzipHeader.begins(bytes) else { return bytes }
        guard let start = GzipHeader.length(bytes) else { throw DeviceFileError("its gzip header is damaged") }
        do {
            return try Inflater.inflated(Array(bytes[start...]), limit: maximumSize)
        } catch InflateError.tooLarge {
            throw DeviceFileError("it is too large")
        } catch {
            throw DeviceFileError("its gzip data is damaged")
        }
    }
}

/// Why a file of a device is not imported, worded as the end of a sentence about it.
struct DeviceFileError: Error, Hashable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
