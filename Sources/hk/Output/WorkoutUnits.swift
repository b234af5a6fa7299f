import HealthInsights
import HealthKit

/// The units in which workouts are shown: the person's units of distance and energy.
struct WorkoutUnits {
    /// Kilometers or miles.
    let split: WorkoutSplit.Length
    let energy: HKUnit

    init(store: HKHealthStore) async throws {
        let (distance, energy) = (HKQuantityType(.distanceWalkingRunning), HKQuantityType(.activeEnergyBurned))
        let preferred = try await store.preferredUnits(for: [distance, energy])
        split = preferred[distance]?.unitString == "mi" ? .mile : .kilometer
        self.energy = preferred[energy] ?? .kilocalorie()
    }

    init(split: WorkoutSplit.Length, energy: HKUnit) {
        self.split = split
        self.energy = energy
    }

    var distanceName: String { split == .mile ? "mi" : "km" }

    /// `9.43 km`, or `–`.
    func distance(_ meters: Double?) -> String {
        guard let meters, meters > 0 else { return "–" }
        return "\(NumberOutput.text(meters / split.meters)) \(distanceName)"
    }

    /// `5:12 /km` from seconds per kilometer, or `–`.
    func pace(_ secondsPerKilometer: Double?) -> String {
        guard let secondsPerKilometer else { return "–" }
        return "\(DurationOutput.clock(secondsPerKilometer * split.meters / 1_000)) /\(distanceName)"
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
    var words: String { CategoryValueName.words("\(self)") }
}
