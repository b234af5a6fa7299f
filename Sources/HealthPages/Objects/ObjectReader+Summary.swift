import HealthModel

extension ObjectReader {
    mutating func summary() throws(PageError) -> ActivitySummaryBody {
        let year = try integer("summary day")
        let month = try integer("summary day")
        let day = try integer("summary day")
        var summary = ActivitySummaryBody(year: year, month: month, day: day)
        summary.moveMode = try integer("summary move mode")
        switch try reader.byte("summary pause") {
        case 0: summary.isPaused = false
        case 1: summary.isPaused = true
        default: throw reader.error(.inconsistent, "summary pause")
        }
        let quantities = try quantities(8, "summary figures")
        summary.activeEnergyBurned = quantities[0]
        summary.activeEnergyBurnedGoal = quantities[1]
        summary.appleMoveTime = quantities[2]
        summary.appleMoveTimeGoal = quantities[3]
        summary.appleExerciseTime = quantities[4]
        summary.appleExerciseTimeGoal = quantities[5]
        summary.appleStandHours = quantities[6]
        summary.appleStandHoursGoal = quantities[7]
        return summary
    }
}
