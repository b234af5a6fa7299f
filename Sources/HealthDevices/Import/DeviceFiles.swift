import AppleHealthExport
import Foundation

/// The files of devices at a path: a file itself, or those in a folder, in zip files, also zip files within, or in a tar
/// archive, each also compressed with gzip; and the tables and archives of services.
///
/// Files of devices are recognized by their first bytes; those of archives, which are many, by their names.
struct DeviceFiles {
    /// A file, which is read on demand.
    struct File {
        /// Reads a file part by part.
        typealias Parts = (ImportContext, (DeviceReading) throws -> Void) throws -> Void

        let name: String
        /// What the file is called in a report.
        var type = "file"
        /// The bytes of a file of a device.
        var read: () throws -> [UInt8] = { [] }
        /// What an archive's list of activities says about the file.
        var activity: StravaActivity?
        /// How any other file is read, which may be larger than memory.
        var parts: Parts?
    }

    private(set) var files: [File] = []
    /// How many other files of an archive were left out, by what they are.
    private(set) var leftOut: [String: Int] = [:]
    /// The size of the file at the path; 0 for a folder.
    private(set) var byteCount = 0

    private var services: ServiceArchive
    private var archive: [ArchiveFile] = []
    /// The zip files and tar archives that can't be read.
    private var damaged: [File] = []
    /// The files that were found, to leave out those that are there twice.
    private var seen: [CopySignature: [InputFile]] = [:]
    /// The names of files that were left out because others are the same, with theirs.
    private var copies: [String: String] = [:]

    private let maximumCount: Int
    /// Whether to look for the files of zip files that were cut off.
    private let recovers: Bool
    /// In how many zip files a file may be.
    private static let maximumDepth = 3

    /// `nil` if there are no files of devices at the path.
    ///
    /// - Parameters:
    ///   - name: The name of a file; its path by default.
    ///   - columns: The JSON of a column mapping for the tables at the path, which are all that is read then.
    ///   - recovers: Whether to look for the files of zip files that were cut off.
    ///   - maximumCount: How many files are read.
    /// - Throws: ``ImportError`` for a mapping that can't be used, and for a file of a service that isn't imported by itself.
    init?(
        path: String, name: String? = nil, columns: [UInt8]? = nil, recovers: Bool = false,
        maximumCount: Int = 100_000
    ) throws {
        (self.recovers, self.maximumCount) = (recovers, maximumCount)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
        let lone = isFolder.boolValue ? nil : SingleFile(InputFile(path: path, name: name))
        let kind = lone.flatMap(Self.kind)
        do {
            services = try ServiceArchive(columns: columns, isLone: kind?.isOfService ?? false)
            if isFolder.boolValue { try addFiles(inFolder: path) }
            if let lone, let kind {
                byteCount = lone.file.size
                try add(lone.file, kind)
            }
            try sortArchive()
            if columns != nil { (files, archive) = ([], []) }
            let found = try services.contents()
            leftOut.merge(found.leftOut, uniquingKeysWith: +)
            for (name, list) in found.lists { add(list, named: name) }
            files += found.tables.map { name, table in
                File(name: name, type: "CSV", parts: { try table.read($0.columns, $1) })
            }
            files += ArchiveReader(archive).files
        } catch let error as ColumnMappingError {
            throw ImportError(.unreadable, "The column mapping can’t be used: \(error.description).")
        }
        // An archive of Apple's may be read even without a directory.
        let isLone = kind?.isOfService ?? false
        guard !files.isEmpty || !isLone && !leftOut.isEmpty else {
            if isLone, let refusal = lone?.refusal { throw refusal }
            return nil
        }
        files += damaged
    }

    // MARK: - Recognition

    private enum Kind {
        /// FIT, TCX or GPX.
        case device
        case zip
        case tar
        case archive(ArchiveFile.Kind)
        /// Perhaps a table or document.
        case other

        /// Whether it is a file of a service's archive.
        var isOfService: Bool {
            switch self {
            case .archive, .other: true
            case .device, .zip, .tar: false
            }
        }
    }

    /// What the file at the path is, whose name may be any.
    private static func kind(of lone: SingleFile) -> Kind? {
        if lone.head.starts(with: [0x50, 0x4B, 3, 4]) { return .zip }
        if isTar(lone.head, lone.file) { return .tar }
        if isDevice(lone.head, lone.file) { return .device }
        if let kind = isDatabase(lone.head) { return kind }
        if let google = lone.google { return .archive(.google(google)) }
        return !lone.isMarkup || ServiceArchive.isCandidate(lone.file) ? .other : nil
    }

    /// What a file in a folder or zip file is. Those in zip files are recognized by their names, because there are many.
    private static func kind(of file: InputFile) -> Kind? {
        if let google = GoogleFile(path: file.name) { return .archive(.google(google)) }
        let name = file.plainName
        if file.path == nil {
            if [".fit", ".tcx", ".gpx"].contains(where: name.hasSuffix) { return .device }
            if name.hasSuffix(".zip") { return .zip }
            if name.hasSuffix(".db") { return isDatabase(file.head(HealthConnectReader.headLength)) }
            return ServiceArchive.isCandidate(file) ? .other : nil
        }
        guard let head = file.head(DeviceFormat.headLength), !head.isEmpty else { return nil }
        if head.starts(with: [0x50, 0x4B, 3, 4]) { return .zip }
        if [".tgz", ".tar", ".tar.gz"].contains(where: file.name.lowercased().hasSuffix), isTar(head, file) {
            return .tar
        }
        if isDevice(head, file) { return .device }
        // Other programs have databases, too.
        if name.hasSuffix(".db"), let kind = isDatabase(head) { return kind }
        return ServiceArchive.isCandidate(file) ? .other : nil
    }

    private static func isDatabase(_ head: [UInt8]?) -> Kind? {
        head.map(HealthConnectReader.matches) ?? false ? .archive(.healthConnect) : nil
    }

    private static func isDevice(_ head: [UInt8], _ file: InputFile) -> Bool {
        if DeviceFormat(head: head) != nil { return true }
        return unpacked(head, file).map { DeviceFormat(head: $0) != nil } ?? false
    }

    private static func isTar(_ head: [UInt8], _ file: InputFile) -> Bool {
        TarDirectory.matches(head) || unpacked(head, file).map { TarDirectory.matches($0) } ?? false
    }

    /// The beginning of what gzip compressed; `nil` for another file.
    private static func unpacked(_ head: [UInt8], _ file: InputFile) -> [UInt8]? {
        guard GzipHeader.begins(head), let source = try? file.pieces() else { return nil }
        return try? source()
    }

    /// Whether a name is of a hidden file, or of a route that belongs to an archive of Apple's.
    private static func isExcluded(_ name: String) -> Bool {
        name.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "__MACOSX" || $0 == "workout-routes" }
    }

    // MARK: - Search

    private mutating func addFiles(inFolder folder: String) throws {
        guard let paths = FileManager.default.enumerator(atPath: folder) else { return }
        var found: [(file: InputFile, kind: Kind)] = []
        for case let name as String in paths where !Self.isExcluded(name) {
            let file = InputFile(path: folder + "/" + name, name: name)
            if let kind = Self.kind(of: file) { found.append((file, kind)) }
        }
        for (file, kind) in found.sorted(by: { $0.file.name < $1.file.name }) { try add(file, kind) }
    }

    /// - Parameter depth: The number of zip files around the file.
    private mutating func add(_ file: InputFile, _ kind: Kind, depth: Int = 0) throws {
        switch kind {
        case .device, .archive, .other:
            guard files.count + archive.count < maximumCount else {
                return leftOut["file beyond the first \(maximumCount)", default: 0] += 1
            }
            if isCopy(file) { return }
        case .zip, .tar: break
        }
        switch kind {
        case .device: files.append(File(name: file.name, read: file.contents))
        case .archive(let kind): archive.append(ArchiveFile(kind: kind, file: file))
        case .other: try services.add(file)
        case .zip:
            guard depth <= Self.maximumDepth else { return }
            do {
                let zip = try file.zip(recovers: recovers)
                try addFiles(in: zip, at: file.path == file.name ? "" : file.name + "/", depth: depth + 1)
                if let damage = zip.damage { addDamaged(file.name, "\(damage)") }
            } catch let error as ZipError {
                addDamaged(file.name, "\(error)")
            }
        case .tar:
            do {
                guard let tar = try file.tar() else { return }
                try addFiles(in: tar, at: file.path == file.name ? "" : file.name + "/", depth: depth + 1)
                if let place = tar.directory.damage {
                    addDamaged(file.name, "its tar archive is damaged or cut off at byte \(place)")
                }
            } catch let error as DeviceFileError {
                addDamaged(file.name, error.reason)
            }
        }
    }

    private mutating func addDamaged(_ name: String, _ reason: String) {
        damaged.append(File(name: name, parts: { _, _ in throw DeviceFileError(reason) }))
    }

    /// - Parameter folder: What the names of the files begin with.
    private mutating func addFiles(in tar: TarReader, at folder: String, depth: Int) throws {
        for entry in tar.directory.entries.sorted(by: { $0.name < $1.name }) where !Self.isExcluded(entry.name) {
            let file = InputFile(entry, of: tar, in: folder)
            if let kind = Self.kind(of: file) { try add(file, kind, depth: depth) }
        }
    }

    /// - Parameter folder: What the names of the files begin with.
    private mutating func addFiles(in zip: ZipReader, at folder: String, depth: Int) throws {
        for entry in zip.entries.sorted(by: { $0.name < $1.name }) where !Self.isExcluded(entry.name) {
            let file = InputFile(entry, of: zip, in: folder)
            if let kind = Self.kind(of: file) { try add(file, kind, depth: depth) }
        }
    }

    /// Gives the files that have names of Google's and are others' to the services.
    private mutating func sortArchive() throws {
        let candidates = archive
        let isGoogles = ArchiveFile.isGoogles(candidates)
        archive = []
        for candidate in candidates {
            let isOthers = !isGoogles || candidate.isForeign || services.isMapped(candidate.file)
            if candidate.kind != .healthConnect, isOthers {
                try services.add(candidate.file)
            } else {
                archive.append(candidate)
            }
        }
    }

    // MARK: - Copies

    /// What files have in common that may be copies of each other.
    private struct CopySignature: Hashable {
        let size: Int
        /// The last part of the name, without the number that programs give to a second copy.
        let name: String

        init(_ file: InputFile) {
            size = file.size
            let last = (file.name.split(separator: "/").last ?? "").lowercased()
            name = last.contains("(") ? last.replacing(#/ ?\(\d+\)(?=\.|$)/#, with: "") : last
        }
    }

    /// Whether the same file is at the path already, as in two downloads of an archive; its samples would count twice.
    private mutating func isCopy(_ file: InputFile) -> Bool {
        let signature = CopySignature(file)
        guard let same = seen[signature, default: []].first(where: file.hasSameContents) else {
            seen[signature, default: []].append(file)
            return false
        }
        copies[Self.plain(file.name)] = Self.plain(same.name)
        leftOut["file that is there twice", default: 0] += 1
        return true
    }

    /// A name in lowercase without an ending of gzip's.
    private static func plain(_ name: String) -> String {
        name.lowercased().hasSuffix(".gz") ? String(name.lowercased().dropLast(3)) : name.lowercased()
    }

    // MARK: - Lists of activities

    /// Gives each activity of a list to its file. Those without one become workouts by the figures of the list.
    private mutating func add(_ list: StravaList, named name: String) {
        let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
        let places = Dictionary(
            files.enumerated().map { (Self.plain($1.name), $0) }, uniquingKeysWith: { first, _ in first })
        var rest = DeviceReading(damages: list.damages)
        for activity in list.activities {
            let name = activity.file.map { Self.plain(folder + $0) }
            if let name, let place = places[copies[name] ?? name] {
                files[place].activity = activity
                continue
            }
            if activity.file != nil, !places.isEmpty {
                rest.content.leaveOut("file of an activity, which the archive doesn’t have")
            }
            rest.content.objects.append(activity.workout)
        }
        guard rest.content.count > 0 || !rest.damages.isEmpty else { return }
        files.append(File(name: name, type: "CSV", parts: { [rest] _, yield in try yield(rest) }))
    }
}
