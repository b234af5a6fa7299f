public import HealthStorage

/// Documents that belong to no person, such as the tokens of the servers that share a database.
extension PostgreSQLDatabase {
    /// The contents of a document; `nil` if there is none.
    public func document(_ name: String) throws -> [UInt8]? {
        let rows = try run([PostgreSQLCall("SELECT bytes FROM document WHERE name = $1") { $0.add(name) }])
        return rows.count == 0 ? nil : Array(rows.bytes(0, 0))
    }

    /// Replaces the contents of a document by those that `change` makes of them, and returns when they are durable. Others
    /// wait meanwhile.
    ///
    /// Throws the errors of `change`, in which case nothing is changed, and `StorageError`.
    public func updateDocument<Value>(
        _ name: String, _ change: ([UInt8]?) throws -> (bytes: [UInt8], value: Value)
    ) throws -> Value {
        try StorageError.translatingPostgreSQL {
            let lease = try pool.lease()
            // A row to lock, which is empty if there is no document yet.
            _ = try Self.run(
                [PostgreSQLCall("INSERT INTO document (name, bytes) VALUES ($1, '') ON CONFLICT (name) DO NOTHING") { $0.add(name) }],
                over: lease)
            do {
                let rows = try lease.run {
                    try $0.execute([
                        PostgreSQLCall("BEGIN"),
                        PostgreSQLCall("SELECT bytes FROM document WHERE name = $1 FOR UPDATE") { $0.add(name) },
                    ])[1]
                }
                let before = rows.count == 0 ? [] : Array(rows.bytes(0, 0))
                let (bytes, value) = try change(before.isEmpty ? nil : before)
                let update = PostgreSQLCall("UPDATE document SET bytes = $2 WHERE name = $1") {
                    $0.add(name)
                    $0.add(bytes)
                }
                let notification = PostgreSQLListener.notification(
                    schema: address.schema, person: Self.documentsNumber, mark: 0)
                _ = try lease.run { try $0.execute([update, PostgreSQLCall("COMMIT")], followedBy: notification) }
                return value
            } catch {
                PostgreSQLSnapshot.rollBack(lease)
                throw error
            }
        }
    }

    /// Calls `handler` on a thread of its own when a document may have changed, by this process or another.
    public func observeDocuments(_ handler: @escaping @Sendable () -> Void) -> StorageSubscription {
        listener.observe(Self.documentsNumber) { _ in handler() }
    }

    /// The number in notifications in place of a person's.
    private static let documentsNumber: Int64 = 0
}
