import Foundation
import HealthFiles
import HealthModel

/// Makes a workout of the activities of a TCX or GPX file.
struct TrackWorkout {
    private static let multisport: UInt = 82
    private static let cycling: Set<UInt> = [13, 74]
    private static let running: UInt = 37

    /// One activity with its time.
    private struct Part {
        let track: RecordedTrack
        let start: Double
        let end: Double
        let stretches: TrackPauses
        /// The distance at which the points begin to count: that of a leg of a multisport activity which is a separate file, or of a part of a track, continues from what was before.
        let firstDistance: Double

        /// `nil` without times.
        init?(_ track: RecordedTrack) {
            let starts = track.laps.compactMap(\.start) + [track.points.first?.date].compactMap(\.self)
            let ends =
                track.laps.compactMap { lap in lap.start.map { $0 + (lap.duration ?? 0) } }
                + [track.points.last?.date].compactMap(\.self)
            guard let start = starts.min(), let end = ends.max(), end > start else { return nil }
            // Points have whole seconds, and laps what is exact.
            let rest = (Self.sum(track, \.duration) ?? 0) - (end - start)
            (self.track, self.start) = (track, start)
            self.end = rest > 0 && rest <= Double(track.laps.count) ? end + rest : end
            stretches = TrackPauses(track)
            firstDistance = Self.firstDistance(track)
        }

        private static func firstDistance(_ track: RecordedTrack) -> Double {
            let measured = track.points.filter { $0.distance != nil }
            guard let first = measured.first, let distance = first.distance, let last = measured.last?.distance
            else { return 0 }
            let laps = sum(track, \.distance)
            if let laps, isMore(last - distance, than: laps) { return 0 }
            return TrackDistance.first(distance, after: first.date - track.points[0].date, last: last, of: laps)
        }

        /// Whether points continue after the last lap.
        private static func isMore(_ recorded: Double, than laps: Double) -> Bool { recorded > laps * 1.05 + 50 }

        /// A sum of all laps; `nil` if one lacks it, or if the recording ends long after the last lap.
        func sum(_ figure: KeyPath<RecordedTrack.Lap, Double?>) -> Double? {
            let recorded = (track.points.last { $0.distance != nil }?.distance ?? 0) - firstDistance
            let isLonger = Self.sum(track, \.distance).map { Self.isMore(recorded, than: $0) } ?? false
            return isLonger ? nil : Self.sum(track, figure)
        }

        private static func sum(
            _ track: RecordedTrack, _ figure: KeyPath<RecordedTrack.Lap, Double?>
        ) -> Double? {
            let figures = track.laps.compactMap { $0[keyPath: figure] }
            let sum = figures.reduce(0, +)
            return figures.count == track.laps.count && sum > 0 ? sum : nil
        }

        var duration: Double {
            sum(\.duration).map { min($0, end - start) }
                ?? end - start - stretches.paused(from: start, to: end)
        }

        /// The heart rates of the laps, if there are none by time.
        var heartRates: WorkoutBody.Statistics? {
            guard !track.points.contains(where: { $0.heartRate ?? 0 > 0 }) else { return nil }
            let averages = track.laps.compactMap { lap in
                lap.averageHeartRate.flatMap { $0 > 0 ? (rate: $0, length: lap.duration ?? 0) : nil }
            }
            let length = averages.reduce(0) { $0 + $1.length }
            let maximum = track.laps.compactMap(\.maximumHeartRate).filter { $0 > 0 }.max()
            let average = averages.reduce(0) { $0 + $1.rate * $1.length } / length
            return MeasuredType.heartRate.statistics(start, end, average: length > 0 ? average : nil, maximum: maximum)
        }

        /// The laps of which all is known.
        var laps: [(start: Double, end: Double, lap: RecordedTrack.Lap)] {
            let starts = track.laps.compactMap(\.start)
            guard starts.count == track.laps.count else { return [] }
            return zip(track.laps, starts).enumerated().compactMap { index, lap in
                let end = index + 1 < starts.count ? starts[index + 1] : end
                return end > lap.1 ? (lap.1, end, lap.0) : nil
            }
        }
    }

    private let parts: [Part]
    private let samples: SampleOrigin
    private let brand: String?

    /// The workouts of activities that a file has as one: those that are hours apart are separate workouts.
    ///
    /// - Parameter brand: The name of the device's manufacturer.
    static func workouts(_ tracks: [RecordedTrack], _ samples: SampleOrigin, brand: String?) -> [TrackWorkout] {
        let longestTransition = 6.0 * 3_600
        var groups: [[Part]] = []
        for part in tracks.compactMap(Part.init).sorted(by: { $0.start < $1.start }) {
            if let before = groups.last?.last, part.start - before.end <= longestTransition {
                groups[groups.count - 1].append(part)
            } else {
                groups.append([part])
            }
        }
        return groups.map { TrackWorkout(parts: $0, samples: samples, brand: brand) }
    }

    func add(to content: inout FileContent) {
        var members: [SampleRecord] = []
        var series: [TypeCode: SampleSeries] = [:]
        var activities: [WorkoutBody.Activity] = []
        var (meters, energies): ([Double], [Double]) = ([], [])
        for (place, part) in parts.enumerated() {
            let (distances, energy) = (Self.distances(of: part), energySamples(of: part))
            if let type = MeasuredType.distance(of: part.track.activity) {
                for distance in distances {
                    series[type.code, default: SampleSeries(type, samples)]
                        .append(distance.meters, distance.start, distance.end)
                }
            } else if !distances.isEmpty {
                content.leaveOut("distance in a sport without a type for it", count: distances.count)
            }
            members += energy
            addMeasurements(of: part, to: &series, &content)
            var statistics: [WorkoutBody.Statistics] = []
            func add(_ type: MeasuredType?, _ sum: Double, _ totals: inout [Double]) {
                guard sum > 0 else { return }
                totals.append(sum)
                statistics += [type?.statistics(part.start, part.end, sum: sum)].compactMap(\.self)
            }
            let total = part.sum(\.distance) ?? distances.reduce(0) { $0 + $1.meters }
            add(MeasuredType.distance(of: part.track.activity), total, &meters)
            add(.activeEnergy, energy.reduce(0) { $0 + $1.value }, &energies)
            if let rates = part.heartRates { statistics.append(rates) }
            let hasRoute = !part.track.isIndoor && part.track.points.contains { $0.place != nil }
            activities.append(
                .init(
                    uuid: FileContent.identity(
                        "\(samples.revision.source.bundleIdentifier) \(part.start) \(place)"),
                    activityType: part.track.activity, locationType: part.track.isIndoor ? 2 : hasRoute ? 3 : 1,
                    start: part.start, end: part.end, duration: part.duration, events: events(of: part),
                    statistics: statistics, metadata: metadata(of: part)))
            for (name, count) in part.track.leftOut { content.leaveOut(name, count: count) }
        }
        var body = WorkoutBody(
            activityType: parts.count > 1 ? Self.multisport : parts[0].track.activity,
            duration: activities.reduce(0) { $0 + $1.duration }, activities: activities)
        body.events = activities.flatMap(\.events)
        body.totalDistance = meters.isEmpty ? nil : QuantityRecord(meters.reduce(0, +), unit: "m")
        body.totalEnergyBurned = energies.isEmpty ? nil : QuantityRecord(energies.reduce(0, +), unit: "kcal")
        body.statistics = parts.count == 1 ? activities[0].statistics : []
        var metadata = parts.count == 1 ? activities[0].metadata : Metadata()
        if let brand { metadata.entries.append(.init(key: "HKWorkoutBrandName", value: .string(brand))) }
        let owner = content.append(
            samples.object(
                "HKWorkoutTypeIdentifier", parts[0].start, parts.map(\.end).max() ?? parts[0].end,
                metadata: metadata, .workout(body), members: members), series.values)
        if let route = route(&content) { content.parts.append((owner, route)) }
    }

    private func metadata(of part: Part) -> Metadata {
        part.track.isIndoor ? Metadata([.init(key: "HKIndoorWorkout", value: .bool(true))]) : .empty
    }

    /// Pauses and laps. A single lap is the workout itself.
    private func events(of part: Part) -> [WorkoutBody.Event] {
        let laps = part.laps.count > 1 ? part.laps.map { WorkoutBody.Event(type: 3, start: $0.start, end: $0.end) } : []
        return (part.stretches.events + laps).sorted { ($0.start, $0.end, $0.type) < ($1.start, $1.end, $1.type) }
    }

    // MARK: - Samples

    private func addMeasurements(
        of part: Part, to series: inout [TypeCode: SampleSeries], _ content: inout FileContent
    ) {
        let activity = part.track.activity
        let isRide = Self.cycling.contains(activity)
        let power: MeasuredType? = isRide ? .cyclingPower : activity == Self.running ? .runningPower : nil
        let speed = MeasuredType.speed(of: activity)
        // A sensor that wasn't there has only zeros; while a rider coasts, those of power count, and those of cadence don't.
        let hasPower = part.track.points.contains { $0.power ?? 0 > 0 }
        for point in part.track.points {
            func add(_ type: MeasuredType?, _ value: Double?, _ name: String = "") {
                guard let value, value >= 0 else { return }
                if let type {
                    series[type.code, default: SampleSeries(type, samples)].append(value, point.date, point.date)
                } else {
                    content.leaveOut("\(name) in a sport without a type for it")
                }
            }
            add(.heartRate, point.heartRate.flatMap { $0 > 0 ? $0 : nil })
            add(power, hasPower ? point.power : nil, "power")
            add(speed, point.speed, "speed")
            add(isRide ? .cyclingCadence : nil, point.cadence.flatMap { $0 > 0 ? $0 : nil }, "cadence")
        }
    }

    /// The distance from point to point: the file's, else that between their places, else that of the laps. What is
    /// between points of the same time belongs to the next one.
    private static func distances(of part: Part) -> [(meters: Double, start: Double, end: Double)] {
        var result: [(meters: Double, start: Double, end: Double)] = []
        if part.track.points.contains(where: { $0.distance != nil }) {
            var before = (date: part.start, distance: part.firstDistance)
            var resumed = (stretch: part.track.points[0].stretch, date: part.start)
            for point in part.track.points {
                if point.stretch != resumed.stretch { resumed = (point.stretch, point.date) }
                guard let distance = point.distance else { continue }
                if distance > before.distance {
                    guard point.date > before.date else { continue }
                    // What was measured after a pause begins where the pause ends.
                    let start = resumed.date < point.date ? max(before.date, resumed.date) : before.date
                    result.append((distance - before.distance, start, point.date))
                }
                before = (point.date, distance)
            }
        } else if !part.track.isIndoor {
            var rest = 0.0
            let located = part.track.points.filter { $0.place != nil }
            for (from, to) in zip(located, located.dropFirst()) where from.stretch == to.stretch {
                rest += meters(from, to)
                guard rest > 0, to.date > from.date else { continue }
                result.append((rest, from.date, to.date))
                rest = 0
            }
        }
        if result.isEmpty {
            for (start, end, lap) in part.laps {
                if let meters = lap.distance, meters > 0 { result.append((meters, start, end)) }
            }
        }
        return result
    }

    /// The distance between two places on a sphere with the earth's mean radius.
    static func meters(_ from: RecordedTrack.Point, _ to: RecordedTrack.Point) -> Double {
        guard let (from, to) = from.place.flatMap({ from in to.place.map { (from, $0) } }) else { return 0 }
        let radians = Double.pi / 180
        let (first, second) = (from.latitude * radians, to.latitude * radians)
        let north = sin((second - first) / 2)
        let east = sin((to.longitude - from.longitude) * radians / 2)
        return 2 * 6_371_008.8 * asin(min(1, (north * north + cos(first) * cos(second) * east * east).squareRoot()))
    }

    /// The energy by lap, if every lap has it, else of the whole activity.
    private func energySamples(of part: Part) -> [SampleRecord] {
        let laps = part.laps
        if laps.count == part.track.laps.count, laps.allSatisfy({ $0.lap.calories != nil }) {
            return laps.compactMap { start, end, lap in
                lap.calories.flatMap { $0 > 0 ? samples.quantity(.activeEnergy, $0, start, end) : nil }
            }
        }
        let sum = part.track.laps.compactMap(\.calories).reduce(0, +)
        return sum > 0 ? [samples.quantity(.activeEnergy, sum, part.start, part.end)] : []
    }

    // MARK: - Route

    private func route(_ content: inout FileContent) -> ObjectRecord? {
        var points = parts.flatMap { part in part.track.points.filter { $0.place != nil }.map { (part, $0) } }
        let count = points.count
        // The places of a virtual ride are those of a game.
        points.removeAll { $0.0.track.isIndoor }
        if points.count < count { content.leaveOut("place of an indoor workout", count: count - points.count) }
        func column(_ value: (RecordedTrack.Point) -> Double) -> [Double] { points.map { value($0.1) } }
        return samples.route([
            .timestamps: column(\.date), .latitudes: column { $0.latitude ?? 0 },
            .longitudes: column { $0.longitude ?? 0 }, .altitudes: column { $0.altitude ?? 0 },
            .horizontalAccuracies: column { _ in 0 }, .verticalAccuracies: column { $0.altitude == nil ? -1 : 0 },
            .courses: column { $0.course ?? -1 }, .speeds: column { $0.speed ?? -1 },
        ])
    }
}
