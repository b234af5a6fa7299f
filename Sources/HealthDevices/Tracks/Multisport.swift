import HealthModel

extension WorkoutBody {
    /// The activities of which a workout of several sports can consist: swimming, cycling, running and what is between.
    private static let multisportActivities: [UInt] = [46, 13, 37, transition]

    /// Whether consecutive recordings of these activities are one workout.
    static func isMultisport(_ activities: Set<UInt>) -> Bool {
        activities.isSubset(of: multisportActivities) && activities.subtracting([transition]).count > 1
    }
}
