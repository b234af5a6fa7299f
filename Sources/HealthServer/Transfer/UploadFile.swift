import Foundation
import HealthStorage

/// An upload of an archive: a private file in the person's work folder, and what was announced about it.
///
/// The file's size is the offset at which a client continues, so an upload survives a restart of the server.
struct UploadFile: Sendable {
    /// What a client announced when it created the upload.
    struct Announcement: Codable, Hashable, Sendable {
        /// The size of the archive in bytes; `nil` if the one request that uploads it didn't say, and until it ends.
        var length: Int?
        /// The options of the import.
        var mirrors: Bool
        var acceptsAnyPerson: Bool
        var timeZone: String?
        /// The time of creation, in seconds since 2001.
        var created: Double
    }

    let id: UUID
    let announcement: Announcement
    private let folder: String

    /// Uploads that aren't whole, and that nobody continued, are removed after a day.
    static let lifetime = 86_400.0

    /// The path of the archive.
    var path: String { Self.path(id, in: folder) }

    /// Creates an empty upload.
    ///
    /// - Throws: `StorageError`.
    init(creatingIn folder: String, announcement: Announcement) throws {
        self.folder = folder
        self.announcement = announcement
        id = UUID()
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw StorageError(.unreachable, "The upload can’t be written.") }
            close(descriptor)
            try JSONEncoder().encode(announcement).write(
                to: URL(fileURLWithPath: Self.announcementPath(id, in: folder)), options: .atomic)
        } catch is CocoaError {
            throw StorageError(.unreachable, "The folder of uploads can’t be written.")
        }
    }

    /// The upload with an identifier; `nil` if there is none.
    init?(_ id: UUID, in folder: String) {
        guard let data = FileManager.default.contents(atPath: Self.announcementPath(id, in: folder)),
            let announcement = try? JSONDecoder().decode(Announcement.self, from: data),
            FileManager.default.fileExists(atPath: Self.path(id, in: folder))
        else { return nil }
        self.id = id
        self.folder = folder
        self.announcement = announcement
    }

    /// The uploads in a folder.
    static func all(in folder: String) -> [UploadFile] {
        identifiers(in: folder).compactMap { UploadFile($0, in: folder) }
    }

    /// The identifiers that files in a folder have in their names.
    private static func identifiers(in folder: String) -> Set<UUID> {
        Set(((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { name in
            UUID(uuidString: String(name.prefix { $0 != "." }))
        })
    }

    private static func path(_ id: UUID, in folder: String) -> String { "\(folder)/\(id.uuidString.lowercased()).upload" }

    private static func announcementPath(_ id: UUID, in folder: String) -> String {
        "\(folder)/\(id.uuidString.lowercased()).json"
    }

    /// The number of bytes received so far.
    var offset: Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Whether there are the announced bytes. Such an upload waits to be imported.
    var isWhole: Bool { announcement.length == offset }

    /// Whether the file is there.
    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// Records that the upload is whole. When this returns, both files are on the disk: a server that starts after a kill or a
    /// power failure finds an upload to import.
    ///
    /// - Throws: `StorageError`.
    func complete(length: Int) throws {
        var whole = announcement
        whole.length = length
        let bytes = try JSONEncoder().encode(whole)
        let target = Self.announcementPath(id, in: folder)
        let temporary = target + ".new"
        try Self.flush(path)
        // A crash can have left one.
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.notWritten }
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        let isWritten = count == bytes.count && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, rename(temporary, target) == 0 else {
            unlink(temporary)
            throw Self.notWritten
        }
        // The new name is durable when the folder is.
        try Self.flush(folder)
    }

    /// Waits until a file or folder is on the disk.
    private static func flush(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(.unreachable, "The upload is gone.") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw Self.notWritten }
    }

    private static let notWritten = StorageError(.inputOutput, "The upload can’t be written. The disk may be full.")

    /// Appends bytes at the end, which must be at an offset.
    ///
    /// - Throws: `StorageError`.
    func append(_ bytes: [UInt8], at offset: Int) throws {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(.unreachable, "The upload is gone.") }
        defer { close(descriptor) }
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            var place = offset
            while !rest.isEmpty {
                let count = pwrite(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, off_t(place))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Self.notWritten }
                rest = rest.dropFirst(count)
                place += count
            }
        }
    }

    /// Removes the files.
    func remove() {
        Self.remove(id, in: folder)
    }

    private static func remove(_ id: UUID, in folder: String) {
        unlink(Self.path(id, in: folder))
        unlink(Self.announcementPath(id, in: folder))
        unlink(Self.announcementPath(id, in: folder) + ".new")
    }

    /// Removes uploads that are older than their lifetime, unless they are whole or something has locked them.
    static func removeExpired(in folder: String, now: Double) {
        for id in identifiers(in: folder) {
            let upload = UploadFile(id, in: folder)
            // Without a readable announcement, nobody can continue it, but it may be being created.
            let created = upload?.announcement.created ?? modification(of: Self.path(id, in: folder))
            guard now - created > lifetime else { continue }
            let lock = FileLock(Self.path(id, in: folder))
            // Looked at again under the lock, because its last bytes may just have come.
            guard lock != nil || upload == nil, UploadFile(id, in: folder)?.isWhole != true else { continue }
            withExtendedLifetime(lock) { Self.remove(id, in: folder) }
        }
    }

    /// The time at which an upload was written last, in seconds since 2001; long ago if there is none.
    private static func modification(of path: String) -> Double {
        let date = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
        return date?.timeIntervalSinceReferenceDate ?? -.infinity
    }
}
