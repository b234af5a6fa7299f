import Dispatch
import GRDB
import HealthStorage
import Synchronization

/// Detects commits by other connections while there are observers.
///
/// SQLite's `data_version` of a connection changes only when another connection commits. Since the writing connection
/// makes all commits of this storage, changes of its data version are caused by others.
final class SQLiteForeignCommits: Sendable {
    private struct Version: Equatable {
        /// How often the file was opened again: data versions start over with each.
        var opening: Int
        var data: Int64
    }

    private struct State {
        var handlers: [Int: @Sendable () -> Void] = [:]
        var nextHandler = 0
        /// The most recent data version; `nil` before the first check.
        var version: Version?
        /// The number of times that polling was started. A poll of an earlier run does not continue.
        var run = 0
    }

    /// Represents the data version of a file that isn't at its path any more.
    private static let moved: Int64 = -1

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "HealthStorage.foreignCommits")
    private let interval: Double
    private let withWriter: @Sendable ((Database, Int) -> Void) -> Void

    /// - Parameters:
    ///   - interval: The number of seconds between checks.
    ///   - withWriter: Calls a closure with the writing connection, outside a transaction, and how often the file was
    ///     opened again.
    init(interval: Double, withWriter: @escaping @Sendable ((Database, Int) -> Void) -> Void) {
        self.interval = interval
        self.withWriter = withWriter
    }

    /// Observes all commits made after this method returns.
    func observe(_ handler: @escaping @Sendable () -> Void) -> StorageSubscription {
        let (number, newRun) = state.withLock { state -> (Int, Int?) in
            let isFirst = state.handlers.isEmpty
            let number = state.nextHandler
            state.nextHandler += 1
            state.handlers[number] = handler
            if isFirst {
                state.version = nil
                state.run += 1
            }
            return (number, isFirst ? state.run : nil)
        }
        withWriter { look($0, opening: $1) }
        if let newRun { scheduleLook(newRun) }
        return StorageSubscription { [weak self] in
            self?.state.withLock { $0.handlers[number] = nil }
        }
    }

    /// Checks once, if there are observers, and calls their handlers on a queue.
    func look(_ database: Database, opening: Int) {
        guard state.withLock({ !$0.handlers.isEmpty }) else { return }
        // A reader of a file that is gone gets the error, instead of never being notified again.
        guard let version = database.isMoved ? Self.moved : try? database.dataVersion() else { return }
        record(version, opening: opening)
    }

    /// Updates the most recent data version, if there are observers.
    func record(_ version: Int64, opening: Int = 0) {
        let version = Version(opening: opening, data: version)
        let handlers = state.withLock { state -> [@Sendable () -> Void] in
            guard !state.handlers.isEmpty else { return [] }
            let known = state.version
            state.version = version
            return known == nil || known == version ? [] : Array(state.handlers.values)
        }
        guard !handlers.isEmpty else { return }
        queue.async {
            for handler in handlers { handler() }
        }
    }

    /// Removes all handlers.
    func stop() {
        state.withLock { $0.handlers = [:] }
    }

    private func scheduleLook(_ run: Int) {
        queue.asyncAfter(deadline: .now() + interval) { [weak self] in
            guard let self, state.withLock({ $0.run == run && !$0.handlers.isEmpty }) else { return }
            withWriter { self.look($0, opening: $1) }
            scheduleLook(run)
        }
    }
}
