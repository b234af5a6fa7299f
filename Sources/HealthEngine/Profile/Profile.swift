/// What a store knows of its person. Enumerations hold the original's raw values; `nil` is “not set”.
public struct Profile: Hashable, Sendable, Codable {
    /// A Gregorian date without time.
    public struct Day: Hashable, Sendable, Codable, Comparable {
        /// The year, such as 1984.
        public var year: Int
        /// The month, 1 to 12.
        public var month: Int
        /// The day of the month, from 1.
        public var day: Int

        /// Makes a date; that there is such a day is not checked.
        public init(year: Int, month: Int, day: Int) {
            self.year = year
            self.month = month
            self.day = day
        }

        /// Year · 10000 + month · 100 + day.
        public var number: Int { year * 10_000 + month * 100 + day }

        public static func < (left: Day, right: Day) -> Bool { left.number < right.number }
    }

    /// The day the person was born.
    public var dateOfBirth: Day?
    /// Female 1, male 2, other 3.
    public var biologicalSex: Int?
    /// A+ 1, A− 2, B+ 3, B− 4, AB+ 5, AB− 6, O+ 7, O− 8.
    public var bloodType: Int?
    /// Type I 1 to type VI 6.
    public var fitzpatrickSkinType: Int?
    /// No 1, yes 2.
    public var wheelchairUse: Int?
    /// Move mode in force: active energy 1, move time 2.
    public var activityMoveMode: Int?
    /// Raw option bits of cardio fitness medications.
    public var cardioFitnessMedicationsUse: Int?
    /// Chosen unit strings by type identifier.
    public var preferredUnits: [String: String]
    /// Ring goals, each in force from its day on; ascending.
    public var goals: [ActivityGoals]

    /// Makes a profile in which nothing is set.
    public init() {
        preferredUnits = [:]
        goals = []
    }
}
