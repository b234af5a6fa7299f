import GRDBSQLite

/// The aggregate functions beyond SQLite's own: the median and other percentiles.
extension HealthDatabase {
    /// An aggregate: its signature and description for `hk sql --schema`.
    struct Aggregate: Sendable {
        let name: String
        let signature: String
        let about: String
        let argumentCount: Int32
    }

    static let aggregates = [
        Aggregate(
            name: "median", signature: "median(value)",
            about: "the middle value of a group, or the mean of the two in the middle", argumentCount: 1),
        Aggregate(
            name: "percentile", signature: "percentile(value, p)",
            about: "the value below which p percent of a group are, interpolated; p is from 0 to 100", argumentCount: 2),
    ]

    func defineAggregates() throws {
        for aggregate in Self.aggregates {
            let code = sqlite3_create_function_v2(
                connection, aggregate.name, aggregate.argumentCount,
                SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                nil, nil, { PercentileGroup.step($0, $1, $2) }, { PercentileGroup.finish($0) }, nil)
            guard code == SQLITE_OK else { throw SQLError(message) }
        }
    }
}

/// The numbers of one group. Values that aren't numbers are left out, as SQLite's aggregates leave out NULL.
final class PercentileGroup {
    private var values: [Double] = []
    private var memory = BoundedMemory()
    private var percent: Double?

    /// Adds a row: a value, and the percentage if there is a second argument.
    static func step(
        _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        let size = Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
        guard let memory = sqlite3_aggregate_context(context, size) else { return sqlite3_result_error_nomem(context) }
        let slot = memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        let group: PercentileGroup
        if let known = slot.pointee {
            group = Unmanaged<PercentileGroup>.fromOpaque(known).takeUnretainedValue()
        } else {
            group = PercentileGroup()
            slot.pointee = Unmanaged.passRetained(group).toOpaque()
        }
        if count > 1 {
            guard let percent = SQLArgument(value: arguments?[1]).number, (0...100).contains(percent),
                group.percent == nil || group.percent == percent
            else {
                return SQLResult(context: context).error(
                    "percentile() needs one number from 0 to 100 as its second argument")
            }
            group.percent = percent
        }
        guard let value = SQLArgument(value: arguments?[0]).number else { return }
        // Twice as many while the array grows, and once more when it is sorted.
        if group.values.count.isMultiple(of: 1_024), (try? group.memory.take(group.values.count * 24)) == nil {
            return sqlite3_result_error_nomem(context)
        }
        group.values.append(value)
    }

    /// Returns the result and frees the group. A group without rows was never created.
    static func finish(_ context: OpaquePointer?) {
        guard let memory = sqlite3_aggregate_context(context, 0),
            let known = memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).pointee
        else { return SQLResult(context: context).null() }
        let group = Unmanaged<PercentileGroup>.fromOpaque(known).takeRetainedValue()
        SQLResult(context: context).value(SQLValue(group.percentile()))
    }

    /// The percentile by linear interpolation between the two nearest values, or `nil` without values.
    private func percentile() -> Double? {
        guard !values.isEmpty else { return nil }
        values.sort()
        let place = (percent ?? 50) / 100 * Double(values.count - 1)
        let index = min(Int(place), values.count - 1)
        let share = place - Double(index)
        let lower = values[index]
        let upper = values[min(index + 1, values.count - 1)]
        // The difference of two finite values can overflow, and infinity times zero is not a number.
        return share == 0 || lower == upper ? lower : lower * (1 - share) + upper * share
    }
}
