import Synchronization

extension HKActivitySummary {
    /// Which figure drives the Move ring.
    public var activityMoveMode: HKActivityMoveMode {
        get { fields.withLock { $0.moveMode } }
        set { fields.withLock { $0.moveMode = newValue } }
    }

    /// Whether the person was not tracking that day.
    public var isPaused: Bool {
        get { fields.withLock { $0.isPaused } }
        set { fields.withLock { $0.isPaused = newValue } }
    }

    /// Energy burned by moving; an energy unit.
    public var activeEnergyBurned: HKQuantity {
        get { fields.withLock { $0.activeEnergyBurned } }
        set { fields.withLock { $0.activeEnergyBurned = newValue } }
    }

    /// The Move goal; an energy unit.
    public var activeEnergyBurnedGoal: HKQuantity {
        get { fields.withLock { $0.activeEnergyBurnedGoal } }
        set { fields.withLock { $0.activeEnergyBurnedGoal = newValue } }
    }

    /// Time spent moving; a time unit.
    public var appleMoveTime: HKQuantity {
        get { fields.withLock { $0.appleMoveTime } }
        set { fields.withLock { $0.appleMoveTime = newValue } }
    }

    /// The Move goal of people whose Move ring counts time; a time unit.
    public var appleMoveTimeGoal: HKQuantity {
        get { fields.withLock { $0.appleMoveTimeGoal } }
        set { fields.withLock { $0.appleMoveTimeGoal = newValue } }
    }

    /// Time spent exercising; a time unit.
    public var appleExerciseTime: HKQuantity {
        get { fields.withLock { $0.appleExerciseTime } }
        set { fields.withLock { $0.appleExerciseTime = newValue } }
    }

    /// The Exercise goal; a time unit, zero where there is none.
    public var appleExerciseTimeGoal: HKQuantity {
        get { exerciseTimeGoal ?? HKQuantity(unit: .minute(), doubleValue: 0) }
        set { exerciseTimeGoal = newValue }
    }

    /// The Exercise goal; `nil` where there is none.
    public var exerciseTimeGoal: HKQuantity? {
        get { fields.withLock { $0.exerciseTimeGoal } }
        set { fields.withLock { $0.exerciseTimeGoal = newValue } }
    }

    /// Hours with a stand; a count.
    public var appleStandHours: HKQuantity {
        get { fields.withLock { $0.appleStandHours } }
        set { fields.withLock { $0.appleStandHours = newValue } }
    }

    /// The Stand goal; a count, zero where there is none.
    public var appleStandHoursGoal: HKQuantity {
        get { standHoursGoal ?? HKQuantity(unit: .count(), doubleValue: 0) }
        set { standHoursGoal = newValue }
    }

    /// The Stand goal; `nil` where there is none.
    public var standHoursGoal: HKQuantity? {
        get { fields.withLock { $0.standHoursGoal } }
        set { fields.withLock { $0.standHoursGoal = newValue } }
    }
}
