package import HealthModel
import HealthStorage

extension HealthEngine {
    /// Returns the activity summaries of those days that have samples or an imported summary, in the given order.
    ///
    /// The values and goals are those of an imported summary. Without one, or with one of zero, they are calculated from the stored samples:
    /// active energy (kcal), move and exercise time (min) merged over sources, and the distinct hours with a stand. Of a
    /// day that wasn't over when it was exported, the greater value is used. Goals are then those of the profile or, if it
    /// has none, of the last imported summary before the day.
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
        let earlier = try reader.lastGoals(before: first)
        let profile = try profile.read(in: snapshot)
        var latest = earlier
        return days.compactMap { day in
            let given = imported[day.day.number]?.body
            let isPartial = imported[day.day.number]?.exported.map { $0 < day.end } ?? false
            let live = [energy[day.start], move[day.start], exercise[day.start], hours[day.start]]
            guard given != nil || live.contains(where: { $0 != nil }) else { return nil }
            var summary = ActivitySummaryBody(
                year: day.day.year, month: day.day.month, day: day.day.day,
                moveMode: given?.moveMode ?? profile.activityMoveMode ?? 1, isPaused: given?.isPaused ?? false)
            func value(_ given: QuantityRecord?, _ live: Double?, _ unit: String) -> QuantityRecord? {
                guard let live else { return given }
                let measured = QuantityRecord(live, unit: unit)
                guard let given, let amount = given.value(in: unit) else { return measured }
                // A day without a watch has zeros.
                return amount == 0 || isPartial && live > amount ? measured : given
            }
            summary.activeEnergyBurned = value(given?.activeEnergyBurned, live[0], "kcal")
            summary.appleMoveTime = value(given?.appleMoveTime, live[1], "min")
            summary.appleExerciseTime = value(given?.appleExerciseTime, live[2], "min")
            summary.appleStandHours = value(given?.appleStandHours, live[3], "count")
            summary.setGoals(given, profile.goals(on: day.day), else: latest)
            if let given { latest = given }
            return summary
        }
    }

    /// Returns the last imported summary with goals that began before a date, however old it is.
    package func lastGoals(before date: Double, as caller: Caller) throws -> ActivitySummaryBody? {
        try storage.read { snapshot in
            guard try checkRead(SummaryTypes.summary, as: caller, in: snapshot) == .everything else { return nil }
            return try SummaryReader(engine: self, caller: caller, snapshot: snapshot).lastGoals(before: date)
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
    /// Sets the imported goals or, if there are none, those of the profile or of an earlier summary.
    fileprivate mutating func setGoals(
        _ given: ActivitySummaryBody?, _ goals: ActivityGoals, else earlier: ActivitySummaryBody?
    ) {
        func set(_ goal: WritableKeyPath<ActivitySummaryBody, QuantityRecord?>, _ own: Double?, _ unit: String) {
            self[keyPath: goal] =
                given?[keyPath: goal] ?? own.map { QuantityRecord($0, unit: unit) } ?? earlier?[keyPath: goal]
        }
        set(\.activeEnergyBurnedGoal, goals.moveEnergy, "kcal")
        set(\.appleMoveTimeGoal, goals.moveTime, "min")
        set(\.appleExerciseTimeGoal, goals.exercise, "min")
        set(\.appleStandHoursGoal, goals.stand, "count")
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
    /// the last imported one. Those of days that had hardly ended have the date of their export.
    func imported(
        _ days: [Profile.Day], within range: ClosedRange<Double>
    ) throws -> [Int: (body: ActivitySummaryBody, exported: Double?)] {
        let wanted = Set(days.map(\.number))
        let exports = try ImportHistory.summaryExports(in: snapshot)
        var found: [Int: (body: ActivitySummaryBody, exported: Double?)] = [:]
        try visitImported(within: range) { summary, start in
            guard wanted.contains(summary.dayNumber) else { return }
            found[summary.dayNumber] = (summary, exports[ImportHistory.summaryName(start)])
        }
        return found
    }

    /// The last imported summary before a date that has goals, however old it is.
    func lastGoals(before date: Double) throws -> ActivitySummaryBody? {
        let request = SampleRequest(
            parts: [.init(type: SummaryTypes.summary, filter: .start(.lessThan, date))],
            sort: [SampleSort(.start, ascending: false)], limit: 31)
        let found = try engine.select(
            request, scope: [SummaryTypes.summary: .everything], caller: caller, in: snapshot)
        for reference in found.order {
            guard case .object(let index) = reference,
                case .activitySummary(let summary) = found.objects[Int(index)].body,
                summary.activeEnergyBurnedGoal != nil || summary.appleMoveTimeGoal != nil
            else { continue }
            return summary
        }
        return nil
    }

    /// Returns the days of imported summaries in a range of time, and a few days before and after it.
    func importedDays(within range: ClosedRange<Double>?) throws -> [Profile.Day] {
        var days: [Profile.Day] = []
        try visitImported(within: range) { summary, _ in
            days.append(Profile.Day(year: summary.year, month: summary.month, day: summary.day))
        }
        return days
    }

    /// Visits the imported summaries of a range of time, and of a few days before and after it, in insertion order.
    private func visitImported(
        within range: ClosedRange<Double>?, _ visit: (ActivitySummaryBody, _ start: Double) -> Void
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
            visit(summary, found.objects[Int(index)].start)
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
