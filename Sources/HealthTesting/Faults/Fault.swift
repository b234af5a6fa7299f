public import Foundation
public import HealthKit
public import HealthStorage
import Synchronization

/// A future failure: which calls fail, and with which error.
public struct Fault: Hashable, Sendable {
    /// The calls of the storage that are counted.
    public enum Point: Hashable, Sendable {
        /// Reads, in snapshots and transactions.
        case read
        /// Writes, in transactions.
        case write
        /// Ends of transactions that are rolled back after their body has returned.
        case commit
        /// Ends of transactions that are committed but reported as failed, as when a connection breaks before the
        /// response arrives.
        case afterCommit
    }

    /// The calls of HealthKit that are counted.
    public enum Call: Hashable, Sendable {
        /// Queries, when they are executed, and everything else that reads, such as attachments and preferred units.
        case query
        /// Saves and all other changes, such as those of workout builders, and registrations for background delivery.
        case save
        /// Deletions of objects.
        case delete
        /// Requests for authorization.
        case authorization
    }

    enum Place: Hashable {
        case storage(Point)
        case healthKit(Call)
    }

    enum Failure: Hashable {
        case storage(StorageError)
        case healthKit(HKError.Code, delay: TimeInterval)
    }

    let place: Place
    let failure: Failure
    /// The counts of the calls that fail.
    let failing: Range<Int>

    /// Creates a fault of the storage after `after` successful calls. It occurs once.
    public init(
        at point: Point, after: Int,
        error: StorageError = StorageError(.inputOutput, "A fault was injected.")
    ) {
        self.init(.storage(point), .storage(error), after: after, times: 1)
    }

    /// Creates a fault of HealthKit: calls fail with an error, as if the system had refused them, and change nothing.
    ///
    /// ```swift
    /// health.inject(Fault(in: .query, .errorDatabaseInaccessible))
    /// health.inject(Fault(in: .save, .errorRequiredAuthorizationDenied, after: 1, times: 2))
    /// ```
    ///
    /// - Parameters:
    ///   - call: The calls that are counted.
    ///   - code: The code of the error.
    ///   - after: The number of calls that succeed before the failure.
    ///   - times: The number of calls in a row that fail, at least 1; `Int.max` for all.
    ///   - delay: The seconds of the store’s clock after which a call fails. It waits until the clock is advanced.
    public init(in call: Call, _ code: HKError.Code, after: Int = 0, times: Int = 1, delay: TimeInterval = 0) {
        self.init(.healthKit(call), .healthKit(code, delay: delay), after: after, times: times)
    }

    private init(_ place: Place, _ failure: Failure, after: Int, times: Int) {
        precondition(after >= 0 && times >= 1, "A fault occurs after 0 or more calls, and at least once.")
        (self.place, self.failure) = (place, failure)
        failing = after..<(times > Int.max - after ? Int.max : after + times)
    }
}

/// Counts calls and decides which of them fail.
final class FaultPlan: Sendable {
    private struct State {
        var fault: Fault?
        var counts: [Fault.Place: Int] = [:]
        var isLocked = false
    }

    private let state = Mutex(State())

    func set(_ fault: Fault?) {
        state.withLock { $0 = State(fault: fault, isLocked: $0.isLocked) }
    }

    func count(of place: Fault.Place) -> Int {
        state.withLock { $0.counts[place, default: 0] }
    }

    var isLocked: Bool {
        get { state.withLock { $0.isLocked } }
        set { state.withLock { $0.isLocked = newValue } }
    }

    /// Throws an error while samples are locked.
    func passLock() throws {
        guard isLocked else { return }
        throw StorageError(.unreachable, "Protected health data is inaccessible")
    }

    /// Counts a call of the storage, and throws an error if it is one to fail.
    func pass(_ point: Fault.Point) throws {
        if case .storage(let error) = failure(at: .storage(point)) { throw error }
    }

    /// Counts a call of HealthKit, and returns its failure if it is one to fail.
    func pass(_ lane: StoreConnection.Lane) -> InjectedFailure? {
        let call: Fault.Call =
            switch lane {
            case .reading: .query
            case .writing: .save
            case .deleting: .delete
            case .asking: .authorization
            }
        guard case .healthKit(let code, let delay) = failure(at: .healthKit(call)) else { return nil }
        return InjectedFailure(code, delay: delay)
    }

    private func failure(at place: Fault.Place) -> Fault.Failure? {
        state.withLock { state in
            let before = state.counts[place, default: 0]
            state.counts[place] = before + 1
            guard let fault = state.fault, fault.place == place, fault.failing.contains(before) else { return nil }
            return fault.failure
        }
    }
}
