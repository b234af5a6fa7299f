public import Foundation
public import UniformTypeIdentifiers

/// Access to files attached to objects, such as a scan of a prescription or a photograph of a label.
///
/// Only stored objects can have attachments; adding one requires authorization to write the object's type.
/// Attachments are deleted with their object. Completion handlers run on a background queue, each exactly once.
// Unchecked: the one stored property is constant and Sendable.
open class HKAttachmentStore: NSObject, _CVarArgObject, @unchecked Sendable {
    let connection: StoreConnection

    /// Creates access to the attachments of a health store's objects.
    public init(healthStore: HKHealthStore) {
        connection = healthStore.connection
    }

    // MARK: Add

    /// Copies a file into the store and attaches it to an object.
    ///
    /// Fails with ``HKError/errorInvalidArgument`` for an object that is not stored, an unreadable file and
    /// invalid metadata; with ``HKError/errorDataSizeExceeded`` for a file of more than 10 MiB; with an
    /// authorization error if the object's type may not be written.
    @preconcurrency
    open func addAttachment(
        to object: HKObject, name: String, contentType: UTType, url: URL, metadata: [String: Any] = [:],
        completion: @escaping @Sendable (HKAttachment?, (any Error)?) -> Void
    ) {
        let file = AttachmentFile(name: name, contentType: contentType, url: url)
        // Converted here: a dictionary of any values cannot be passed to another thread.
        let converted = Result { try MetadataDictionary.record(of: metadata) }
        connection.perform(connection.attaching(file, to: object.uuid, metadata: converted)) {
            completion(try? $0.get(), $0.error)
        }
    }

    /// Copies a file into the store and attaches it to an object. See
    /// ``addAttachment(to:name:contentType:url:metadata:completion:)``.
    open func addAttachment(
        to object: HKObject, name: String, contentType: UTType, url: URL, metadata: [String: Any] = [:]
    ) async throws -> HKAttachment {
        try await obtaining {
            addAttachment(
                to: object, name: name, contentType: contentType, url: url, metadata: metadata, completion: $0)
        }
    }

    // MARK: Remove

    /// Removes an attachment from an object. Fails with ``HKError/errorInvalidArgument`` if the object does not
    /// have the attachment.
    @preconcurrency
    open func removeAttachment(
        _ attachment: HKAttachment, from object: HKObject,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(connection.removingAttachment(attachment.identifier, from: object.uuid)) {
            completion($0.isSuccess, $0.error)
        }
    }

    /// Removes an attachment from an object. See ``removeAttachment(_:from:completion:)``.
    open func removeAttachment(_ attachment: HKAttachment, from object: HKObject) async throws {
        try await succeeding { removeAttachment(attachment, from: object, completion: $0) }
    }

    // MARK: Read

    /// An object's attachments, in the order they were added.
    @preconcurrency
    open func getAttachments(
        for object: HKObject, completion: @escaping @Sendable ([HKAttachment]?, (any Error)?) -> Void
    ) {
        connection.perform(connection.attachments(of: object.uuid)) { completion(try? $0.get(), $0.error) }
    }

    /// An object's attachments, in the order they were added.
    open func attachments(for object: HKObject) async throws -> [HKAttachment] {
        try await obtaining { getAttachments(for: object, completion: $0) }
    }

    /// Reads all bytes of an attachment. The progress counts bytes; cancelling it stops the reading with
    /// ``HKError/errorUserCanceled``.
    @preconcurrency
    open func getData(
        for attachment: HKAttachment, completion: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        let reading = AttachmentReading(attachment, connection)
        connection.perform(reading.all) { completion(try? $0.get(), $0.error) }
        return reading.progress
    }

    /// Reads the bytes of an attachment piece by piece. The handler is called on a background queue, one call
    /// at a time, and with `true` for the last piece. After an error, or when the progress is cancelled
    /// (``HKError/errorUserCanceled``), it is called once more without data.
    @preconcurrency
    open func streamData(
        for attachment: HKAttachment,
        dataHandler: @escaping @Sendable (Data?, (any Error)?, Bool) -> Void
    ) -> Progress {
        let reading = AttachmentReading(attachment, connection)
        connection.perform(reading.stream(to: { dataHandler($0, nil, $1) })) {
            if let error = $0.error { dataHandler(nil, error, true) }
        }
        return reading.progress
    }

    /// Reads an attachment's bytes asynchronously.
    open func dataReader(for attachment: HKAttachment) -> HKAttachmentDataReader {
        HKAttachmentDataReader(AttachmentReading(attachment, connection))
    }
}

/// A file to attach.
struct AttachmentFile: Sendable {
    let name: String
    let contentType: UTType
    let url: URL

    /// Checks the name and size of a file.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` and ``HKError/errorDataSizeExceeded``, without the path.
    static func validate(name: String, isFile: Bool, size: Int) throws {
        guard !name.isEmpty else {
            throw HKError.make(.errorInvalidArgument, "An attachment must have a name.")
        }
        guard isFile, size >= 0 else {
            throw HKError.make(.errorInvalidArgument, "The URL of the attachment is not a readable file.")
        }
        guard size <= HKAttachmentStore.maximumSize else {
            throw HKError.make(
                .errorDataSizeExceeded,
                "The attachment exceeds the maximum size of \(HKAttachmentStore.maximumSize) bytes.")
        }
    }

    /// Opens the file and returns its size.
    func open() throws -> (handle: FileHandle, size: Int) {
        var isFolder = ObjCBool(false)
        let isThere = url.isFileURL && FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        let handle = isThere && !isFolder.boolValue ? try? FileHandle(forReadingFrom: url) : nil
        let size = handle.flatMap { try? $0.seekToEnd() } ?? 0
        try Self.validate(name: name, isFile: handle != nil, size: Int(clamping: size))
        guard let handle else { throw HKError.make(.errorInvalidArgument, "The attachment cannot be read.") }
        try handle.seek(toOffset: 0)
        return (handle, Int(clamping: size))
    }
}
