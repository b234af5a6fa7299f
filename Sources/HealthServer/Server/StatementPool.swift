import Dispatch
import HTTPTypes
import NIOPosix
import Synchronization

/// The threads of untrusted SQL statements, which may take seconds each.
///
/// A few statements run at a time. Each is paused after a short while if others wait, and continues after them, so that a
/// quick statement doesn't wait for the end of slow ones. The senders alternate: one with many statements has no more of
/// the processor than one with a single statement.
final class StatementPool: Sendable {
    private struct State {
        /// The statements that have a thread, and those of each sender.
        var admitted = 0
        var admittedOf: [String: Int] = [:]
        var waitingForThread = FairQueue<CheckedContinuation<Void, any Error>>()
        /// The statements that run, each on its thread, while those of the other threads are paused.
        var running = 0
        var paused = FairQueue<DispatchSemaphore>()
    }

    private let threads: NIOThreadPool
    private let limits: ServerLimits
    private let state = Mutex(State())

    init(limits: ServerLimits) {
        self.limits = limits
        threads = NIOThreadPool(numberOfThreads: max(limits.statements, 1))
        threads.start()
    }

    /// The statements that wait for a thread or have one.
    var pendingCount: Int { state.withLock { $0.admitted + $0.waitingForThread.count } }

    /// Runs a statement and returns its result.
    ///
    /// - Parameter sender: The identifier of the token or session that sends the statement.
    /// - Throws: the errors of `work`, and ``Problem`` `overloaded` if too many statements wait.
    func run<Value: Sendable>(
        of sender: String, _ work: @escaping @Sendable (StatementTimeSlice) throws -> Value
    ) async throws -> Value {
        try await admit(sender)
        defer { leave(sender) }
        return try await threads.runIfActive { [self] in
            begin(sender)
            defer { end() }
            return try work(StatementTimeSlice(pool: self, sender: sender))
        }
    }

    /// Waits for running statements and ends the threads.
    func shutdown() async {
        // Fails only if it was shut down before.
        try? await threads.shutdownGracefully()
    }

    // MARK: Threads

    private func isFree(_ state: State, for sender: String) -> Bool {
        state.admitted < max(limits.statements, 1)
            && state.admittedOf[sender, default: 0] < max(limits.statementsPerIdentity, 1)
    }

    private func admit(_ sender: String) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let result: Result<Void, any Error>? = state.withLock { state in
                if isFree(state, for: sender) {
                    state.admitted += 1
                    state.admittedOf[sender, default: 0] += 1
                    return .success(())
                }
                // A sender leaves half of the places to others.
                guard state.waitingForThread.count < limits.waitingStatements,
                    state.waitingForThread.count(of: sender) < max(limits.waitingStatements / 2, 1)
                else {
                    return .failure(
                        Problem(
                            .overloaded, "Too many statements are waiting. Repeat the request.",
                            headers: [.retryAfter: "1"]))
                }
                state.waitingForThread.append(continuation, of: sender)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// Gives a thread back, and to the next statement that may have it.
    private func leave(_ sender: String) {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            state.admitted -= 1
            let rest = state.admittedOf[sender, default: 1] - 1
            state.admittedOf[sender] = rest > 0 ? rest : nil
            let counts = state.admittedOf
            let most = max(limits.statementsPerIdentity, 1)
            guard let next = state.waitingForThread.next(where: { counts[$0, default: 0] < most }) else { return nil }
            state.admitted += 1
            state.admittedOf[next.sender, default: 0] += 1
            return next.element
        }
        next?.resume()
    }

    // MARK: Turns

    private func begin(_ sender: String) {
        let pause = state.withLock { state -> DispatchSemaphore? in
            guard state.running >= max(limits.statementThreads, 1) else {
                state.running += 1
                return nil
            }
            let pause = DispatchSemaphore(value: 0)
            state.paused.append(pause, of: sender)
            return pause
        }
        pause?.wait()
    }

    private func end() {
        let next = state.withLock { state -> DispatchSemaphore? in
            let next = state.paused.next()
            if next == nil { state.running -= 1 }
            return next?.element
        }
        next?.signal()
    }

    /// Lets the next paused statement run, and waits until this one may continue. Does nothing if none is paused.
    fileprivate func pause(_ sender: String) {
        let turn = state.withLock { state -> (own: DispatchSemaphore, next: DispatchSemaphore)? in
            guard state.paused.count > 0 else { return nil }
            // Before the next one is chosen: the other senders come first, and then this one.
            let own = DispatchSemaphore(value: 0)
            state.paused.append(own, of: sender)
            return state.paused.next().map { (own, $0.element) }
        }
        guard let turn else { return }
        turn.next.signal()
        turn.own.wait()
    }
}

/// A statement's time on the processor until others get theirs. It belongs to one thread.
final class StatementTimeSlice {
    private static let nanoseconds: UInt64 = 20_000_000

    private let pool: StatementPool
    private let sender: String
    private var end = DispatchTime.now().uptimeNanoseconds &+ StatementTimeSlice.nanoseconds

    fileprivate init(pool: StatementPool, sender: String) {
        self.pool = pool
        self.sender = sender
    }

    /// Pauses if the turn is over and others wait.
    ///
    /// - Parameter now: The uptime in nanoseconds.
    /// - Returns: The duration of the pause in nanoseconds.
    func check(_ now: UInt64) -> UInt64 {
        guard now >= end else { return 0 }
        let start = DispatchTime.now().uptimeNanoseconds
        pool.pause(sender)
        let resumed = DispatchTime.now().uptimeNanoseconds
        end = resumed &+ Self.nanoseconds
        return resumed &- start
    }
}

/// The waiting elements, by their sender. The senders alternate.
private struct FairQueue<Element> {
    private var elements: [String: [Element]] = [:]
    /// The senders in the order in which they are next.
    private var order: [String] = []
    private(set) var count = 0

    func count(of sender: String) -> Int { elements[sender]?.count ?? 0 }

    mutating func append(_ element: Element, of sender: String) {
        if elements[sender] == nil { order.append(sender) }
        elements[sender, default: []].append(element)
        count += 1
    }

    /// Removes and returns the first element of the next sender for which the condition is true.
    mutating func next(where isPossible: (String) -> Bool = { _ in true }) -> (sender: String, element: Element)? {
        guard let index = order.firstIndex(where: isPossible) else { return nil }
        let sender = order.remove(at: index)
        guard let element = elements[sender]?.removeFirst() else { return nil }
        count -= 1
        if elements[sender]?.isEmpty == true { elements[sender] = nil } else { order.append(sender) }
        return (sender, element)
    }
}
