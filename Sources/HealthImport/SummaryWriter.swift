import HealthEngine
import HealthModel
import HealthPages
import HealthStorage

/// Writes activity summaries, one for each day, in place of the stored ones. Anchored queries do not report them, so
/// there are no tombstones.
struct SummaryWriter {
    private let transaction: any StorageTransaction
    /// The stored summaries by ``ActivitySummaryBody/dayNumber``.
    private var stored: [Int: StoredObject] = [:]
    private var dates: SummaryDates

    init(of types: Set<TypeCode>, in transaction: any StorageTransaction) throws {
        self.transaction = transaction
        dates = try SummaryDates(in: transaction)
        for type in types {
            try transaction.visitObjects(of: type, in: .all) { object in
                if case .activitySummary(let body) = try ObjectCoder.decode(object.payload).body {
                    stored[body.dayNumber] = object
                }
                return true
            }
        }
    }

    subscript(day: Int) -> StoredObject? { stored[day] }

    /// Whether the stored summary of a day is from an archive that was exported later and has more of the day.
    func isLater(than date: Double?, dayStart: Double) -> Bool { dates.isLater(than: date, day: dayStart) }

    /// Replaces the summary of a day.
    ///
    /// - Parameter date: When the archive with the summary was exported; `nil` for a complete one.
    mutating func write(
        _ summary: StoredObject, day: Int, dayStart: Double, exported date: Double?, pending: inout PendingCommit
    ) throws {
        if let present = stored[day] { try transaction.removeObject(sequence: present.sequence) }
        var summary = summary
        summary.sequence = try transaction.allocateSequences(1)
        pending.recordSequences(1, from: summary.sequence)
        try transaction.putObject(summary)
        dates.record(date, day: dayStart)
        stored[day] = summary
    }

    /// Writes what has become known of exports.
    func finish() throws { try dates.write(in: transaction) }
}

/// When the archives were exported that stored activity summaries are from.
///
/// The figures of a day grow until it is over and all devices have synchronized. What was exported after that is
/// complete, whenever it was; only the dates of earlier exports are stored, by the start of the day.
struct SummaryDates {
    /// How long after the start of its day a summary is complete: two days after the day's end, in any time zone.
    private static let completion = 3.5 * 86_400

    private var dates: [String: Double]
    private var isChanged = false

    init(in snapshot: any StorageSnapshot) throws {
        dates = try ImportHistory.summaryExports(in: snapshot)
    }

    /// Whether the stored summary of a day is from an archive that was exported later and has more of the day.
    ///
    /// - Parameter date: When the other archive was exported; `nil` for a complete one.
    func isLater(than date: Double?, day: Double) -> Bool {
        let complete = day + Self.completion
        return (dates[ImportHistory.summaryName(day)] ?? complete) > min(date ?? complete, complete)
    }

    /// Records when the archive was exported that the summary of a day, which is being stored, is from.
    mutating func record(_ date: Double?, day: Double) {
        let isComplete = date.map { $0 >= day + Self.completion } ?? true
        let new = isComplete ? nil : date
        guard dates[ImportHistory.summaryName(day)] != new else { return }
        dates[ImportHistory.summaryName(day)] = new
        isChanged = true
    }

    func write(in transaction: any StorageTransaction) throws {
        guard isChanged else { return }
        try Settings.write(
            dates.isEmpty ? nil : dates, namespace: ImportHistory.namespace, key: ImportHistory.summariesKey,
            in: transaction)
    }
}
