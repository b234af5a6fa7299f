public import Foundation

/// A kind of sample: something with a start and an end.
// Unchecked: adds no stored property to its superclass.
open class HKSampleType: HKObjectType, @unchecked Sendable {
    /// Whether samples longer than ``maximumAllowedDuration`` are refused.
    ///
    /// Never true: the original's limits are not published, so none is enforced.
    public final var isMaximumDurationRestricted: Bool { false }

    /// The greatest duration of a sample, in seconds. Reading it of a type without a limit ends the process.
    public final var maximumAllowedDuration: TimeInterval {
        ProgrammerError.raise("\(identifier) has no maximum duration; isMaximumDurationRestricted tells so")
    }

    /// Whether samples shorter than ``minimumAllowedDuration`` are refused. Never true, as for the maximum.
    public final var isMinimumDurationRestricted: Bool { false }

    /// The least duration of a sample, in seconds. Reading it of a type without a limit ends the process.
    public final var minimumAllowedDuration: TimeInterval {
        ProgrammerError.raise("\(identifier) has no minimum duration; isMinimumDurationRestricted tells so")
    }

    /// Whether an algorithm behind the type's estimates can be told to start afresh: so it is for the six-minute walk.
    public final var allowsRecalibrationForEstimates: Bool {
        identifier == HKQuantityTypeIdentifier.sixMinuteWalkTestDistance.rawValue
    }
}
