/// A day's rings as an archive gives them: values and goals, `nil` where the archive has none.
public struct ActivitySummaryBody: Hashable, Sendable, Codable {
    /// Year, month and day of the person's calendar (Gregorian).
    public var year: Int
    /// The month, 1 to 12.
    public var month: Int
    /// The day of the month, from 1.
    public var day: Int
    /// Energy of the move ring, in kilocalories as archives write it.
    public var activeEnergyBurned: QuantityRecord?
    /// The move ring's goal as energy.
    public var activeEnergyBurnedGoal: QuantityRecord?
    /// Minutes of the move ring, where it counts time.
    public var appleMoveTime: QuantityRecord?
    /// The move ring's goal as time.
    public var appleMoveTimeGoal: QuantityRecord?
    /// Minutes of the exercise ring.
    public var appleExerciseTime: QuantityRecord?
    /// The exercise ring's goal.
    public var appleExerciseTimeGoal: QuantityRecord?
    /// Hours of the stand ring, as a count.
    public var appleStandHours: QuantityRecord?
    /// The stand ring's goal.
    public var appleStandHoursGoal: QuantityRecord?
    /// Raw value of the move mode: active energy 1, move time 2.
    public var moveMode: Int
    /// Whether the person had paused the rings that day.
    public var isPaused: Bool

    /// Makes a day without values or goals.
    public init(year: Int, month: Int, day: Int, moveMode: Int = 1, isPaused: Bool = false) {
        self.year = year
        self.month = month
        self.day = day
        self.moveMode = moveMode
        self.isPaused = isPaused
    }
}
