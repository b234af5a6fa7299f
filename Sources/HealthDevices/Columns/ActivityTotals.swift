import HealthFiles
import HealthModel

/// A workout of which only totals are known, as lists of activities have them.
struct ActivityTotals: Sendable {
    /// The totals and averages that a list may have.
    enum Figure: String, CaseIterable, Hashable, Sendable {
        case energy, distance, elevation, averageHeartRate, maximumHeartRate, averageSpeed, maximumSpeed
        /// The time without pauses.
        case duration

        /// The unit of the figure.
        var unit: String {
            switch self {
            case .energy: "kcal"
            case .distance, .elevation: "m"
            case .averageHeartRate, .maximumHeartRate: "count/min"
            case .averageSpeed, .maximumSpeed: "m/s"
            case .duration: "s"
            }
        }
    }

    var activity: UInt
    var isIndoor = false
    var start: Double
    var end: Double
    var figures: [Figure: Double] = [:]
    var metadata: [Metadata.Entry] = []

    /// The workout, with its energy and distance as samples over all of it.
    ///
    /// - Parameter counted: The types of which the amounts of whole days are known, which a sample would be added to.
    func object(_ samples: SampleOrigin, counted: Set<MeasuredType> = []) -> ObjectRecord {
        var members: [SampleRecord] = []
        var statistics: [WorkoutBody.Statistics?] = []
        var body = WorkoutBody(activityType: activity, duration: min(figure(.duration) ?? end - start, end - start))
        func add(_ type: MeasuredType?, _ figure: Figure) -> QuantityRecord? {
            guard let value = self.figure(figure) else { return nil }
            if let type, end > start {
                if !counted.contains(type) { members.append(samples.quantity(type, value, start, end)) }
                statistics.append(type.statistics(start, end, sum: value))
            }
            return QuantityRecord(value, unit: figure.unit)
        }
        body.totalEnergyBurned = add(.activeEnergy, .energy)
        body.totalDistance = add(MeasuredType.distance(of: activity), .distance)
        body.statistics =
            (statistics + [
                MeasuredType.heartRate.statistics(
                    start, end, average: figure(.averageHeartRate), maximum: figure(.maximumHeartRate)),
                MeasuredType.speed(of: activity)?.statistics(
                    start, end, average: figure(.averageSpeed), maximum: figure(.maximumSpeed)),
            ]).compactMap(\.self)
        return samples.object(
            "HKWorkoutTypeIdentifier", start, end, metadata: Metadata(entries), .workout(body), members: members)
    }

    private func figure(_ figure: Figure) -> Double? {
        figures[figure].flatMap { $0 > 0 ? $0 : nil }
    }

    private var entries: [Metadata.Entry] {
        var entries: [Metadata.Entry] = []
        if isIndoor { entries.append(.init(key: "HKIndoorWorkout", value: .bool(true))) }
        for (key, name) in [
            ("HKElevationAscended", Figure.elevation), ("HKAverageSpeed", .averageSpeed),
            ("HKMaximumSpeed", .maximumSpeed),
        ] {
            if let value = figure(name) { entries.append(.init(key: key, value: .quantity(value, unit: name.unit))) }
        }
        return entries + metadata
    }
}
