import HealthStorage
import Synchronization

extension HealthEngine {
    /// Runs `body` in one transaction and, once it is durable, tells observers what the draft says.
    ///
    /// Observers are called outside every lock, in the order of commits; a write made by an observer
    /// is told after the present one.
    ///
    /// - Parameter waiting: Whether to wait for other writers; if not, `StorageError` `.busy` is thrown.
    func commit<Value: Sendable>(
        waiting: Bool = true, _ body: (any StorageTransaction, inout CommitDraft) throws -> Value
    ) throws -> Value {
        let value = try commitUntold(waiting: waiting, body)
        commits.deliver()
        return value
    }

    /// Like ``commit(_:)`` for a caller that holds a lock: observers hear nothing until
    /// ``CommitHub/deliver()``, which the caller owes them once the lock is let go.
    func commitUntold<Value: Sendable>(
        waiting: Bool = true, _ body: (any StorageTransaction, inout CommitDraft) throws -> Value
    ) throws -> Value {
        if waiting { return try writing.withLock { try commitInTurn(waiting: true, &$0, body) } }
        guard let value = try writing.withLockIfAvailable({ try commitInTurn(waiting: false, &$0, body) }) else {
            throw StorageError(.busy, "Another thread is writing.")
        }
        return value
    }

    private func commitInTurn<Value: Sendable>(
        waiting: Bool, _ shortPages: inout ShortPages,
        _ body: (any StorageTransaction, inout CommitDraft) throws -> Value
    ) throws -> Value {
        var draft = CommitDraft()
        // Unless the write goes through, nothing is known.
        var known = ShortPages()
        swap(&known, &shortPages)
        let value = try storage.write(waiting: waiting) { transaction in
            draft = CommitDraft()
            swap(&draft.shortPages, &known)
            draft.shortPages.begin(from: transaction.baseState)
            let value = try body(transaction, &draft)
            if draft.settingsChanged {
                try SettingsGeneration.advance(in: transaction)
            }
            if draft.isWorthTelling, draft.sequences == nil {
                let last = try transaction.lastSequence()
                draft.sequences = last...last
            }
            return value
        }
        if draft.keepsShortPages { swap(&shortPages, &draft.shortPages) }
        if draft.isWorthTelling, let sequences = draft.sequences {
            commits.enqueue(
                Commit(
                    types: draft.types, sequences: sequences,
                    settingsChanged: draft.settingsChanged))
        }
        return value
    }
}
