import Foundation
import HealthStorage

/// An upload of an archive: a private file in the person's work folder, and what was announced about it.
///
/// The file's size is the offset at which a client continues, so an upload survives a restart of the server.
struct UploadFile: Sendable {
    /// What a client announced when it created the upload.
    struct Announcement: Codable, Hashable, Sendable {
        /// The size of the archive in bytes; `nil` if the one request that uploads it didn't say.
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

    /// Uploads that nobody continued are removed after a day.
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

    private static func path(_ id: UUID, in folder: String) -> String { "\(folder)/\(id.uuidString.lowercased()).upload" }

    private static func announcementPath(_ id: UUID, in folder: String) -> String {
        "\(folder)/\(id.uuidString.lowercased()).json"
    }

    /// The number of bytes received so far.
    var offset: Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

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
                guard count > 0 else { throw StorageError(.inputOutput, "The upload can’t be written. The disk may be full.") }
                rest = rest.dropFirst(count)
                place += count
            }
        }
    }

    /// Removes the files.
    func remove() {
        unlink(path)
        unlink(Self.announcementPath(id, in: folder))
    }

    /// Removes uploads that are older than their lifetime.
    static func removeExpired(in folder: String, now: Double, except active: Set<UUID>) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasSuffix(".json") {
            guard let id = UUID(uuidString: String(name.dropLast(5))), !active.contains(id) else { continue }
            guard let upload = UploadFile(id, in: folder) else {
                unlink("\(folder)/\(name)")
                continue
            }
            if now - upload.announcement.created > lifetime { upload.remove() }
        }
    }
}
