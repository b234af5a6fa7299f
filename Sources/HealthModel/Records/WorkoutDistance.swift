/// The totals of a workout: its own, or those of its statistics. The distance of a multisport workout is the sum of its
/// legs.
extension WorkoutBody {
    /// Raw values of activities: swimming, cycling and running as one workout, and what is between two of its legs.
    package static let (multisport, transition): (UInt, UInt) = (82, 83)

    /// The names of the types of distances, and the raw values of the activities whose distance each is. Nobody swims or
    /// rides in a transition.
    package static let distances: [(name: String, activities: [UInt])] = [
        ("WalkingRunning", [37, 52, 24, transition]), ("Cycling", [13, 74]), ("Swimming", [46]),
        ("Wheelchair", [70, 71]),
        ("DownhillSnowSports", [61, 67]), ("CrossCountrySkiing", [60]), ("PaddleSports", [31]), ("Rowing", [35]),
        ("SkatingSports", [39]),
    ].map { ("Distance" + $0, $1) }

    /// The identifiers of the types of distances.
    package static let distanceTypes = distances.map { "HKQuantityTypeIdentifier" + $0.name }

    /// The identifier of the type of an activity's distance, if it has one.
    package static func distanceType(of activity: UInt) -> String? {
        distances.firstIndex { $0.activities.contains(activity) }.map { distanceTypes[$0] }
    }

    /// The identifiers of the types of distances, that of the activity first.
    package static func distanceTypes(of activity: UInt) -> [String] {
        let own = distanceType(of: activity)
        return [own].compactMap(\.self) + distanceTypes.filter { $0 != own }
    }

    /// Whether the workout has several sports, whose distances add up.
    package var isMultisport: Bool {
        activityType == Self.multisport || Set(activities.map(\.activityType)).subtracting([Self.transition]).count > 1
    }

    /// Returns the workout's own total, or the sum in its statistics.
    package func total(_ total: WorkoutTotal) -> QuantityRecord? { total.value(of: self) ?? sum(total) }

    /// Returns the sum in the workout's statistics: of its sport's distance, else of the first one; of all distances of a
    /// multisport workout.
    package func sum(_ total: WorkoutTotal) -> QuantityRecord? {
        func sums(_ statistics: [Statistics]) -> [QuantityRecord] {
            total.types(of: self).flatMap { type in
                statistics.filter { $0.type == type && !$0.unit.isEmpty }
                    .compactMap { figures in figures.sum.map { QuantityRecord($0, unit: figures.unit) } }
            }
        }
        let whole = sums(statistics)
        guard total == .distance, isMultisport else { return whole.first }
        let parts = whole.isEmpty ? sums(activities.flatMap(\.statistics)) : whole
        guard parts.count > 1 else { return parts.first }
        return QuantityRecord(parts.reduce(0) { $0 + ($1.value(in: parts[0].unit) ?? 0) }, unit: parts[0].unit)
    }

    /// The activities with their sports, which Apple's archives don't name in a multisport workout. What was measured tells
    /// them: on foot from a swim to a bicycle, or from a bicycle to a run, is a transition.
    package var namedActivities: [Activity] {
        guard activityType == Self.multisport, activities.count > 1 else { return activities }
        let sports = activities.map { activity in
            guard activity.activityType == Self.multisport else { return activity.activityType }
            let sums = activity.statistics.filter { $0.sum ?? 0 > 0 }.map(\.type)
            return [46, 13, 37].first { Self.distanceType(of: $0).map(sums.contains) ?? false } ?? Self.transition
        }
        return activities.enumerated().map { place, activity in
            let next = place > 0 && place + 1 < sports.count ? sports[place + 1] : 0
            let isBetween =
                activity.activityType == Self.multisport && sports[place] == 37 && (next == 13 || next == 37)
            var named = activity
            named.activityType = isBetween ? Self.transition : sports[place]
            return named
        }
    }
}

extension WorkoutTotal {
    /// The identifiers of the types whose sums are the total, in the order in which they apply.
    fileprivate func types(of workout: WorkoutBody) -> [String] {
        switch self {
        case .distance: WorkoutBody.distanceTypes(of: workout.activityType)
        case .energyBurned: ["HKQuantityTypeIdentifierActiveEnergyBurned"]
        case .swimmingStrokeCount: ["HKQuantityTypeIdentifierSwimmingStrokeCount"]
        case .flightsClimbed: ["HKQuantityTypeIdentifierFlightsClimbed"]
        }
    }
}
