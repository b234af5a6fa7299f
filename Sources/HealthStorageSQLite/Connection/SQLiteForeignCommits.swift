import Dispatch
import GRDB
import HealthStorage
import Synchronization

/// Notices other connections' commits, while somebody wants to know.
///
/// SQLite keeps a number per connection that changes only when another connection has committed.
/// It is asked of the writing connection, which makes all commits of this storage: so what changes
/// it is foreign.
final class SQLiteForeignCommits: Sendable {
    private struct State {
        var handlers: [Int: @Sendable () -> Void] = [:]
        var nextHandler = 0
        /// The number last seen; `nil` before the first look.
        var version: Int64?
        /// Counts the times looking was begun: a tick of an earlier time does not go on.
        var round = 0
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "HealthStorage.foreignCommits")
    private let interval: Double
    private let withWriter: @Sendable ((Database) -> Void) -> Void

    /// - Parameters:
    ///   - interval: Seconds between two looks.
    ///   - withWriter: Runs a closure with the writing connection, outside a transaction.
    init(interval: Double, withWriter: @escaping @Sendable ((Database) -> Void) -> Void) {
        self.interval = interval
        self.withWriter = withWriter
    }

    /// Commits made before this returns may go unheard; none made after it does.
    func observe(_ handler: @escaping @Sendable () -> Void) -> StorageSubscription {
        let (number, newRound) = state.withLock { state -> (Int, Int?) in
            let isFirst = state.handlers.isEmpty
            let number = state.nextHandler
            state.nextHandler += 1
            state.handlers[number] = handler
            if isFirst {
                state.version = nil
                state.round += 1
            }
            return (number, isFirst ? state.round : nil)
        }
        withWriter { look($0) }
        if let newRound { tickLater(newRound) }
        return StorageSubscription { [weak self] in
            self?.state.withLock { $0.handlers[number] = nil }
        }
    }

    /// Looks once; asks nothing while nobody observes. Handlers run on a queue of their own.
    func look(_ database: Database) {
        guard state.withLock({ !$0.handlers.isEmpty }), let version = try? database.dataVersion() else { return }
        note(version)
    }

    /// Takes notice of the number as it is now, if anybody observes.
    func note(_ version: Int64) {
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

    /// Forgets all handlers.
    func stop() {
        state.withLock { $0.handlers = [:] }
    }

    private func tickLater(_ round: Int) {
        queue.asyncAfter(deadline: .now() + interval) { [weak self] in
            guard let self, state.withLock({ $0.round == round && !$0.handlers.isEmpty }) else { return }
            withWriter { self.look($0) }
            tickLater(round)
        }
    }
}
