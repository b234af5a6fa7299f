public import HealthKit

/// What a person has decided, or is going to decide, in a ``TestHealthStore``.
public enum TestPermission: Sendable {
    /// Every type may be read and written; requests for permission have nothing to ask.
    case granted
    /// Every type was refused: writing fails, reading is silent.
    case denied
    /// Nothing is decided. A request is answered by the closure, on a background thread; what it leaves out
    /// is refused.
    case undecided(
        answer: @Sendable (HKHealthStore.Configuration.AuthorizationRequest)
            -> HKHealthStore.Configuration.AuthorizationAnswer)

    /// Nothing is decided; the first request is granted whole.
    public static var undecided: TestPermission { .undecided { .all($0) } }
}
