public import Foundation
import HealthEngine
public import UniformTypeIdentifiers

/// The way to files kept with objects: a scan of a prescription, a photograph of a label.
///
/// An object must be saved before it can have attachments; whoever may write its type may attach to it. The
/// attachments of a deleted object are gone. Completion handlers run on a background queue, each exactly once.
// Unchecked: the one stored property is constant and Sendable.
public class HKAttachmentStore: NSObject, @unchecked Sendable {
    /// How many bytes an attachment has at most.
    static let greatestSize = AttachmentRecord.greatestSize

    let connection: StoreConnection

    /// The attachments of a health store's objects.
    public init(healthStore: HKHealthStore) {
        connection = healthStore.connection
    }

    // MARK: Add

    /// Copies a file into the store and keeps it with an object.
    ///
    /// Fails with ``HKError/errorInvalidArgument`` for an object that is not stored, a file that cannot be read
    /// and metadata that is not allowed; with ``HKError/errorDataSizeExceeded`` for a file of more than 10 MiB;
    /// with an authorization error where the object's type may not be written.
    @preconcurrency
    public func addAttachment(
        to object: HKObject, name: String, contentType: UTType, url: URL, metadata: [String: Any] = [:],
        completion: @escaping @Sendable (HKAttachment?, (any Error)?) -> Void
    ) {
        let addition = addition(to: object, AttachmentFile(name, contentType, url), metadata)
        connection.perform(.writing, { try addition.write(to: $0) }) { completion(try? $0.get(), $0.error) }
    }

    /// Copies a file into the store and keeps it with an object. See
    /// ``addAttachment(to:name:contentType:url:metadata:completion:)``.
    public func addAttachment(
        to object: HKObject, name: String, contentType: UTType, url: URL, metadata: [String: Any] = [:]
    ) async throws -> HKAttachment {
        let addition = addition(to: object, AttachmentFile(name, contentType, url), metadata)
        return try await connection.perform(.writing) { try addition.write(to: $0) }
    }

    private func addition(
        to object: HKObject, _ file: AttachmentFile, _ metadata: [String: Any]
    ) -> AttachmentAddition {
        AttachmentAddition(
            owner: object.uuid, file: file, metadata: Result { try .init(metadata) },
            creation: connection.clock.now(), caller: connection.caller)
    }

    // MARK: Remove

    /// Takes an attachment from an object. Fails with ``HKError/errorInvalidArgument`` when the object has no
    /// such attachment.
    @preconcurrency
    public func removeAttachment(
        _ attachment: HKAttachment, from object: HKObject,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let (identifier, owner, caller) = (attachment.identifier, object.uuid, connection.caller)
        connection.perform(.writing, { try $0.removeAttachment(identifier, from: owner, as: caller) }) {
            completion($0.isSuccess, $0.error)
        }
    }

    /// Takes an attachment from an object. See ``removeAttachment(_:from:completion:)``.
    public func removeAttachment(_ attachment: HKAttachment, from object: HKObject) async throws {
        let (identifier, owner, caller) = (attachment.identifier, object.uuid, connection.caller)
        try await connection.perform(.writing) { try $0.removeAttachment(identifier, from: owner, as: caller) }
    }

    // MARK: Read

    /// An object's attachments, in the order they were added.
    @preconcurrency
    public func getAttachments(
        for object: HKObject, completion: @escaping @Sendable ([HKAttachment]?, (any Error)?) -> Void
    ) {
        let (owner, caller) = (object.uuid, connection.caller)
        connection.perform {
            try $0.attachments(of: owner, as: caller).map { HKAttachment($0, of: owner) }
        } completion: {
            completion(try? $0.get(), $0.error)
        }
    }

    /// An object's attachments, in the order they were added.
    public func attachments(for object: HKObject) async throws -> [HKAttachment] {
        let (owner, caller) = (object.uuid, connection.caller)
        return try await connection.perform {
            try $0.attachments(of: owner, as: caller).map { HKAttachment($0, of: owner) }
        }
    }

    /// All bytes of an attachment. The progress counts bytes; cancelling it ends the reading with
    /// ``HKError/errorUserCanceled``.
    @preconcurrency
    public func getData(
        for attachment: HKAttachment, completion: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        let reading = AttachmentReading(attachment, connection)
        connection.perform { try reading.all(from: $0) } completion: { completion(try? $0.get(), $0.error) }
        return reading.progress
    }

    /// The bytes of an attachment piece by piece: the handler is called on a background queue, one call after
    /// the other, the last time with `true`. After an error, or when the progress was cancelled
    /// (``HKError/errorUserCanceled``), it is called once more, without data.
    @preconcurrency
    public func streamData(
        for attachment: HKAttachment,
        dataHandler: @escaping @Sendable (Data?, (any Error)?, Bool) -> Void
    ) -> Progress {
        let reading = AttachmentReading(attachment, connection)
        connection.perform {
            try reading.stream(from: $0) { dataHandler($0, nil, $1) }
        } completion: {
            if let error = $0.error { dataHandler(nil, error, true) }
        }
        return reading.progress
    }

    /// Reads an attachment's bytes with `await`.
    public func dataReader(for attachment: HKAttachment) -> HKAttachmentDataReader {
        HKAttachmentDataReader(AttachmentReading(attachment, connection))
    }
}
