import Synchronization

/// How far in the store's sequence an observer has looked, for each of its parts, so that it tells of
/// every change once: not again of what the call before was about, and never less.
final class ObservedPlaces: Sendable {
    private let places = Mutex<[String: Int64]>([:])

    /// Looks for something of a part after the place seen last, and remembers how far it looked.
    ///
    /// What is found is told after this, so everything up to then counts as told. Where nothing is found,
    /// only what was there before the look has been seen.
    ///
    /// - Parameters:
    ///   - last: The last sequence of the store.
    ///   - find: Whether there is something; given the place seen last.
    func look(
        at part: QueryPart, _ last: () throws -> Int64, _ find: (Int64) throws -> Bool
    ) throws -> Bool {
        let after = places.withLock { $0[part.identifier] } ?? 0
        let before = try last()
        let isFound = try find(after)
        let seen = isFound ? try last() : before
        places.withLock { $0[part.identifier] = seen }
        return isFound
    }
}
