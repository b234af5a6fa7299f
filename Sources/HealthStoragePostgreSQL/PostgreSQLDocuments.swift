import Dispatch
import Foundation
package import HealthStorage

/// Documents that belong to no person, such as the tokens of the servers that share a database.
extension PostgreSQLDatabase {
    /// The contents of a document; `nil` if there is none.
    package func document(_ name: String) throws -> [UInt8]? {
        let rows = try run([PostgreSQLCall("SELECT bytes FROM document WHERE name = $1", [name])])
        return rows.count == 0 ? nil : Array(rows[0].bytes(0))
    }

    /// Replaces the contents of a document by those that `change` returns, and returns when they are durable.
    /// Others wait meanwhile.
    ///
    /// Throws the errors of `change`, in which case nothing is changed, and `StorageError`: `.unknownOutcome` if the
    /// connection is lost during the commit and it can't be found out whether that was completed.
    package func updateDocument<Value>(
        _ name: String, _ change: ([UInt8]?) throws -> (bytes: [UInt8], value: Value)
    ) throws -> Value {
        try pool.checkWritable()
        return try StorageError.translatingPostgreSQL {
            let lease = try pool.lease()
            // A row to lock, which is empty if there is no document yet.
            _ = try Self.run(
                [
                    PostgreSQLCall(
                        "INSERT INTO document (name, bytes) VALUES ($1, '') ON CONFLICT (name) DO NOTHING", [name])
                ],
                over: lease)
            do {
                let before = try Self.lock(name, over: lease)
                let (bytes, value) = try change(before.isEmpty ? nil : before)
                let update = PostgreSQLCall("UPDATE document SET bytes = $2 WHERE name = $1", [name, bytes])
                let notification = PostgreSQLListener.notification(
                    schema: address.schema, person: Self.documentsNumber, mark: 0)
                do {
                    _ = try lease.run { try $0.execute([update, PostgreSQLCall("COMMIT")], followedBy: notification) }
                } catch let failure as PostgreSQLFailure where failure.isConnectionLost {
                    guard try isStored(bytes, as: name, before, over: lease) else { throw failure }
                    lease.runIfConnected { try $0.executeLater(notification) }
                }
                return value
            } catch {
                PostgreSQLSnapshot.rollBack(lease)
                throw error
            }
        }
    }

    /// Begins a transaction and locks a document's row. Returns the contents, which are empty if there is no document.
    private static func lock(_ name: String, over lease: PostgreSQLLease) throws -> [UInt8] {
        let rows = try lease.run {
            try $0.execute([
                PostgreSQLCall("BEGIN"),
                PostgreSQLCall("SELECT bytes FROM document WHERE name = $1 FOR UPDATE", [name]),
            ])[1]
        }
        return rows.count == 0 ? [] : Array(rows[0].bytes(0))
    }

    /// Finds out, over another connection, whether a document was changed from `before` to `bytes` when the connection
    /// was lost.
    private func isStored(_ bytes: [UInt8], as name: String, _ before: [UInt8], over lease: PostgreSQLLease) throws
        -> Bool
    {
        let deadline = DispatchTime.now() + pool.options.reconnectTimeout
        while true {
            do {
                // Waits until the server has ended the previous transaction.
                let found = try Self.lock(name, over: lease)
                PostgreSQLSnapshot.rollBack(lease)
                if found == bytes { return true }
                if found == before { return false }
                // Another client has changed it since, from one or the other.
                throw PostgreSQLTransaction.unknownOutcome
            } catch let error as StorageError where error.kind == .unknownOutcome {
                throw error
            } catch {
                guard DispatchTime.now() < deadline else { throw PostgreSQLTransaction.unknownOutcome }
                PostgreSQLSnapshot.rollBack(lease)
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
    }

    /// Calls `handler` on a dedicated thread when a document may have changed, by this process or another.
    package func observeDocuments(_ handler: @escaping @Sendable () -> Void) -> StorageSubscription {
        listener.observe(Self.documentsNumber) { _ in handler() }
    }

    /// The number in notifications in place of a person's.
    private static let documentsNumber: Int64 = 0
}
