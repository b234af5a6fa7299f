import Foundation
import HealthFiles
import HealthModel

/// A workout as Fitbit and Google Fit sum it up, without samples of its own.
struct GoogleWorkout {
    private let track: RecordedTrack
    let start: Double
    let end: Double
    private let samples: SampleOrigin
    /// The seconds without pauses.
    var duration: Double?
    /// In kilocalories.
    var energy: Double?
    /// In meters.
    var distance: Double?
    var steps: Double?
    var heartRate: Double?
    var maximumHeartRate: Double?
    /// In meters.
    var ascent: Double?
    var isManual = false
    /// The offset from UTC, such as `+02:00`.
    var zoneOffset = ""

    /// - Parameter activity: What the program calls it.
    init(activity: String, _ start: Double, _ end: Double, _ samples: SampleOrigin) {
        track = RecordedTrack(called: Self.words[activity.lowercased()] ?? activity)
        (self.start, self.end, self.samples) = (start, end, samples)
    }

    /// The type of its distance, if the activity has one.
    var distanceType: MeasuredType? { MeasuredType.distance(of: track.activity) }

    var object: ObjectRecord {
        var body = WorkoutBody(
            activityType: track.activity, duration: min(max(duration ?? end - start, 0), end - start))
        body.statistics = [
            MeasuredType.activeEnergy.statistics(start, end, sum: energy),
            distanceType?.statistics(start, end, sum: distance),
            MeasuredType.steps.statistics(start, end, sum: steps),
            MeasuredType.heartRate.statistics(start, end, average: heartRate, maximum: maximumHeartRate),
        ].compactMap(\.self)
        body.totalEnergyBurned = energy.map { QuantityRecord($0, unit: "kcal") }
        body.totalDistance = distance.map { QuantityRecord($0, unit: "m") }
        var metadata = Metadata()
        if track.isIndoor { metadata.set("HKIndoorWorkout", .bool(true)) }
        metadata.set("HKElevationAscended", ascent.map { .quantity($0, unit: "m") })
        if isManual { metadata.set(MetadataKey.wasUserEntered, .bool(true)) }
        if let zone { metadata.entries.append(.init(key: MetadataKey.timeZone, value: .string(zone.identifier))) }
        return samples.object("HKWorkoutTypeIdentifier", start, end, metadata: metadata, .workout(body))
    }

    private var zone: TimeZone? {
        let parts = zoneOffset.split(separator: ":").compactMap { Int8($0).map(Int.init) }
        guard parts.count == 2, (-15...15).contains(parts[0]), (0..<60).contains(parts[1]) else { return nil }
        let minutes = zoneOffset.hasPrefix("-") ? -parts[1] : parts[1]
        return TimeZone(secondsFromGMT: parts[0] * 3_600 + minutes * 60)
    }
}

extension FileContent {
    /// Adds a workout, which gives way to a file with its samples and to one that was read before.
    mutating func append(_ workout: GoogleWorkout) {
        summaries.insert(objects.count)
        objects.append(workout.object)
    }
}
