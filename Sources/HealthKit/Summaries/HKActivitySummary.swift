public import Foundation
import HealthModel
import Synchronization

/// A day's activity rings: what was reached and what the goals were.
///
/// Energy is in kilocalories, times are in minutes, stood hours are a count; a figure that nobody
/// recorded is zero. Applications may make and fill one of their own, just to draw it; the store never
/// takes one.
// Unchecked: what changes is in a Mutex.
open class HKActivitySummary: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    let fields: Mutex<ActivitySummaryFields>

    /// A summary of no day, with zero figures.
    public override init() {
        fields = Mutex(ActivitySummaryFields())
        super.init()
    }

    init(_ fields: ActivitySummaryFields) {
        self.fields = Mutex(fields)
        super.init()
    }

    /// The day: era, year, month and day in a calendar. Without a day of its own, today's components
    /// are not made up: the components are empty but for the calendar.
    public func dateComponents(for calendar: Calendar) -> DateComponents {
        fields.withLock { $0.day }?.components(in: calendar) ?? DateComponents(calendar: calendar)
    }

    public func copy(with zone: NSZone? = nil) -> Any {
        HKActivitySummary(fields.withLock { $0 })
    }

    // MARK: Coding

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        SecureRecord.encode(ActivitySummaryArchive(fields.withLock { $0 }), with: coder)
    }

    /// `nil` for bytes that are no summary.
    public required init?(coder: NSCoder) {
        guard let archive = SecureRecord.decode(ActivitySummaryArchive.self, from: coder),
            let fields = archive.fields
        else { return nil }
        self.fields = Mutex(fields)
        super.init()
    }

    // MARK: Equality

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKActivitySummary else { return false }
        return self === other || fields.withLock { $0 } == other.fields.withLock { $0 }
    }

    open override var hash: Int { fields.withLock { $0.day }.hashValue }

    open override var description: String {
        let day = fields.withLock { $0.day }
        return "<HKActivitySummary \(day.map { "\($0.year)-\($0.month)-\($0.day)" } ?? "no day")>"
    }
}
