import HealthModel

extension HKWorkout {
    /// Figures over the workout's samples of one type; `nil` when it has none.
    ///
    /// Figures that came with an imported workout are given as they came; others are worked out from
    /// the samples that belong to the workout.
    public func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
        statisticsSource.statistics(for: quantityType)
    }

    /// The figures of every type that has samples in the workout.
    public var allStatistics: [HKQuantityType: HKStatistics] { statisticsSource.all }

    private var statisticsSource: WorkoutStatistics {
        WorkoutStatistics(start: start, end: end, stored: body.statistics, members: members)
    }
}

extension HKWorkoutActivity {
    /// Figures over the samples of one type within the activity; `nil` when it has none.
    ///
    /// Figures that came with an imported workout are given as they came; others are worked out from
    /// the workout's samples that begin within the activity.
    public func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
        statisticsSource.statistics(for: quantityType)
    }

    /// The figures of every type that has samples in the activity.
    public var allStatistics: [HKQuantityType: HKStatistics] { statisticsSource.all }

    private var statisticsSource: WorkoutStatistics {
        let end = body.end ?? .infinity
        return WorkoutStatistics(
            start: body.start, end: body.end ?? body.start, stored: body.statistics,
            members: members.filter { $0.start >= body.start && $0.start < end })
    }
}
