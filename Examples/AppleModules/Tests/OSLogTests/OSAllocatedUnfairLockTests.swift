import Testing
import os.lock

@Suite("OSAllocatedUnfairLock")
struct OSAllocatedUnfairLockTests {
    @Test("Copies share a state, which one thread changes at a time")
    func state() async {
        let lock = OSAllocatedUnfairLock(initialState: 0)
        let copy = lock
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1000 { copy.withLock { $0 += 1 } } }
            }
        }
        #expect(lock.withLock { $0 } == 8000)
    }

    @Test("A lock that is held isn't available")
    func availability() {
        let lock = OSAllocatedUnfairLock()
        let result = lock.withLock { lock.withLockIfAvailable { 1 } }
        #expect(result == nil && lock.withLockIfAvailable { 1 } == 1)
        #expect(lock.lockIfAvailable())
        lock.precondition(.owner)
        lock.unlock()
        lock.precondition(.notOwner)
    }

    @Test("An error unlocks")
    func errors() {
        struct Failure: Error {}
        let lock = OSAllocatedUnfairLock(uncheckedState: [1])
        #expect(throws: Failure.self) { try lock.withLockUnchecked { _ in throw Failure() } }
        #expect(lock.withLockUnchecked { $0 } == [1])
    }

    @Test("The functions of C are there for packages that use them where os can be imported")
    func functions() {
        var lock = os_unfair_lock()
        os_unfair_lock_lock(&lock)
        #expect(!os_unfair_lock_trylock(&lock))
        os_unfair_lock_unlock(&lock)
        #expect(os_unfair_lock_trylock(&lock))
        os_unfair_lock_unlock(&lock)
    }
}
