import HealthAnswers
import HealthInsights
import HealthKit
import HealthModel

extension WorkoutUnits {
    /// `9.43 km`, or `–`.
    func distance(_ meters: Double?) -> String {
        guard let meters, meters > 0 else { return "–" }
        return "\(NumberOutput.text(meters / length.meters)) \(lengthName)"
    }

    /// The pace of an activity as `5:12 /km`, of swimming as `2:05 /100 m`, else its speed as `24.1 km/h`; `–` without one.
    func paceText(_ secondsPerKilometer: Double?, of activity: HKWorkoutActivityType) -> String {
        guard let secondsPerKilometer else { return "–" }
        if let pace = pace(secondsPerKilometer, of: activity) {
            return "\(DurationOutput.clock(pace.value)) /\(activity == .swimming ? "100 m" : lengthName)"
        }
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
