import Dispatch
import Synchronization
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Turns of SQL statements", .timeLimit(.minutes(5)))
struct StatementPoolTests {
    private static func pool(threads: Int = 1) -> StatementPool {
        var limits = ServerLimits()
        limits.statementThreads = threads
        return StatementPool(limits: limits)
    }

    /// Uses the processor until it is stopped, and lets others run as often as it can.
    @Sendable private static func spin(_ turn: StatementTimeSlice, until isStopped: borrowing Atomic<Bool>) {
        while !isStopped.load(ordering: .relaxed) { _ = turn.check(.max) }
    }

    @Test("A quick statement doesn’t wait for a dozen endless ones, of its own sender or another one")
    func quick() async throws {
        final class Flag: Sendable { let isSet = Atomic<Bool>(false) }
        let (pool, stop) = (Self.pool(threads: 2), Flag())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<12 {
                group.addTask { try await pool.run(of: "slow") { Self.spin($0, until: stop.isSet) } }
            }
            while pool.pendingCount < 12 { await Task.yield() }
            for sender in ["slow", "other"] { #expect(try await pool.run(of: sender) { _ in 7 } == 7) }
            #expect(pool.pendingCount == 12)
            stop.isSet.store(true, ordering: .relaxed)
            try await group.waitForAll()
        }
        #expect(pool.pendingCount == 0)
        await pool.shutdown()
    }

    @Test("Senders alternate, however many statements each of them has")
    func alternation() async throws {
        let pool = Self.pool()
        let turns = TurnList(statements: 7)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<7 {
                let sender = number == 3 ? "one" : "many"
                group.addTask {
                    try await pool.run(of: sender) { turn in
                        while turns.add(sender, number) { _ = turn.check(.max) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(turns.count(of: "one") * 2 == turns.count(of: nil))
        await pool.shutdown()
    }

    @Test("A sender can’t take all threads, nor all places to wait for one")
    func share() async throws {
        var limits = ServerLimits()
        (limits.statements, limits.statementsPerIdentity, limits.waitingStatements) = (3, 2, 4)
        let (pool, gate) = (StatementPool(limits: limits), DispatchSemaphore(value: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for pending in 1...4 {
                group.addTask { try await pool.run(of: "many") { _ in gate.wait() } }
                while pool.pendingCount < pending { await Task.yield() }
            }
            await #expect(throws: Problem.self) { try await pool.run(of: "many") { _ in } }
            // The third thread is free.
            group.addTask { try await pool.run(of: "one") { _ in gate.wait() } }
            while pool.pendingCount < 5 { await Task.yield() }
            group.addTask { try await pool.run(of: "one") { _ in gate.wait() } }
            while pool.pendingCount < 6 { await Task.yield() }
            for _ in 0..<6 { gate.signal() }
            try await group.waitForAll()
        }
        #expect(pool.pendingCount == 0)
        await pool.shutdown()
    }
}

/// The turns of statements from when all have had one, up to a number of them.
private final class TurnList: Sendable {
    private let statements: Int
    private let state = Mutex<(begun: Set<Int>, turns: [String])>(([], []))
    private static let maximum = 100

    init(statements: Int) {
        self.statements = statements
    }

    /// Adds a turn; returns `false` at the end.
    func add(_ sender: String, _ number: Int) -> Bool {
        state.withLock { state in
            state.begun.insert(number)
            guard state.begun.count == statements else { return true }
            guard state.turns.count < Self.maximum else { return false }
            state.turns.append(sender)
            return true
        }
    }

    func count(of sender: String?) -> Int {
        state.withLock { $0.turns.count { sender == nil || $0 == sender } }
    }
}
