import HealthModel

extension ObjectWriter {
    mutating func summary(_ summary: ActivitySummaryBody) {
        bytes.signed(Int64(summary.year))
        bytes.signed(Int64(summary.month))
        bytes.signed(Int64(summary.day))
        bytes.signed(Int64(summary.moveMode))
        bytes.byte(summary.isPaused ? 1 : 0)
        quantities([
            summary.activeEnergyBurned, summary.activeEnergyBurnedGoal, summary.appleMoveTime,
            summary.appleMoveTimeGoal, summary.appleExerciseTime, summary.appleExerciseTimeGoal,
            summary.appleStandHours, summary.appleStandHoursGoal,
        ])
    }
}
