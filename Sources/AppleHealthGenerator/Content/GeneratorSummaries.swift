/// An `ActivitySummary` for each day, with the totals of its records and with goals that change.
struct GeneratorSummaries {
    let options: GeneratorOptions
    let clock: GeneratorClock

    func write(to buffer: inout GeneratorBuffer) throws {
        for day in 0..<clock.dayCount
        where buffer.keeps("HKActivitySummaryTypeIdentifier", .watch, at: clock.dayStarts[day]) {
            buffer.text(" <ActivitySummary")
            buffer.day("dateComponents", clock.dayStarts[day] + 12 * 3_600 + clock.offset)
            buffer.number("activeEnergyBurned", buffer.tally.energy[day], digits: 3)
            buffer.number("activeEnergyBurnedGoal", 400 + day * 5 / max(1, clock.dayCount) * 20, digits: 0)
            buffer.text(" activeEnergyBurnedUnit=\"\(buffer.style.energyUnit)\"")
            if options.dialect == nil || options.dialect?.moveTimeName == "appleMoveTime" {
                buffer.number("appleMoveTime", 0, digits: 0)
                buffer.number("appleMoveTimeGoal", 0, digits: 0)
            } else if options.dialect?.moveTimeName != nil {
                buffer.number("appleMoveMinutes", 0, digits: 0)
                buffer.number("appleMoveMinutesGoal", 0, digits: 0)
            }
            buffer.number("appleExerciseTime", buffer.tally.exercise[day], digits: 0)
            buffer.number("appleExerciseTimeGoal", 30, digits: 0)
            buffer.number("appleStandHours", buffer.tally.stoodHours[day], digits: 0)
            buffer.number("appleStandHoursGoal", 12, digits: 0)
            buffer.text("/>\n")
            buffer.archive.count("HKActivitySummaryTypeIdentifier")
            try buffer.flushIfLarge()
        }
    }
}

/// The totals of each day's records for its activity summary.
struct GeneratorTally {
    /// Active energy in thousandths of a kilocalorie.
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

    /// Adds a record's value, in units of its last digit.
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
