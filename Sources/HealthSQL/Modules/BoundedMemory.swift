import CSQLiteBounds

/// Memory beside SQLite's that counts within the bounds of the thread, such as a page of samples at which a cursor is.
struct BoundedMemory: ~Copyable {
    private var bytes = 0

    /// Takes the memory instead of what was taken before.
    ///
    /// - Throws: ``SQLError`` if there isn't enough.
    mutating func take(_ bytes: Int) throws {
        let before = self.bytes
        guard sqlite_bounds_take(Int64(bytes - before)) != 0 else { throw SQLError("out of memory") }
        self.bytes = bytes
    }

    deinit {
        _ = sqlite_bounds_take(Int64(-bytes))
    }
}
