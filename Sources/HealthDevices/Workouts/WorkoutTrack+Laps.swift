import HealthEngine
import HealthFiles
import HealthModel

/// The laps of a workout, for the formats that have them.
extension WorkoutTrack {
    /// The raw values of the events of laps and of segments.
    static let (lapEvent, segmentEvent) = (3, 7)

    /// An instant with a location or a measurement.
    struct Point {
        var time: Double
        var stretch: Int
        var location: Location?
    }

    /// The time from one press of the lap button to the next.
    struct Lap {
        var start: Double
        var end: Double
        /// Seconds without pauses.
        var duration: Double
        var meters: Double
        var kilocalories: Int
    }

    /// The locations in the time of the workout, and the instants of measurements between them, in ascending order.
    /// Every heart rate has its instant.
    ///
    /// - Parameter others: Further instants.
    func points(_ others: [Double] = []) -> [Point] {
        var points = segments.flatMap(\.locations).filter { isInTime($0) }.map {
            Point(time: $0.time, stretch: stretch(of: $0.time) ?? 0, location: $0)
        }
        let located = Set(points.map(\.time))
        let measured = [heartRates, cadences, powers].flatMap(\.series.starts) + others
        for time in Set(measured).subtracting(located) where time >= start && time <= end {
            if let stretch = stretch(of: time) { points.append(Point(time: time, stretch: stretch)) }
        }
        return points.sorted { $0.time < $1.time }
    }

    /// The number of locations before or after the workout, as a route that begins a moment earlier has them.
    var locationsOutside: Int { segments.reduce(0) { $0 + $1.locations.count { !isInTime($0) } } }

    private func isInTime(_ location: Location) -> Bool {
        workout == nil || location.time >= start.microseconds && location.time <= end.microseconds
    }

    /// The beginnings and ends of laps in between, by the raw value of their events. Laps that follow each other share a
    /// bound.
    func lapBounds(type: Int = lapEvent) -> [Double] {
        // Devices write starts in whole seconds and durations exactly: a lap seems to end a moment before or after the
        // next one begins.
        let rounding = 2.5
        let laps = (workout?.events ?? []).filter { $0.type == type }.sorted { $0.start < $1.start }
        let nexts = laps.dropFirst().map(\.start) + [end]
        let bounds = zip(laps, nexts).flatMap { lap, next in
            abs(lap.end - next) < rounding ? [lap.start] : [lap.start, lap.end]
        }
        return bounds.sorted().reduce(into: []) { bounds, bound in
            if bound - (bounds.last ?? start) >= 1, end - bound >= 1 { bounds.append(bound) }
        }
    }

    /// The laps between bounds, whose figures add up to those of the workout.
    ///
    /// If the distance of a workout isn't known by time, it has one lap, unless laps need no distance.
    func laps(_ bounds: [Double], needDistance: Bool = true) -> [Lap] {
        let (total, kilocalories) = (totalMeters, kilocalories ?? 0)
        let (measured, meters) = (distances.sum(until: end), meters())
        guard !bounds.isEmpty, !needDistance || measured > 0 || total == 0 else {
            return [
                Lap(
                    start: start, end: end, duration: workout?.duration ?? end - start, meters: total,
                    kilocalories: Self.whole(kilocalories))
            ]
        }
        let edges = [start] + bounds + [end]
        let whole = duration(from: start, to: end)
        // Events of pauses may be less exact than the workout's own duration.
        let active = workout?.duration ?? whole
        let share = whole > 0 && active > 0 && abs(active - whole) >= 0.001 ? active / whole : 1
        func energy(until instant: Double) -> Int {
            Self.whole(whole > 0 ? kilocalories * duration(from: start, to: instant) / whole : 0)
        }
        func distance(until instant: Double) -> Double {
            (meters(instant) * 100).rounded() / 100
        }
        return zip(edges, edges.dropFirst()).map { from, to in
            Lap(
                start: from, end: to, duration: max(0, duration(from: from, to: to)) * share,
                meters: ((distance(until: to) - distance(until: from)) * 100).rounded() / 100,
                kilocalories: energy(until: to) - energy(until: from))
        }
    }

    /// The active energy of the workout.
    var kilocalories: Double? { workout?.total(.energyBurned)?.converted(to: "kcal") }

    /// The types whose quantities are the distance of the workout: that of its sport, then those of which it has a sum.
    var distanceTypes: [String] {
        guard let workout else { return [] }
        let usual = MeasuredType.distance(of: workout.activityType).map { [$0.identifier] } ?? []
        let summed = workout.statistics.filter { $0.sum != nil }.map(\.type)
        return usual + summed.filter { WorkoutBody.distanceTypes.contains($0) && !usual.contains($0) }
    }

    /// The distance of the workout, else of its samples.
    var totalMeters: Double { workout?.total(.distance)?.converted(to: "m") ?? distances.sum(until: end) }

    /// Returns the distance until an instant, which at the end is that of the workout: laps of a device, and what it
    /// recorded, needn't add up to its own total.
    func meters() -> (_ instant: Double) -> Double {
        let (measured, total) = (distances.sum(until: end), totalMeters)
        let share = measured > 0 && total > 0 && abs(total - measured) > 0.005 ? total / measured : 1
        return { [distances] in distances.sum(until: $0) * share }
    }

    private static func whole(_ value: Double) -> Int { Int(min(max(value, 0), 65_535).rounded()) }
}
