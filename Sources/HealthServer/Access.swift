import HealthAccess
import HealthEngine

/// The access of a request to one person's store.
///
/// HealthKit's authorization is checked by the engine for ``caller``: a denied read is silently empty, a denied
/// write an error. What isn't subject to it, such as goals, source order, imports and exports, is for someone who acts as the
/// person.
struct Access: Sendable {
    /// The sender of the request.
    var identity: Identity
    /// On whose behalf the engine acts.
    var caller: Caller

    /// Whether the sender acts as the person.
    var isOwner: Bool { caller.permission == .owner }

    /// - Throws: ``Problem`` `forbidden` unless the sender acts as the person. `action` completes “Only the person can
    ///   …”.
    func requireOwner(_ action: String) throws {
        guard isOwner else {
            throw Problem(.forbidden, "Only the person can \(action). Use a session or an owner token.")
        }
    }

    /// - Throws: ``Problem`` `forbidden` if the token is read-only. The engine decides for each type.
    func requireWriting() throws {
        guard !identity.isReadOnly else { throw Problem(.forbidden, "The token is read-only.") }
    }

    /// - Throws: ``Problem`` `forbidden` unless the sender acts as the person and may change something; as
    ///   ``requireOwner(_:)``.
    func requireWritingOwner(_ action: String) throws {
        try requireOwner(action)
        try requireWriting()
    }
}
