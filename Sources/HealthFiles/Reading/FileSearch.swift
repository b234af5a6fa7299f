import Foundation

/// The files at a path: a file itself, or those in a folder, in zip files, also zip files within, or in tar archives.
struct FileSearch {
    private(set) var files: [CandidateFile] = []
    /// The files that can't be opened or aren't looked at, with the reason.
    private(set) var unread = UnreadFileList()
    /// The size of the file at the path; 0 for a folder.
    private(set) var byteCount = 0
    /// Whether the path is that of a file that isn't a zip file or tar archive.
    private(set) var isLone = false

    private(set) var isFolder = false
    private let recovers: Bool

    /// In how many zip files a file may be.
    private static let maximumDepth = 3

    /// `nil` if there is nothing at the path.
    ///
    /// - Parameters:
    ///   - name: The name of a file; its path by default.
    ///   - recovers: Whether to look for the files of zip files that were cut off.
    init?(path: String, name: String? = nil, recovers: Bool = false) {
        self.recovers = recovers
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
        self.isFolder = isFolder.boolValue
        if isFolder.boolValue {
            let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
            for name in names.filter({ !Self.isExcluded($0) }).sorted() {
                var isFolder: ObjCBool = false
                let file = path + "/" + name
                guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), !isFolder.boolValue else {
                    continue
                }
                add(CandidateFile(InputFile(path: file, name: name)), depth: 0, folder: name + "/")
            }
        } else {
            let file = InputFile(path: path, name: name)
            byteCount = file.size
            let candidate = CandidateFile(file, isAlone: true)
            isLone = !Self.isContainer(candidate)
            add(candidate, depth: 0, folder: "")
        }
    }

    /// Whether a name is of a hidden file, or of one that an operating system has added.
    private static func isExcluded(_ name: String) -> Bool {
        name.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "__MACOSX" }
    }

    // MARK: - Containers

    private static func isContainer(_ file: CandidateFile) -> Bool { isZip(file) || isTar(file) }

    /// Zip files within zip files are recognized by their names first, because there may be many files.
    private static func isZip(_ file: CandidateFile) -> Bool {
        (file.file.path != nil || file.hasEnding(".zip")) && file.head.starts(with: [0x50, 0x4B, 3, 4])
    }

    /// Tar archives in zip files aren't looked into.
    private static func isTar(_ file: CandidateFile) -> Bool {
        guard file.file.path != nil, file.isAlone || file.hasEnding(".tgz", ".tar") else { return false }
        return TarDirectory.matches(file.head) || TarDirectory.matches(file.plainHead)
    }

    /// - Parameters:
    ///   - depth: The number of zip files around the file.
    ///   - folder: What the names of files in it begin with.
    private mutating func add(_ file: CandidateFile, depth: Int, folder: String) {
        do {
            if Self.isZip(file) {
                guard depth <= Self.maximumDepth else {
                    return unread.add(file.name, "it is in more than \(Self.maximumDepth) zip files")
                }
                let zip = try file.file.zip(recovers: recovers)
                add(zip.entries.map { InputFile($0, of: zip, in: folder) }, depth: depth + 1)
                if let damage = zip.damage { unread.add(file.name, "\(damage)") }
            } else if Self.isTar(file), let tar = try file.file.tar() {
                let files = tar.directory.entries.map { entry in
                    InputFile(name: folder + entry.name, size: entry.size) { try tar.source(of: entry) }
                }
                add(files, depth: depth + 1)
                if let place = tar.directory.damage {
                    unread.add(file.name, "its tar archive is damaged or cut off at byte \(place)")
                }
            } else {
                files.append(file)
            }
        } catch {
            unread.add(file.name, FileReadingError(describing: error).reason)
        }
    }

    private mutating func add(_ entries: [InputFile], depth: Int) {
        for file in entries.sorted(by: { $0.name < $1.name })
        where !file.name.hasSuffix("/") && !Self.isExcluded(file.name) {
            add(CandidateFile(file), depth: depth, folder: file.name + "/")
        }
    }
}
