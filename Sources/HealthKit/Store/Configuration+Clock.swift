import Dispatch
public import Foundation

extension HKHealthStore.Configuration {
    /// What time it is, and how waiting is done. Tests bring their own.
    public struct Clock: Sendable {
        /// The present instant.
        public var now: @Sendable () -> Date
        /// Runs a closure once, on any thread, when so many seconds have passed.
        public var after: @Sendable (TimeInterval, @escaping @Sendable () -> Void) -> Void

        /// Makes a clock of two closures, which may be called from any thread.
        public init(
            now: @escaping @Sendable () -> Date,
            after: @escaping @Sendable (TimeInterval, @escaping @Sendable () -> Void) -> Void
        ) {
            self.now = now
            self.after = after
        }

        /// The system's.
        public static let system = Clock(
            now: { Date() },
            after: { seconds, body in
                DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: body)
            })
    }
}
