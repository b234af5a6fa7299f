package import HealthModel
import HealthStorage

extension HealthEngine {
    /// Returns the activity summaries of those days that have samples or an imported summary, in the given order.
    ///
    /// Values are calculated from the stored samples: active energy (kcal), move and exercise time
    /// (min) merged over sources, and the distinct hours with a stand. If a day has no samples of a type, the value of
    /// an imported summary is used. The goals of an imported summary take precedence over those of the profile.
    /// Unknown values are `nil`. Only permission to read the activity summary type is required.
    ///
    /// - Throws: ``EngineError/authorizationNotDetermined(_:)`` if the caller never asked for that type.
    package func activitySummaries(_ days: [SummaryDay], as caller: Caller) throws -> [ActivitySummaryBody] {
        try storage.read { try activitySummaries(days, as: caller, in: $0) }
    }

    /// The same within a snapshot.
    func activitySummaries(
        _ days: [SummaryDay], as caller: Caller, in snapshot: any StorageSnapshot
    ) throws -> [ActivitySummaryBody] {
        guard try checkRead(SummaryTypes.summary, as: caller, in: snapshot) == .everything,
            let first = days.map(\.start).min(), let last = days.map(\.end).max(), first < last
        else { return [] }
        let reader = SummaryReader(engine: self, caller: caller, snapshot: snapshot)
        let energy = try reader.sums(of: SummaryTypes.energy, over: days)
        let move = try reader.sums(of: SummaryTypes.moveTime, over: days)
        let exercise = try reader.sums(of: SummaryTypes.exercise, over: days)
        let hours = try reader.stoodHours(over: days)
        let imported = try reader.imported(days.map(\.day), within: first...last)
        let profile = try profile.read(in: snapshot)
        return days.compactMap { day in
            let given = imported[day.day.number]
            let live = [energy[day.start], move[day.start], exercise[day.start], hours[day.start]]
            guard given != nil || live.contains(where: { $0 != nil }) else { return nil }
            var summary = ActivitySummaryBody(
                year: day.day.year, month: day.day.month, day: day.day.day,
                moveMode: given?.moveMode ?? profile.activityMoveMode ?? 1, isPaused: given?.isPaused ?? false)
            func value(_ live: Double?, _ unit: String, else given: QuantityRecord?) -> QuantityRecord? {
                live.map { QuantityRecord($0, unit: unit) } ?? given
            }
            summary.activeEnergyBurned = value(live[0], "kcal", else: given?.activeEnergyBurned)
            summary.appleMoveTime = value(live[1], "min", else: given?.appleMoveTime)
            summary.appleExerciseTime = value(live[2], "min", else: given?.appleExerciseTime)
            summary.appleStandHours = value(live[3], "count", else: given?.appleStandHours)
            summary.setGoals(given, else: profile.goals(on: day.day))
            return summary
        }
    }

    /// Returns when there is anything that activity summaries are made from.
    ///
    /// - Parameter range: The time of interest, in seconds since 2001; `nil` for all. There can be imported summaries
    ///   of a few days before and after it.
    /// - Throws: ``EngineError/authorizationNotDetermined(_:)`` if the caller never asked for the summary type.
    package func summaryTimes(within range: ClosedRange<Double>? = nil, as caller: Caller) throws -> SummaryTimes {
        try storage.read { try summaryTimes(within: range, as: caller, in: $0) }
    }

    /// The same within a snapshot.
    func summaryTimes(
        within range: ClosedRange<Double>?, as caller: Caller, in snapshot: any StorageSnapshot
    ) throws -> SummaryTimes {
        guard try checkRead(SummaryTypes.summary, as: caller, in: snapshot) == .everything else {
            return SummaryTimes()
        }
        let found = try SummaryTypes.samples.flatMap { type in
            try stretches(
                of: type, matching: .all, within: range, intervalLength: 86_400, scope: .everything, caller: caller,
                in: snapshot)
        }
        let reader = SummaryReader(engine: self, caller: caller, snapshot: snapshot)
        return SummaryTimes(samples: found.merged(), importedDays: try Set(reader.importedDays(within: range)).sorted())
    }
}

/// When there is anything that activity summaries are made from.
package struct SummaryTimes: Hashable, Sendable {
    /// Ascending, disjoint stretches of time, in seconds since 2001, that contain all samples. Long times without a
    /// sample are left out, so that the days within are in proportion to the samples.
    package var samples: [ClosedRange<Double>] = []
    /// The days of imported summaries, ascending.
    package var importedDays: [Profile.Day] = []

    /// The approximate number of days.
    package var dayCount: Double { samples.intervalCount(ofLength: 86_400) + Double(importedDays.count) }

    /// Creates times, by default those of a store without data.
    package init(samples: [ClosedRange<Double>] = [], importedDays: [Profile.Day] = []) {
        self.samples = samples
        self.importedDays = importedDays
    }
}

extension ActivitySummaryBody {
    /// Sets the imported goals or, if there are none, those of the profile.
    fileprivate mutating func setGoals(_ given: ActivitySummaryBody?, else goals: ActivityGoals) {
        activeEnergyBurnedGoal =
            given?.activeEnergyBurnedGoal ?? goals.moveEnergy.map { QuantityRecord($0, unit: "kcal") }
        appleMoveTimeGoal = given?.appleMoveTimeGoal ?? goals.moveTime.map { QuantityRecord($0, unit: "min") }
        appleExerciseTimeGoal = given?.appleExerciseTimeGoal ?? goals.exercise.map { QuantityRecord($0, unit: "min") }
        appleStandHoursGoal = given?.appleStandHoursGoal ?? goals.stand.map { QuantityRecord($0, unit: "count") }
    }
}

/// One calendar day, with bounds determined by the caller's calendar.
package struct SummaryDay: Hashable, Sendable {
    /// The calendar date.
    package var day: Profile.Day
    /// The first instant of the day, in seconds since 2001.
    package var start: Double
    /// The first instant of the next day, in seconds since 2001.
    package var end: Double

    /// Creates a day from its date and bounds, which are usually 23 to 25 hours apart.
    package init(day: Profile.Day, start: Double, end: Double) {
        self.day = day
        self.start = start
        self.end = end
    }

    /// Creates a day of a clock from its number.
    package init(number: Int, in clock: LocalClock) {
        let date = CivilDate.date(dayNumber: number)
        self.init(
            day: Profile.Day(year: date.year, month: date.month, day: date.day),
            start: Double(clock.start(ofDay: number)), end: Double(clock.start(ofDay: number + 1)))
    }
}

extension ActivitySummaryBody {
    /// Year · 10000 + month · 100 + day.
    package var dayNumber: Int { year * 10_000 + month * 100 + day }
}

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
