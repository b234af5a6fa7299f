import Dispatch
import Foundation
import HealthStorage
import Synchronization

/// Listens for the notifications of commits, on one connection for all observed people of a database.
///
/// Each person has a channel. While the connection is lost, no notification arrives, so all observers are called once
/// it is back.
final class PostgreSQLListener: Sendable {
    /// Called with the mark of a commit, or with `nil` if commits may have been missed.
    typealias Handler = @Sendable (UInt64?) -> Void

    fileprivate struct State {
        var handlers: [Int: (person: Int64, handler: Handler)] = [:]
        var nextHandler = 0
        /// Those who wait until their person's channel is listened to.
        var waiters: [(person: Int64, semaphore: DispatchSemaphore)] = []
        /// The people of those who have stopped waiting, and who are called when the channel is listened to.
        var late: Set<Int64> = []
        /// The writing end of the pipe that wakes the thread; `nil` if there is none.
        var wake: Int32?
        var isClosed = false
        var isPolling = false
    }

    private let pool: PostgreSQLPool
    private let state = Mutex(State())

    init(_ pool: PostgreSQLPool) {
        self.pool = pool
    }

    /// Whether there are no notifications, because the address is that of a pooler only: handlers are called every
    /// ``pollingInterval``.
    var isPolling: Bool { state.withLock { $0.isPolling } }

    /// In milliseconds; less than the time within which other backends notice commits, too.
    fileprivate static let pollingInterval: Int32 = 400

    static func channel(_ schema: String, _ person: Int64) -> String { "\(schema).\(person)" }

    /// The number of the last of the locks that people share: a server of default settings has room for six thousand.
    private static let lastLock: Int64 = 1_023

    /// The lock that a listener holds, shared with others.
    private static func lock(_ person: Int64, _ schema: String) -> String {
        "hashtext('listen \(schema)'), \(person & lastLock)"
    }

    /// The statement that returns whether there are no listeners to the commits of a person. Until the transaction has
    /// ended, new listeners wait.
    static func listeners(of person: Int64, schema: String) -> PostgreSQLCall {
        // As ``lock(_:_:)``, with arguments, so that it is prepared once.
        PostgreSQLCall(
            "SELECT pg_try_advisory_xact_lock(hashtext($1), $2::int4)", ["listen \(schema)", person & lastLock])
    }

    /// The statement that notifies others: the person and the mark of the commit, nothing else.
    ///
    /// It is a separate transaction, whose loss in a crash of the server does not matter, because every listener
    /// loses its connection with it. In the writing transaction, it would let the commits of all people wait for each
    /// other.
    static func notification(schema: String, person: Int64, mark: UInt64) -> PostgreSQLCall {
        PostgreSQLCall(
            "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)",
            [channel(schema, person), "\(person) \(mark)"])
    }

    /// Calls `handler` for all commits to a person's store made after this method returns.
    func observe(_ person: Int64, _ handler: @escaping Handler) -> StorageSubscription {
        let semaphore = DispatchSemaphore(value: 0)
        let number = state.withLock { state -> Int in
            defer { state.nextHandler += 1 }
            state.handlers[state.nextHandler] = (person, handler)
            state.waiters.append((person, semaphore))
            startOrWake(&state)
            return state.nextHandler
        }
        // If the server can't be reached now, or takes longer, the handler is called when the channel is listened to.
        if semaphore.wait(timeout: .now() + 5) == .timedOut {
            state.withLock { state in
                let waiting = state.waiters.count
                state.waiters.removeAll { $0.semaphore === semaphore }
                if state.waiters.count < waiting { state.late.insert(person) }
            }
        }
        return StorageSubscription { [weak self] in
            self?.state.withLock { state in
                state.handlers[number] = nil
                state.signal()
            }
        }
    }

    /// Removes all handlers and ends the thread.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.handlers = [:]
            state.signal()
        }
    }

    private func startOrWake(_ state: inout State) {
        if state.wake != nil || state.isClosed { return state.signal() }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        state.wake = ends[1]
        let reading = ends[0]
        Thread.detachNewThread { [weak self] in
            PostgreSQLListening(reading).run { self }
        }
    }

    // MARK: What the thread asks for

    /// The people to listen for, or `nil` if there are none, in which case the thread must end.
    fileprivate func peopleOrEnd() -> Set<Int64>? {
        state.withLock { state in
            guard state.handlers.isEmpty || state.isClosed else { return Set(state.handlers.values.map(\.person)) }
            for waiter in state.waiters { waiter.semaphore.signal() }
            state.waiters = []
            if let wake = state.wake { Glibc.close(wake) }
            state.wake = nil
            return nil
        }
    }

    fileprivate func open() throws -> PostgreSQLConnection {
        let connection = try pool.open(isDirect: true)
        state.withLock { $0.isPolling = connection.isPooled }
        return connection
    }

    /// The statements that begin or end to listen to people's commits.
    fileprivate func calls(from previous: Set<Int64>, to people: Set<Int64>) -> [String] {
        let schema = pool.address.schema
        let channels =
            people.subtracting(previous).map { "LISTEN \"\(Self.channel(schema, $0))\"" }
            + previous.subtracting(people).map { "UNLISTEN \"\(Self.channel(schema, $0))\"" }
        let (held, needed) = (Set(previous.map { Self.lock($0, schema) }), Set(people.map { Self.lock($0, schema) }))
        // A lock comes before its channels and goes after them, so that no listener is overlooked.
        return needed.subtracting(held).map { "SELECT pg_advisory_lock_shared(\($0))" } + channels
            + held.subtracting(needed).map { "SELECT pg_advisory_unlock_shared(\($0))" }
    }

    /// Releases those who wait for these people's channels, and calls those who have waited too long.
    fileprivate func releaseWaiters(_ people: Set<Int64>?) {
        let late = state.withLock { state in
            state.waiters.removeAll { waiter in
                guard people?.contains(waiter.person) ?? true else { return false }
                waiter.semaphore.signal()
                return true
            }
            guard let people else { return Set<Int64>() }
            defer { state.late.subtract(people) }
            return state.late.intersection(people)
        }
        for person in late.sorted() { call(person, nil) }
    }

    /// Calls the handlers of a person, or of all, with the mark of a commit.
    fileprivate func call(_ person: Int64?, _ mark: UInt64?) {
        let handlers = state.withLock { state in
            state.handlers.sorted { $0.key < $1.key }.map(\.value).filter { person == nil || $0.person == person }
        }
        for entry in handlers { entry.handler(mark) }
    }
}

extension PostgreSQLListener.State {
    fileprivate func signal() {
        guard let wake else { return }
        var byte: UInt8 = 1
        _ = write(wake, &byte, 1)
    }
}

/// The thread of a listener.
private final class PostgreSQLListening {
    private let wake: Int32
    private var connection: PostgreSQLConnection?
    private var channels: Set<Int64> = []
    private var hasMissed = false
    /// Whether there is no connection to listen on.
    private var isPolling = false

    init(_ wake: Int32) {
        self.wake = wake
    }

    deinit {
        close(wake)
    }

    /// Runs until the listener is gone.
    func run(_ listener: () -> PostgreSQLListener?) {
        while let owner = listener(), let people = owner.peopleOrEnd() {
            do {
                if !isPolling {
                    let connection = try connection ?? owner.open()
                    isPolling = connection.isPooled
                    self.connection = isPolling ? nil : connection
                }
                guard let connection else {
                    owner.releaseWaiters(people)
                    wait(PostgreSQLListener.pollingInterval)
                    owner.call(nil, nil)
                    continue
                }
                try listen(connection, to: people, owner)
                if hasMissed {
                    hasMissed = false
                    owner.call(nil, nil)
                }
                for notification in try connection.takeNotifications() {
                    let numbers = notification.payload.split(separator: " ")
                    guard numbers.count == 2, let person = Int64(numbers[0]), let mark = UInt64(numbers[1]) else {
                        continue
                    }
                    owner.call(person, mark)
                }
            } catch {
                connection = nil
                channels = []
                hasMissed = true
                owner.releaseWaiters(nil)
            }
            wait(connection == nil ? 100 : 10_000)
        }
    }

    private func listen(_ connection: PostgreSQLConnection, to people: Set<Int64>, _ owner: PostgreSQLListener) throws {
        let calls = owner.calls(from: channels, to: people)
        guard !calls.isEmpty else { return owner.releaseWaiters(people) }
        _ = try connection.execute(calls.map { PostgreSQLCall($0, isPrepared: false) })
        channels = people
        owner.releaseWaiters(people)
    }

    /// Waits for the server or for a change of the observers, or the given number of milliseconds.
    private func wait(_ limit: Int32) {
        var descriptors = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
        if let connection { descriptors.append(pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0)) }
        _ = poll(&descriptors, nfds_t(descriptors.count), limit)
        guard descriptors[0].revents != 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = read(wake, &bytes, bytes.count)
    }
}
