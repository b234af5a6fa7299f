/// What a backend must give the engine: snapshots to read from, one atomic transaction at a time to
/// write in, and word when another process wrote. No backend knows what a statistic is.
///
/// Calls do not nest on one thread: neither `write`, `observeForeignCommits` nor `close` is called from
/// inside a `read` or `write` of the same storage, nor `read` from inside a `read`.
///
/// Every backend passes the contract suite of `HealthTesting`.
public protocol HealthStorage: AnyObject, Sendable {
    /// Runs `body` over one consistent state; later writes are not seen in it. May be called from any
    /// thread, several at once, and while a write is under way.
    func read<Value>(_ body: (any StorageSnapshot) throws -> Value) throws -> Value

    /// Runs `body` in the store's only write transaction. When it returns, all it wrote is durable;
    /// when it throws, nothing of it is there.
    ///
    /// - Parameter waiting: Whether to wait for another writer to end. If not, ``StorageError/Kind/busy`` is
    ///   thrown while there is one, and `body` has not run.
    func write<Value>(waiting: Bool, _ body: (any StorageTransaction) throws -> Value) throws -> Value

    /// Calls `handler` on a thread of the backend after another process has committed to this store,
    /// within half a second, until the returned subscription is cancelled or let go.
    func observeForeignCommits(_ handler: @escaping @Sendable () -> Void) -> StorageSubscription

    /// Looks for damage that the backend itself can see, which may take long. Each finding is a
    /// sentence without health data; none means that all is well.
    func findDamage() throws -> [String]

    /// Lets go of files and connections. Later calls throw ``StorageError``.
    func close() throws
}

extension HealthStorage {
    /// Runs `body` in the store's only write transaction, after another writer's end.
    public func write<Value>(_ body: (any StorageTransaction) throws -> Value) throws -> Value {
        try write(waiting: true, body)
    }

    /// Nothing: for backends that have nothing to look into.
    public func findDamage() throws -> [String] {
        []
    }
}
