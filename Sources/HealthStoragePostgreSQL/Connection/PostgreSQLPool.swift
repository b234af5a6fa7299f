import Dispatch
import Foundation
import HealthStorage
import Synchronization

/// The open connections to a server, of which each is used by one thread at a time.
final class PostgreSQLPool: Sendable {
    private struct State {
        var idle: [PostgreSQLConnection] = []
        /// The number of times that connections have been lost, or another server has been found to answer.
        var epoch = 0
        /// When the server was started that the last connection is to, in microseconds since 2000.
        var server: Int64?
        /// Whether there has been a connection, so that the address is known to be right.
        var hasConnected = false
        var isClosed = false
        /// Since when no connection could be opened, and when it is tried again after that has lasted too long; `nil`
        /// while the server answers.
        var outage: (since: DispatchTime, nextAttempt: DispatchTime)?
        /// Whether row-level security applies to the user, who then can't copy rows into tables.
        var isRestricted = false
        var isCluster = false
        /// The compatibility of the tables with this program; `nil` until they are known to exist.
        var compatibility: PostgreSQLSchema.Compatibility?
    }

    let address: PostgreSQLAddress
    let options: PostgreSQLOptions
    let activity = PostgreSQLActivity()
    private let server: PostgreSQLAddress.Server
    private let state = Mutex(State())
    private let permits: DispatchSemaphore

    init(_ address: PostgreSQLAddress, server: PostgreSQLAddress.Server = .primary, options: PostgreSQLOptions) {
        self.address = address
        self.server = server
        self.options = options
        permits = DispatchSemaphore(value: max(options.maximumConnections, 1))
    }

    /// A number that changes whenever a connection is lost: what was cached before may have been undone by a server
    /// that took over.
    var epoch: Int { state.withLock { $0.epoch } }

    /// Whether the tables are distributed over a cluster, which routes simple statements only.
    var isCluster: Bool { state.withLock { $0.isCluster } }

    /// Whether many rows can be copied into a table at once.
    var canCopy: Bool { state.withLock { !$0.isRestricted } }

    /// Whether a database can be changed by this program: its tables may be of another version, which it can only read.
    var compatibility: PostgreSQLSchema.Compatibility { state.withLock { $0.compatibility ?? .full } }

    /// Throws `StorageError` `.notAStore` if the tables are of a version that this program can only read.
    func checkWritable() throws {
        if case .reading(let reason) = compatibility { throw StorageError(.notAStore, reason) }
    }

    /// Asks the server what depends on the user and on its extensions. The tables must exist.
    func inspectServer() throws {
        try lease().run { connection in
            try inspectTables(connection)
            let rows = try connection.rows(
                "SELECT row_security_active($1), EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus')",
                ["\(address.schema).page"])
            state.withLock { ($0.isRestricted, $0.isCluster) = (rows[0].isTrue(0), rows[0].isTrue(1)) }
        }
    }

    /// Records what the tables allow. Connections that are open are to the same tables.
    private func inspectTables(_ connection: PostgreSQLConnection) throws {
        let compatibility = try PostgreSQLSchema.compatibility(connection, address.schema)
        state.withLock { $0.compatibility = compatibility }
        if case .nothing(let reason) = compatibility { throw StorageError(.notAStore, reason) }
    }

    /// Calls `body` with a lease, after waiting for a free connection.
    func lease() throws -> PostgreSQLLease {
        activity.add { $0.waiting += 1 }
        let isFree = permits.wait(timeout: .now() + options.poolTimeout) == .success
        activity.add { ($0.waiting, $0.inUse) = ($0.waiting - 1, $0.inUse + (isFree ? 1 : 0)) }
        guard isFree else {
            throw StorageError(.busy, "All \(options.maximumConnections) connections to the server are in use.")
        }
        return PostgreSQLLease(self)
    }

    fileprivate func release(_ connection: PostgreSQLConnection?) {
        // Closed outside the lock.
        let superfluous = state.withLock { state -> PostgreSQLConnection? in
            guard let connection, !state.isClosed, connection.epoch == state.epoch, connection.isUsable else {
                return connection
            }
            state.idle.append(connection)
            return nil
        }
        withExtendedLifetime(superfluous) {}
        activity.add { $0.inUse -= 1 }
        permits.signal()
    }

    /// An idle connection or a new one. If connections were possible before, opening is tried until the timeout, so
    /// that a server may restart.
    fileprivate func connection() throws -> PostgreSQLConnection {
        if case .nothing(let reason) = compatibility { throw StorageError(.notAStore, reason) }
        let (idle, isClosed) = state.withLock { ($0.idle.popLast(), $0.isClosed) }
        guard !isClosed else { throw StorageError(.closed, "The connections to the server are closed.") }
        return try idle ?? open()
    }

    /// A new connection, which the pool does not count.
    ///
    /// - Parameter isDirect: Whether it is to the server itself, if the address names one behind a pooler.
    ///
    /// Throws ``PostgreSQLFailure`` if the server rejects it, and `StorageError` `.unreachable` if it hasn't answered for
    /// ``PostgreSQLOptions/reconnectTimeout``, however many threads have waited for it.
    func open(isDirect: Bool = false) throws -> PostgreSQLConnection {
        var pause = 0.02
        var isAgain = false
        while true {
            let (epoch, hasConnected, isClosed) = state.withLock { ($0.epoch, $0.hasConnected, $0.isClosed) }
            guard !isClosed else { throw StorageError(.closed, "The connections to the server are closed.") }
            try checkOutage()
            do {
                let connection = try PostgreSQLConnection(
                    address, server: isDirect ? .direct : server, options: options, epoch: epoch, activity: activity)
                activity.add { $0.opened += 1 }
                // One that has taken over may lack what was cached, although no connection has been lost yet.
                guard isKnown(connection.server) || isAgain else {
                    isAgain = true
                    continue
                }
                let mustInspect = state.withLock { state in
                    state.hasConnected = true
                    state.outage = nil
                    return state.compatibility != nil
                }
                // A newer program may have changed the tables meanwhile.
                if mustInspect { try inspectTables(connection) }
                return connection
            } catch let failure as PostgreSQLFailure {
                guard failure.isConnectionLost else { throw failure }
                guard DispatchTime.now() + pause < recordOutage() + options.reconnectTimeout, hasConnected else {
                    throw StorageError(failure)
                }
                Thread.sleep(forTimeInterval: pause)
                pause = min(pause * 1.6, 0.5)
            }
        }
    }

    /// Records that the server doesn't answer. Returns since when.
    private func recordOutage() -> DispatchTime {
        state.withLock { state in
            let outage = state.outage ?? (.now(), .now())
            state.outage = outage
            return outage.since
        }
    }

    /// Throws immediately during an outage, except in one thread a second, which tries. Those who wait for connections
    /// or threads would otherwise wait for each other's attempts.
    private func checkOutage() throws {
        let mayTry = state.withLock { state in
            let now = DispatchTime.now()
            guard let outage = state.outage, now >= outage.since + options.reconnectTimeout else { return true }
            guard now >= outage.nextAttempt else { return false }
            state.outage?.nextAttempt = now + 1
            return true
        }
        guard mayTry else { throw StorageError(.unreachable, "The database server does not answer.") }
    }

    /// Records which server answers. Returns `false` if it is another one than before: connections opened from now on
    /// are of another epoch.
    private func isKnown(_ server: Int64) -> Bool {
        let (isKnown, idle) = state.withLock { state -> (Bool, [PostgreSQLConnection]) in
            defer { state.server = server }
            guard let known = state.server, known != server else { return (true, []) }
            state.epoch += 1
            defer { state.idle = [] }
            return (false, state.idle)
        }
        withExtendedLifetime(idle) {}
        return isKnown
    }

    /// Records that a connection was lost, which the others will be, too.
    fileprivate func recordLoss(of connection: PostgreSQLConnection) {
        activity.add { $0.lost += 1 }
        let idle = state.withLock { state -> [PostgreSQLConnection] in
            guard connection.epoch == state.epoch else { return [] }
            state.epoch += 1
            defer { state.idle = [] }
            return state.idle
        }
        // Closed outside the lock.
        withExtendedLifetime(idle) {}
    }

    func close() {
        let idle = state.withLock { state -> [PostgreSQLConnection] in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        withExtendedLifetime(idle) {}
    }
}

/// The right of a thread to one connection, which may be replaced when it is lost. Ends when it is released.
final class PostgreSQLLease {
    private let pool: PostgreSQLPool
    private var current: PostgreSQLConnection?

    fileprivate init(_ pool: PostgreSQLPool) {
        self.pool = pool
    }

    deinit {
        pool.release(current)
    }

    /// The connection, opened if necessary.
    func connection() throws -> PostgreSQLConnection {
        if let current { return current }
        let connection = try pool.connection()
        current = connection
        return connection
    }

    /// Calls `body` with the connection. If the connection is lost, the next call gets another one.
    func run<Value>(_ body: (PostgreSQLConnection) throws -> Value) throws -> Value {
        let connection = try connection()
        do {
            return try body(connection)
        } catch let failure as PostgreSQLFailure where failure.isConnectionLost {
            drop()
            throw failure
        }
    }

    /// Calls `body` with the connection, unless it has been lost.
    func runIfConnected(_ body: (PostgreSQLConnection) throws -> Void) {
        guard current != nil else { return }
        try? run(body)
    }

    /// Closes the connection, whose state is unknown.
    func drop() {
        guard let lost = current else { return }
        current = nil
        pool.recordLoss(of: lost)
    }
}
