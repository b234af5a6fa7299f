/// Ring goals in force from one day on; `nil` keeps the earlier figure.
public struct ActivityGoals: Hashable, Sendable, Codable {
    /// The first day the goals hold.
    public var from: Profile.Day
    /// Kilocalories.
    public var moveEnergy: Double?
    /// Minutes.
    public var moveTime: Double?
    /// Minutes.
    public var exercise: Double?
    /// Hours with a stand.
    public var stand: Double?

    /// Makes goals; those not given stay as they were.
    public init(
        from: Profile.Day, moveEnergy: Double? = nil, moveTime: Double? = nil,
        exercise: Double? = nil, stand: Double? = nil
    ) {
        self.from = from
        self.moveEnergy = moveEnergy
        self.moveTime = moveTime
        self.exercise = exercise
        self.stand = stand
    }
}
