import Synchronization

/// Ends an observation of commits when cancelled or released.
///
/// A call of the handler that has already begun on another thread may still be running when
/// ``cancel()`` returns; no new one begins.
public final class CommitObservation: Sendable {
    private let action: Mutex<(@Sendable () -> Void)?>

    init(onCancel: @escaping @Sendable () -> Void) {
        action = Mutex(onCancel)
    }

    /// Ends the observation; harmless when repeated.
    public func cancel() {
        let last = action.withLock { stored -> (@Sendable () -> Void)? in
            defer { stored = nil }
            return stored
        }
        last?()
    }

    deinit {
        cancel()
    }
}
