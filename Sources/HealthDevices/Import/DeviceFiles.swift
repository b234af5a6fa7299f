import AppleHealthExport
import Foundation
import HealthCompression

/// The files of devices at a path: a file itself, or those in a folder or a zip file, each also compressed with gzip, and
/// those in zip files of a folder.
///
/// They are recognized by their first bytes, not by their names, but for the many files of archives.
struct DeviceFiles {
    /// A file, which is read when it is its turn.
    struct File {
        let name: String
        let read: () throws -> [UInt8]
    }

    private(set) var files: [File] = []
    /// The files of archives, which are read together.
    private(set) var archive: [ArchiveFile] = []
    /// The size of the file at the path; 0 for a folder.
    let byteCount: Int

    /// The largest file that is read; the longest activities have some 20 MB.
    private static let maximumSize = 1 << 28
    private static let maximumCount = 100_000

    /// `nil` if there are no files of devices at the path.
    init?(path: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
        let attributes = isFolder.boolValue ? nil : try? FileManager.default.attributesOfItem(atPath: path)
        byteCount = (attributes?[.size] as? Int) ?? 0
        if isFolder.boolValue {
            try addFiles(inFolder: path)
        } else {
            let head = Self.head(path)
            if Self.isZip(head) {
                try addFiles(inZip: path)
            } else if let file = ArchiveFile(path: path, name: path, head: head) {
                archive = [file]
            } else if Self.matches(head, path) {
                files = [File(name: path) { try Self.contents(path) }]
            }
        }
        if !ArchiveFile.isArchive(archive) { archive = [] }
        guard !files.isEmpty || !archive.isEmpty else { return nil }
    }

    // MARK: - Recognition

    private static func isZip(_ head: [UInt8]) -> Bool { head.starts(with: [0x50, 0x4B, 3, 4]) }
    private static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 8]) }

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
        guard isGzip(head), let bytes = try? contents(path) else { return false }
        return DeviceFormat(head: bytes) != nil
    }

    /// Whether a name is of a hidden file, or of a route that belongs to an archive of Apple's.
    private static func isExcluded(_ name: String) -> Bool {
        name.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "__MACOSX" || $0 == "workout-routes" }
    }

    private mutating func addFiles(inFolder folder: String) throws {
        guard let paths = FileManager.default.enumerator(atPath: folder) else { return }
        var (names, zips): ([String], [String]) = ([], [])
        for case let name as String in paths where names.count + archive.count < Self.maximumCount {
            guard !Self.isExcluded(name) else { continue }
            let path = folder + "/" + name
            if let file = ArchiveFile(path: path, name: name, head: nil) {
                archive.append(file)
                continue
            }
            let head = Self.head(path)
            if Self.isZip(head) {
                zips.append(path)
            } else if let file = ArchiveFile(path: path, name: name, head: head) {
                archive.append(file)
            } else if Self.matches(head, path) {
                names.append(name)
            }
        }
        files = names.sorted().map { name in File(name: name) { try Self.contents(folder + "/" + name) } }
        // Google divides large archives into several zip files.
        for path in zips.sorted() { try addFiles(inZip: path) }
    }

    private mutating func addFiles(inZip path: String) throws {
        let zip: ZipReader
        do {
            zip = try ZipReader(path: path)
        } catch is ZipError {
            // An archive of Apple's may be read even without a directory.
            return
        }
        let named = zip.entries.filter { entry in
            let name = entry.name.lowercased()
            let plain = name.hasSuffix(".gz") ? name.dropLast(3) : Substring(name)
            return !Self.isExcluded(entry.name) && [".fit", ".tcx", ".gpx"].contains { plain.hasSuffix($0) }
        }
        files += named.prefix(Self.maximumCount).sorted { $0.name < $1.name }.map { entry in
            File(name: entry.name) {
                guard entry.size <= Self.maximumSize else { throw DeviceFileError("it is too large") }
                return try Self.unpacked(zip.stream(of: entry).contents())
            }
        }
        archive += zip.entries.lazy.filter { !Self.isExcluded($0.name) }.compactMap { ArchiveFile($0, in: zip) }
            .prefix(Self.maximumCount)
    }

    // MARK: - Contents

    private static func contents(_ path: String) throws -> [UInt8] {
        let data: Data
        do {
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            guard size ?? 0 <= maximumSize else { throw DeviceFileError("it is too large") }
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
        guard isGzip(bytes) else { return bytes }
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

/// The header before the data of a gzip file.
enum GzipHeader {
    /// The number of bytes of the header; `nil` if it isn't whole.
    static func length(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 18 else { return nil }
        let flags = bytes[3]
        var place = 10
        if flags & 4 != 0 { place += 2 + Int(bytes[10]) + Int(bytes[11]) << 8 }
        for flag: UInt8 in [8, 16] where flags & flag != 0 {
            guard place < bytes.count, let end = bytes[place...].firstIndex(of: 0) else { return nil }
            place = end + 1
        }
        if flags & 2 != 0 { place += 2 }
        return place < bytes.count ? place : nil
    }
}
