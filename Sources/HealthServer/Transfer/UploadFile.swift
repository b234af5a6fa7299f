import Foundation
import HealthStorage
import HealthStorageFiles

/// An upload of an archive: a private file in the person's work folder, and what was announced about it.
///
/// The file's size is the offset at which a client continues, so an upload survives a restart of the server.
struct UploadFile: Sendable {
    /// A client's announcement of an upload when it created it.
    struct Announcement: Codable, Hashable, Sendable {
        /// The size of the archive in bytes; `nil` if the one request that uploads it didn't say, and until it ends.
        var length: Int?
        /// The options of the import.
        var mirrors: Bool
        var acceptsAnyPerson: Bool
        var timeZone: String?
        /// Whether every copy of a workout is imported; `nil` for no.
        var keepsCopies: Bool?
        /// Whether what can be read of a damaged file is imported; `nil` for no.
        var recovers: Bool?
        /// The file's own name.
        var name: String?
        /// The raw value of the activity of tracks whose file doesn't say it.
        var activity: UInt?
        /// The time of creation, in seconds since 2001.
        var created: Double
        /// The time at which a request ended that continued the upload; `nil` if none has.
        var continued: Double?
        /// The identity of the store that the archive is for; `nil` until the upload is created.
        var store: UUID?
        /// How many imports have begun and not ended, because the server was killed meanwhile; `nil` for none.
        var attempts: Int?
        /// Why the import failed, if the person can decide that it is done nevertheless.
        var refusal: Refusal?
    }

    /// A failed import that waits for the person's decision.
    struct Refusal: Codable, Hashable, Sendable {
        var error: String
        var problem: ImportProblem
        var remedy: ImportProblem.Remedy
    }

    let id: UUID
    let announcement: Announcement
    private let folder: String

    /// Incomplete uploads that weren't continued expire after a day.
    static let lifetime = 86_400.0

    /// The number of imports without an end after which the upload isn't imported any more: the archive may be what
    /// ends the server.
    static let maximumAttempts = 3

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
            guard descriptor >= 0 else { throw Self.notWritten }
            close(descriptor)
            try JSONEncoder().encode(announcement).write(
                to: URL(fileURLWithPath: Self.path(id, in: folder, "json")), options: .atomic)
        } catch is CocoaError {
            throw StorageError(.unreachable, "The folder of uploads can’t be written.")
        }
    }

    /// The upload with an identifier; `nil` if there is none.
    init?(_ id: UUID, in folder: String) {
        guard let data = FileManager.default.contents(atPath: Self.path(id, in: folder, "json")),
            let announcement = try? JSONDecoder().decode(Announcement.self, from: data),
            FileManager.default.fileExists(atPath: Self.path(id, in: folder))
        else { return nil }
        self.id = id
        self.folder = folder
        self.announcement = announcement
    }

    /// The uploads in a folder, in the order in which they were created: a later archive may be meant to replace what
    /// an earlier one adds.
    static func all(in folder: String) -> [UploadFile] {
        identifiers(in: folder).compactMap { UploadFile($0, in: folder) }
            .sorted { ($0.announcement.created, $0.id.uuidString) < ($1.announcement.created, $1.id.uuidString) }
    }

    /// The identifiers that files in a folder have in their names.
    private static func identifiers(in folder: String) -> Set<UUID> {
        Set(
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { name in
                UUID(uuidString: String(name.prefix { $0 != "." }))
            })
    }

    private static func path(_ id: UUID, in folder: String, _ suffix: String = "upload") -> String {
        "\(folder)/\(id.uuidString.lowercased()).\(suffix)"
    }

    /// The number of bytes received so far.
    var offset: Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Whether there are the announced bytes. Such an upload waits to be imported, unless it was refused.
    var isWhole: Bool { announcement.length == offset }

    /// Whether the file is there.
    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// Whether imports of it have begun too often without an end.
    var isGivenUp: Bool { (stored.attempts ?? 0) >= Self.maximumAttempts }

    /// The announcement as it is on the disk, which other values of this type may have changed.
    var stored: Announcement { UploadFile(id, in: folder)?.announcement ?? announcement }

    /// Records durably that an import begins, or that none has.
    ///
    /// - Throws: `StorageError`.
    func recordAttempt(begins: Bool) throws {
        try rewrite { $0.attempts = begins ? ($0.attempts ?? 0) + 1 : max(0, ($0.attempts ?? 0) - 1) }
    }

    /// Records durably that the import has failed and waits for a decision, for as long as an upload does.
    ///
    /// - Throws: `StorageError`.
    func refuse(_ refusal: Refusal, at time: Double) throws {
        try rewrite { announcement in
            announcement.refusal = refusal
            announcement.continued = time
            announcement.attempts = nil
        }
    }

    /// Records durably what the person has decided about a refused import.
    ///
    /// - Throws: `StorageError`.
    func accept(_ remedies: Set<ImportProblem.Remedy>) throws {
        try rewrite { announcement in
            announcement.refusal = nil
            if remedies.contains(.recover) { announcement.recovers = true }
            if remedies.contains(.anyPerson) { announcement.acceptsAnyPerson = true }
        }
    }

    /// Records that a request has continued the upload.
    ///
    /// - Throws: `StorageError`.
    func recordContinuation(at time: Double) throws {
        try rewrite { $0.continued = time }
    }

    /// Records that the upload is complete. When this returns, both files are on the disk: a server that starts after a
    /// kill or a power failure finds an upload to import.
    ///
    /// - Throws: `StorageError`.
    func complete(length: Int) throws {
        try Self.flush(path)
        try rewrite { $0.length = length }
    }

    /// Changes the announcement on the disk, where it is when this returns.
    private func rewrite(_ change: (inout Announcement) -> Void) throws {
        guard exists else { throw StorageError(.unreachable, "The upload is gone.") }
        var changed = stored
        change(&changed)
        let bytes = try JSONEncoder().encode(changed)
        do { try AtomicFile.write(bytes, to: Self.path(id, in: folder, "json")) } catch { throw Self.notWritten }
    }

    /// Waits until a file or folder is on the disk.
    private static func flush(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(.unreachable, "The upload is gone.") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw Self.notWritten }
    }

    private static var notWritten: StorageError {
        StorageError(.inputOutput, "The upload can’t be written: \(StorageError.systemReason).")
    }

    /// Appends bytes at the end, which must be at an offset.
    ///
    /// - Throws: `StorageError`.
    func append(_ bytes: [UInt8], at offset: Int) throws {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(.unreachable, "The upload is gone.") }
        defer { close(descriptor) }
        guard bytes.withUnsafeBytes({ $0.write(to: descriptor, at: offset) }) == nil else { throw Self.notWritten }
    }

    /// Removes the files.
    func remove() { Self.remove(id, in: folder) }

    private static func remove(_ id: UUID, in folder: String) {
        for suffix in ["upload", "json", "json.new"] { unlink(Self.path(id, in: folder, suffix)) }
    }

    /// Removes uploads that weren't continued for their lifetime, unless they wait to be imported or something has
    /// locked them.
    static func removeExpired(in folder: String, now: Double) {
        for id in identifiers(in: folder) {
            let upload = UploadFile(id, in: folder)
            // Without a readable announcement, it can't be continued, but it may be being created.
            let last =
                upload.map { $0.announcement.continued ?? $0.announcement.created }
                ?? modification(of: Self.path(id, in: folder))
            guard now - last > lifetime else { continue }
            let lock = FileLock(Self.path(id, in: folder))
            // Looked at again under the lock, because its last bytes may just have come.
            let present = UploadFile(id, in: folder)
            let waits = present?.isWhole == true && present?.announcement.refusal == nil
            guard lock != nil || upload == nil, !waits || present?.isGivenUp == true else { continue }
            withExtendedLifetime(lock) { Self.remove(id, in: folder) }
        }
    }

    /// The time at which an upload was written last, in seconds since 2001; long ago if there is none.
    private static func modification(of path: String) -> Double {
        let date = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
        return date?.timeIntervalSinceReferenceDate ?? -.infinity
    }
}
