import HealthAnswers
import HealthInsights
import HealthKit

extension WorkoutUnits {
    /// `9.43 km`, or `–`.
    func distance(_ meters: Double?) -> String {
        guard let meters, meters > 0 else { return "–" }
        return "\(NumberOutput.text(meters / length.meters)) \(lengthName)"
    }

    /// `5:12 /km` from seconds per kilometer, or `–`.
    func pace(_ secondsPerKilometer: Double?) -> String {
        guard let secondsPerKilometer else { return "–" }
        return "\(DurationOutput.clock(secondsPerKilometer * length.meters / 1_000)) /\(lengthName)"
    }

    /// The pace of an activity on foot or by arm, else its speed as `24.1 km/h`, or `–`.
    func pace(_ secondsPerKilometer: Double?, of activity: HKWorkoutActivityType) -> String {
        guard !activity.hasPace, let secondsPerKilometer else { return pace(secondsPerKilometer) }
        let speed = 3_600_000 / secondsPerKilometer / length.meters
        return "\(NumberOutput.text(speed, digits: 1)) \(length == .mile ? "mph" : "km/h")"
    }

    /// `299 kcal`, or `–`.
    func energy(_ quantity: HKQuantity?) -> String {
        guard let quantity else { return "–" }
        return "\(NumberOutput.text(quantity.doubleValue(for: energy), digits: 0)) \(energy.unitString)"
    }

    /// `299 kcal` from kilocalories, or `–` if there are none.
    func energy(kilocalories: Double) -> String {
        kilocalories > 0 ? energy(HKQuantity(unit: .kilocalorie(), doubleValue: kilocalories)) : "–"
    }

    /// `152`, or `–`.
    static func heartRate(_ beatsPerMinute: Double?) -> String {
        beatsPerMinute.map { NumberOutput.text($0, digits: 0) } ?? "–"
    }
}

extension HKWorkoutActivityType {
    /// The activity in words: `american football`.
    var words: String { NameOutput.words("\(self)") }
}
