import Foundation
import Synchronization

/// The running sessions of this process by token. They are not retained.
final class LiveSessions: Sendable {
    static let shared = LiveSessions()

    private struct Entry: Sendable {
        weak var session: HKWorkoutSession?
    }

    private let entries = Mutex<[UUID: Entry]>([:])

    func add(_ session: HKWorkoutSession, token: UUID) {
        entries.withLock { entries in
            entries = entries.filter { $0.value.session != nil }
            entries[token] = Entry(session: session)
        }
    }

    func remove(_ token: UUID) {
        entries.withLock { $0[token] = nil }
    }

    func session(_ token: UUID) -> HKWorkoutSession? {
        entries.withLock { $0[token]?.session }
    }
}

/// The handler of mirrored sessions.
final class MirroringHandler: Sendable {
    typealias Handler = @Sendable (HKWorkoutSession) -> Void

    private let stored = Mutex<Handler?>(nil)

    var handler: Handler? {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}
