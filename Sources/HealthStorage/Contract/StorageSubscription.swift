import Synchronization

/// Ends an observation when cancelled or released.
public final class StorageSubscription: Sendable {
    private let action: Mutex<(@Sendable () -> Void)?>

    /// Makes a subscription that runs `onCancel` once: on the thread that cancels it or lets it go.
    public init(onCancel: @escaping @Sendable () -> Void) {
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
