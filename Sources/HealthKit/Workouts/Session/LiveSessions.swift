import Foundation
import Synchronization

/// The sessions of this process that run, by token; none is kept.
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
