import Dispatch
import Foundation
import Synchronization

/// Threads of one check: started together, joined at the end, their first error kept.
final class ContractThreads: Sendable {
    private let group = DispatchGroup()
    private let failure = Mutex<(any Error)?>(nil)

    /// Runs `body` on a thread of its own.
    func start(_ body: @escaping @Sendable () throws -> Void) {
        group.enter()
        Thread.detachNewThread {
            do {
                try body()
            } catch {
                self.failure.withLock { $0 = $0 ?? error }
            }
            self.group.leave()
        }
    }

    /// Waits for all of them and throws the first error.
    func join() throws {
        group.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
