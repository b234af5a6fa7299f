import HealthModel

/// The time of a workout in the zones of one type, as JSON and as text.
struct WorkoutZoneAnswer: Encodable {
    /// A zone. The first one has no minimum, the last one no maximum.
    struct Zone: Encodable {
        var minimum: Double?
        var maximum: Double?
        /// Seconds.
        var duration: Double
    }

    var quantityType: String
    /// The unit of the boundaries.
    var unit: String
    /// `system`, `user` or `app`.
    var source: String
    var zones: [Zone]

    init(_ record: WorkoutZoneRecord) {
        quantityType = record.type
        unit = record.unit
        source = record.source.rawValue
        zones = record.durations.enumerated().map { index, duration in
            Zone(
                minimum: index == 0 ? nil : record.boundaries[index - 1],
                maximum: index == record.boundaries.count ? nil : record.boundaries[index], duration: duration)
        }
    }

    /// The whole minutes in each zone: `heartRate zones 2/4/20/8/0 min`.
    var text: String {
        let minutes = zones.map { NumberOutput.text($0.duration / 60, digits: 0) }.joined(separator: "/")
        return "\(TypeName.short(quantityType)) zones \(minutes) min"
    }
}
