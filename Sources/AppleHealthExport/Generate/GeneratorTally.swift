/// What the records of each day add up to, for the day's activity summary.
struct GeneratorTally {
    /// Active energy, in thousandths of a kilocalorie.
    private(set) var energy: [Int]
    /// Minutes of exercise.
    private(set) var exercise: [Int]
    /// Hours with a stand.
    private(set) var stoodHours: [Int]

    init(days: Int) {
        energy = Array(repeating: 0, count: days)
        exercise = energy
        stoodHours = energy
    }

    /// Counts a record's value, in the digits its series is written with.
    mutating func add(_ value: Int, of type: String, onDay day: Int) {
        switch type {
        case "HKQuantityTypeIdentifierActiveEnergyBurned": energy[day] += value
        case "HKQuantityTypeIdentifierAppleExerciseTime": exercise[day] += value
        default: break
        }
    }

    mutating func addStoodHour(onDay day: Int) {
        stoodHours[day] += 1
    }
}
