import Synchronization

/// What an application wants called when a session is mirrored to it.
final class MirroringHandler: Sendable {
    typealias Handler = @Sendable (HKWorkoutSession) -> Void

    private let stored = Mutex<Handler?>(nil)

    var handler: Handler? {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}
