public import HealthModel
import HealthStorage

extension HealthEngine {
    /// The rings of these days, for those that have samples or an imported summary, in the order given.
    ///
    /// Values are computed from the samples there are now: active energy (kcal), move and exercise time
    /// (min) merged over sources, and the distinct hours with a stand. Where a day has no sample of a kind, an
    /// imported summary's value stands in; its goals go before those of the profile. A value nothing is
    /// known of is `nil`. Permission is that of the activity summary type alone.
    ///
    /// Throws ``EngineError/authorizationNotDetermined(_:)`` if the caller never asked for that type.
    public func activitySummaries(_ days: [SummaryDay], as caller: Caller) throws -> [ActivitySummaryBody] {
        try storage.read { try activitySummaries(days, as: caller, in: $0) }
    }

    /// The same inside a snapshot.
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
        let profile = try profile(in: snapshot)
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

    /// The span of all samples that rings are made of, and of all imported summaries.
    public func summaryExtent(
        as caller: Caller
    ) throws -> (samples: ClosedRange<Double>?, importedDays: ClosedRange<Profile.Day>?) {
        try storage.read { try summaryExtent(as: caller, in: $0) }
    }

    /// The same inside a snapshot.
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
    /// Goals as imported, else as in force in the profile.
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
