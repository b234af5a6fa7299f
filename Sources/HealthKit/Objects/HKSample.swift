public import Foundation
import HealthModel

/// An object that belongs to a span of time, or to an instant.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKSample: HKObject, @unchecked Sendable {
    /// Seconds since 2001-01-01 00:00:00 UTC.
    final let start: Double
    /// Seconds since 2001-01-01 00:00:00 UTC, at or after ``start``.
    final let end: Double

    init(identity: UUID, context: ObjectContext, start: Double, end: Double) {
        self.start = start
        self.end = end
        super.init(identity: identity, context: context)
    }

    /// What kind of sample this is.
    open var sampleType: HKSampleType { context.type }

    /// When it began.
    open var startDate: Date { Date(timeIntervalSinceReferenceDate: start) }

    /// When it ended; equal to ``startDate`` for an instant.
    open var endDate: Date { Date(timeIntervalSinceReferenceDate: end) }

    /// Whether the end is still open (``endDate`` is `Date.distantFuture`).
    open var hasUndeterminedDuration: Bool { endDate == .distantFuture }

    /// A sample of a family without a class of its own; `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let archive = SecureRecord.decode(ObjectArchive.self, from: coder),
            case .object(let record) = archive.item,
            let base = archive.base(of: record)
        else { return nil }
        start = record.start
        end = record.end
        super.init(identity: base.identity, context: base.context)
    }

    /// What stands first in the description.
    var summary: String { sampleType.identifier }

    open override var description: String {
        "\(summary) \(super.description) (\(startDate) - \(endDate))"
    }
}
