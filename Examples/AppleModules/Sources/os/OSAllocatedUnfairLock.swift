import Synchronization

/// A lock that can be copied and shared, and protects a state.
// Unchecked: every access to the state is inside the lock; what the unchecked methods let out is the caller's promise.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    /// Whether the calling thread holds a lock.
    public enum Ownership: Hashable, Sendable {
        /// It holds the lock.
        case owner
        /// It doesn't hold the lock.
        case notOwner
    }

    /// The lock and its state, at one address for all copies.
    private final class Storage {
        let mutex = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)
        /// The thread that holds the lock.
        let owner = Atomic<UInt>(0)
        var state: State

        init(_ state: State) {
            self.state = state
            mutex.initialize(to: os_unfair_lock())
        }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }
    }

    private let storage: Storage

    private static var thread: UInt { UInt(pthread_self()) }

    /// Creates a lock with a state that needn't be sendable.
    public init(uncheckedState initialState: State) {
        storage = Storage(initialState)
    }

    /// Creates a lock with a state.
    public init(initialState: State) where State: Sendable {
        storage = Storage(initialState)
    }

    /// Runs a closure with the state, while no other thread does.
    public func withLock<Result: Sendable>(_ body: @Sendable (inout State) throws -> Result) rethrows -> Result {
        try withLockUnchecked(body)
    }

    /// Runs a closure with the state, if no other thread does.
    public func withLockIfAvailable<Result: Sendable>(
        _ body: @Sendable (inout State) throws -> Result
    ) rethrows -> Result? {
        try withLockIfAvailableUnchecked(body)
    }

    /// Runs a closure with the state, whose result needn't be sendable.
    public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        acquire()
        defer { release() }
        return try body(&storage.state)
    }

    /// Runs a closure with the state, if no other thread does. Its result needn't be sendable.
    public func withLockIfAvailableUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result? {
        guard acquireIfAvailable() else { return nil }
        defer { release() }
        return try body(&storage.state)
    }

    /// Traps unless the calling thread holds the lock, or doesn't.
    public func precondition(_ condition: Ownership) {
        let isOwner = storage.owner.load(ordering: .relaxed) == Self.thread
        Swift.precondition(
            isOwner == (condition == .owner), "Lock unexpectedly \(isOwner ? "" : "not ")owned by current thread")
    }

    private func acquire() {
        Swift.precondition(
            storage.owner.load(ordering: .relaxed) != Self.thread, "Trying to recursively lock an os_unfair_lock")
        os_unfair_lock_lock(storage.mutex)
        storage.owner.store(Self.thread, ordering: .relaxed)
    }

    private func acquireIfAvailable() -> Bool {
        guard os_unfair_lock_trylock(storage.mutex) else { return false }
        storage.owner.store(Self.thread, ordering: .relaxed)
        return true
    }

    private func release() {
        Swift.precondition(
            storage.owner.load(ordering: .relaxed) == Self.thread,
            "Unlock of an os_unfair_lock not owned by current thread")
        storage.owner.store(0, ordering: .relaxed)
        os_unfair_lock_unlock(storage.mutex)
    }
}

extension OSAllocatedUnfairLock where State == Void {
    /// Creates a lock without a state.
    public init() {
        self.init(uncheckedState: ())
    }

    /// Runs a closure, while no other thread holds the lock.
    public func withLock<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
        try withLockUnchecked(body)
    }

    /// Runs a closure, while no other thread holds the lock. Its result needn't be sendable.
    public func withLockUnchecked<Result>(_ body: () throws -> Result) rethrows -> Result {
        acquire()
        defer { release() }
        return try body()
    }

    /// Runs a closure, if no other thread holds the lock.
    public func withLockIfAvailable<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result? {
        try withLockIfAvailableUnchecked { _ in try body() }
    }

    /// Waits for the lock. The thread that calls must unlock it.
    @available(*, noasync, message: "Use withLock, which can't be interrupted by an await.")
    public func lock() { acquire() }

    /// Unlocks what this thread has locked.
    @available(*, noasync, message: "Use withLock, which can't be interrupted by an await.")
    public func unlock() { release() }

    /// Locks, if no other thread holds the lock.
    @available(*, noasync, message: "Use withLockIfAvailable, which can't be interrupted by an await.")
    public func lockIfAvailable() -> Bool { acquireIfAvailable() }
}

// Packages ask `canImport(os)` and then use these functions. They are compiled into their callers, because a program that contains such
// a package needn't be linked with this module.

/// A lock at a fixed address.
public typealias os_unfair_lock = pthread_mutex_t
/// A lock at a fixed address.
public typealias os_unfair_lock_s = pthread_mutex_t
/// The address of a lock.
public typealias os_unfair_lock_t = UnsafeMutablePointer<pthread_mutex_t>

/// Waits for a lock.
@_alwaysEmitIntoClient
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) { _ = pthread_mutex_lock(lock) }

/// Unlocks a lock.
@_alwaysEmitIntoClient
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) { _ = pthread_mutex_unlock(lock) }

/// Locks a lock, if no other thread holds it.
@_alwaysEmitIntoClient
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool { pthread_mutex_trylock(lock) == 0 }
