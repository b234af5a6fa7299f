import HealthModel
import HealthStorage

/// Reads the data of activity rings by day. Days are identified by their first instants.
struct SummaryReader {
    let engine: HealthEngine
    let caller: Caller
    let snapshot: any StorageSnapshot

    /// Returns the merged sums of the days that have samples of the type, in its canonical unit.
    func sums(of type: TypeCode, over days: [SummaryDay]) throws -> [Double: Double] {
        let instants = Set(days.flatMap { [$0.start, $0.end] }).sorted()
        let request = StatisticsRequest(
            type: type, filter: Self.overlapping(days), options: .cumulativeSum, buckets: .bounds { _ in instants })
        let buckets = try engine.statistics(request, scope: .everything, caller: caller, in: snapshot)
        // Buckets between nonconsecutive days do not belong to a day.
        let ends = Dictionary(days.map { ($0.start, $0.end) }, uniquingKeysWith: { first, _ in first })
        return buckets.reduce(into: [:]) { sums, bucket in
            if ends[bucket.start] == bucket.end { sums[bucket.start] = bucket.values.sum }
        }
    }

    /// Returns the number of hours with a stand for each day that has stand hour samples.
    func stoodHours(over days: [SummaryDay]) throws -> [Double: Double] {
        let request = SampleRequest(
            parts: [.init(type: SummaryTypes.standHour, filter: Self.overlapping(days))], columns: [.starts, .values])
        let found = try engine.select(
            request, scope: [SummaryTypes.standHour: .everything], caller: caller, in: snapshot)
        guard let rows = found.batches.first else { return [:] }
        let sorted = days.sorted { $0.start < $1.start }
        let starts = sorted.map(\.start)
        var hours: [Double: Set<Int>] = [:]
        for row in 0..<rows.count {
            let place = starts.upperBound(of: rows.starts[row]) - 1
            guard place >= 0, rows.starts[row] < sorted[place].end else { continue }
            // Hours are counted from midnight, so a day of 23 or 25 hours has as many.
            let hour = Int((rows.starts[row] - starts[place]) / 3_600)
            hours[starts[place], default: []].formUnion(rows.values[row] == Double(SummaryTypes.stood) ? [hour] : [])
        }
        return hours.mapValues { Double($0.count) }
    }

    /// Returns the imported summaries of these days, all within a range of time, by day number; of several for one day,
    /// the last imported one.
    func imported(_ days: [Profile.Day], within range: ClosedRange<Double>) throws -> [Int: ActivitySummaryBody] {
        let wanted = Set(days.map(\.number))
        var found: [Int: ActivitySummaryBody] = [:]
        try visitImported(within: range) { summary in
            if wanted.contains(summary.dayNumber) { found[summary.dayNumber] = summary }
        }
        return found
    }

    /// Returns the days of imported summaries in a range of time, and a few days before and after it.
    func importedDays(within range: ClosedRange<Double>?) throws -> [Profile.Day] {
        var days: [Profile.Day] = []
        try visitImported(within: range) { days.append(Profile.Day(year: $0.year, month: $0.month, day: $0.day)) }
        return days
    }

    /// Visits the imported summaries of a range of time, and of a few days before and after it, in insertion order.
    private func visitImported(
        within range: ClosedRange<Double>?, _ visit: (ActivitySummaryBody) -> Void
    ) throws {
        var filters: [SampleFilter] = []
        if let last = range?.upperBound, last.isFinite { filters.append(.start(.lessThanOrEqual, last + Self.slack)) }
        if let first = range?.lowerBound, first.isFinite {
            filters.append(.end(.greaterThanOrEqual, first - Self.slack))
        }
        let found = try engine.select(
            SampleRequest(parts: [.init(type: SummaryTypes.summary, filter: filters.isEmpty ? .all : .and(filters))]),
            scope: [SummaryTypes.summary: .everything], caller: caller, in: snapshot)
        for reference in found.order {
            guard case .object(let index) = reference,
                case .activitySummary(let summary) = found.objects[Int(index)].body
            else { continue }
            visit(summary)
        }
    }

    /// Imported summaries are stored between midnight and noon UTC of their day, archived ones to the next midnight.
    /// Local days begin up to 14 hours before or after, and those of a `Calendar` before 1582 up to ten days.
    private static let slack = 14 * 86_400.0

    private static func overlapping(_ days: [SummaryDay]) -> SampleFilter {
        let first = days.map(\.start).min() ?? 0
        let last = days.map(\.end).max() ?? 0
        return .and([.start(.lessThan, last), .end(.greaterThanOrEqual, first)])
    }
}

/// The types that rings are calculated from.
enum SummaryTypes {
    static let summary = code("HKActivitySummaryTypeIdentifier")
    static let energy = code("HKQuantityTypeIdentifierActiveEnergyBurned")
    static let moveTime = code("HKQuantityTypeIdentifierAppleMoveTime")
    static let exercise = code("HKQuantityTypeIdentifierAppleExerciseTime")
    static let standHour = code("HKCategoryTypeIdentifierAppleStandHour")
    static let samples = [energy, moveTime, exercise, standHour]

    /// The value of a stand hour sample whose hour had a stand.
    static let stood = 0

    private static func code(_ identifier: String) -> TypeCode {
        guard let type = TypeCatalog.description(for: identifier) else {
            preconditionFailure("the catalog lacks \(identifier)")
        }
        return type.code
    }
}
