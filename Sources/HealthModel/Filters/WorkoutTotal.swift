/// The totals stored on a workout that a filter or a sort can name.
public enum WorkoutTotal: UInt8, Hashable, Sendable {
    /// Lengths, energy, strokes and floors of the whole workout, each in the unit it was saved in.
    case distance, energyBurned, swimmingStrokeCount, flightsClimbed

    /// The total's value on a workout.
    public func value(of workout: WorkoutBody) -> QuantityRecord? {
        switch self {
        case .distance: workout.totalDistance
        case .energyBurned: workout.totalEnergyBurned
        case .swimmingStrokeCount: workout.totalSwimmingStrokeCount
        case .flightsClimbed: workout.totalFlightsClimbed
        }
    }
}
