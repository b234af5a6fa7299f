public import HealthModel
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
    public func activitySummaries(_ days: [SummaryDay], as caller: Caller) throws -> [ActivitySummaryBody] {
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
        let imported = try reader.imported(days.map(\.day))
        let profile = try profile.read(in: snapshot)
        return days.compactMap { day in
            let given = imported[day.day.number]
            let live = [energy[day.start], move[day.start], exercise[day.start], hours[day.start]]
            guard given != nil || live.contains(where: { $0 != nil }) else { return nil }
            var summary = ActivitySummaryBody(
                year: day.day.year, month: day.day.month, day: day.day.day,
                moveMode: given?.moveMode ?? profile.activityMoveMode ?? 1,
                isPaused: given?.isPaused ?? false)
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

    /// Returns the extents of all samples that rings are calculated from, and of all imported summaries.
    public func summaryExtent(
        as caller: Caller
    ) throws -> (samples: ClosedRange<Double>?, importedDays: ClosedRange<Profile.Day>?) {
        try storage.read { try summaryExtent(as: caller, in: $0) }
    }

    /// The same within a snapshot.
    func summaryExtent(
        as caller: Caller, in snapshot: any StorageSnapshot
    ) throws -> (samples: ClosedRange<Double>?, importedDays: ClosedRange<Profile.Day>?) {
        guard try checkRead(SummaryTypes.summary, as: caller, in: snapshot) == .everything else {
            return (nil, nil)
        }
        var samples: ClosedRange<Double>?
        for type in SummaryTypes.samples {
            let found = try extent(
                of: type, matching: .all, scope: .everything, caller: caller, in: snapshot)
            if let found { samples = found.lowerBound.extended(to: found.upperBound, joining: samples) }
        }
        let reader = SummaryReader(engine: self, caller: caller, snapshot: snapshot)
        let days = try reader.importedDays()
        guard let first = days.min(), let last = days.max() else { return (samples, nil) }
        return (samples, first...last)
    }
}

extension ActivitySummaryBody {
    /// Sets the imported goals or, if there are none, those of the profile.
    fileprivate mutating func setGoals(_ given: ActivitySummaryBody?, else goals: ActivityGoals) {
        activeEnergyBurnedGoal =
            given?.activeEnergyBurnedGoal ?? goals.moveEnergy.map { QuantityRecord($0, unit: "kcal") }
        appleMoveTimeGoal =
            given?.appleMoveTimeGoal ?? goals.moveTime.map { QuantityRecord($0, unit: "min") }
        appleExerciseTimeGoal =
            given?.appleExerciseTimeGoal ?? goals.exercise.map { QuantityRecord($0, unit: "min") }
        appleStandHoursGoal =
            given?.appleStandHoursGoal ?? goals.stand.map { QuantityRecord($0, unit: "count") }
    }
}

/// One calendar day, with bounds determined by the caller's calendar.
public struct SummaryDay: Hashable, Sendable {
    /// The calendar date.
    public var day: Profile.Day
    /// The first instant of the day, in seconds since 2001.
    public var start: Double
    /// The first instant of the next day, in seconds since 2001.
    public var end: Double

    /// Creates a day from its date and bounds, which are usually 23 to 25 hours apart.
    public init(day: Profile.Day, start: Double, end: Double) {
        self.day = day
        self.start = start
        self.end = end
    }
}
