import HealthEngine
import HealthModel
import HealthStorageFiles

/// Training Center XML.
extension WorkoutFileText {
    private static let schema = "http://www.garmin.com/xmlschemas/TrainingCenterDatabase"
    private static let running: UInt = 37
    private static let cycling: Set<UInt> = [13, 74]
    private static let lap = 3

    mutating func beginTCX() {
        text += """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- \(ExportMark.comment) -->
            <TrainingCenterDatabase xmlns="\(Self.schema)/v2" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xsi:schemaLocation="\(Self.schema)/v2 \(Self.schema)v2.xsd">
              <Activities>

            """
    }

    mutating func endTCX() { text += "  </Activities>\n</TrainingCenterDatabase>\n" }

    mutating func addTCX(_ track: WorkoutTrack) {
        let activity = track.workout?.activityType ?? 0
        let isRide = Self.cycling.contains(activity)
        text +=
            "    <Activity Sport=\"\(activity == Self.running ? "Running" : isRide ? "Biking" : "Other")\">\n      <Id>"
        text.time(track.start.microseconds)
        text += "</Id>\n"
        let laps = track.laps(track.lapBounds(type: Self.lap))
        let points = track.points
        var next = 0
        for (index, lap) in laps.enumerated() {
            begin(lap, track)
            let first = next
            while next < points.count, index == laps.count - 1 || points[next].time < lap.end { next += 1 }
            add(points[first..<next], of: track, isRide: isRide)
            text += "      </Lap>\n"
        }
        text += "      <Notes>\(track.name(clock))</Notes>\n    </Activity>\n"
    }

    private mutating func begin(_ lap: WorkoutTrack.Lap, _ track: WorkoutTrack) {
        text += "      <Lap StartTime=\""
        text.time(lap.start.microseconds)
        text += "\">\n        <TotalTimeSeconds>"
        text.decimal(max(0, lap.duration))
        text += "</TotalTimeSeconds>\n        <DistanceMeters>"
        text.decimal(lap.meters)
        text += "</DistanceMeters>\n        <Calories>\(lap.kilocalories)</Calories>\n"
        let times = track.heartRates.series.starts.filter {
            $0 >= lap.start && ($0 < lap.end || lap.end == track.end && $0 == lap.end) && track.stretch(of: $0) != nil
        }
        let found = times.compactMap { track.heartRate(at: $0, since: -.infinity) }
        if let maximum = found.max() {
            let average = (Double(found.reduce(0, +)) / Double(found.count)).rounded()
            text += "        <AverageHeartRateBpm><Value>\(Int(average))</Value></AverageHeartRateBpm>\n"
            text += "        <MaximumHeartRateBpm><Value>\(maximum)</Value></MaximumHeartRateBpm>\n"
        }
        text += "        <Intensity>Active</Intensity>\n        <TriggerMethod>Manual</TriggerMethod>\n"
    }

    /// Adds points, in a track for each stretch of time between pauses.
    private mutating func add(_ points: ArraySlice<WorkoutTrack.Point>, of track: WorkoutTrack, isRide: Bool) {
        var stretch: Int?
        for point in points {
            if point.stretch != stretch {
                text += stretch == nil ? "        <Track>\n" : "        </Track>\n        <Track>\n"
                stretch = point.stretch
            }
            text += "          <Trackpoint><Time>"
            text.time(point.time)
            text += "</Time>"
            if let location = point.location {
                text += "<Position><LatitudeDegrees>"
                text.decimal(location.latitude)
                text += "</LatitudeDegrees><LongitudeDegrees>"
                text.decimal(location.longitude)
                text += "</LongitudeDegrees></Position>"
                if let altitude = location.altitude {
                    text += "<AltitudeMeters>"
                    text.decimal(altitude)
                    text += "</AltitudeMeters>"
                }
            }
            if !track.distances.isEmpty {
                text += "<DistanceMeters>"
                text.decimal((track.distances.sum(until: point.time) * 100).rounded() / 100)
                text += "</DistanceMeters>"
            }
            let first = track.resumption(before: point.stretch)
            if let rate = track.heartRate(at: point.time, since: first) {
                text += "<HeartRateBpm><Value>\(rate)</Value></HeartRateBpm>"
            }
            let cadence = track.cadence(at: point.time, since: first)
            if isRide, let cadence { text += "<Cadence>\(cadence)</Cadence>" }
            let power = track.power(at: point.time, since: first)
            if power != nil || !isRide && cadence != nil {
                text += "<Extensions><TPX xmlns=\"http://www.garmin.com/xmlschemas/ActivityExtension/v2\">"
                if !isRide, let cadence { text += "<RunCadence>\(cadence)</RunCadence>" }
                if let power { text += "<Watts>\(power)</Watts>" }
                text += "</TPX></Extensions>"
            }
            text += "</Trackpoint>\n"
        }
        if stretch != nil { text += "        </Track>\n" }
    }
}

extension WorkoutTrack {
    /// An instant with a location or a measurement.
    fileprivate struct Point {
        var time: Double
        var stretch: Int
        var location: Location?
    }

    /// The time from one press of the lap button to the next.
    fileprivate struct Lap {
        var start: Double
        var end: Double
        /// Seconds without pauses.
        var duration: Double
        var meters: Double
        var kilocalories: Int
    }

    /// The locations, and the instants of measurements between them, in ascending order. Every heart rate has its
    /// instant.
    fileprivate var points: [Point] {
        var points = segments.flatMap(\.locations).map {
            Point(time: $0.time, stretch: stretch(of: $0.time) ?? 0, location: $0)
        }
        let located = Set(points.map(\.time))
        let measured = [heartRates, cadences, powers].flatMap(\.series.starts)
        for time in Set(measured).subtracting(located) where time >= start && time <= end {
            if let stretch = stretch(of: time) { points.append(Point(time: time, stretch: stretch)) }
        }
        return points.sorted { $0.time < $1.time }
    }

    /// The beginnings and ends of laps in between. Laps that follow each other share a bound.
    fileprivate func lapBounds(type: Int) -> [Double] {
        let events = (workout?.events ?? []).filter { $0.type == type }
        return events.flatMap { [$0.start, $0.end] }.sorted().reduce(into: []) { bounds, bound in
            if bound - (bounds.last ?? start) >= 1, end - bound >= 1 { bounds.append(bound) }
        }
    }

    /// The laps between bounds, whose figures add up to those of the workout.
    ///
    /// If the distance of a workout isn't known by time, it has one lap.
    fileprivate func laps(_ bounds: [Double]) -> [Lap] {
        let (meters, kilocalories) = (totalMeters, workout?.totalEnergyBurned?.converted(to: "kcal") ?? 0)
        let measured = distances.sum(until: end)
        guard !bounds.isEmpty, measured > 0 || meters == 0 else {
            return [
                Lap(
                    start: start, end: end, duration: workout?.duration ?? end - start, meters: meters,
                    kilocalories: Self.whole(kilocalories))
            ]
        }
        let edges = [start] + bounds + [end]
        let whole = duration(from: start, to: end)
        func energy(until instant: Double) -> Int {
            Self.whole(whole > 0 ? kilocalories * duration(from: start, to: instant) / whole : 0)
        }
        func distance(until instant: Double) -> Double {
            guard measured > 0 else { return 0 }
            return (distances.sum(until: instant) * (meters > 0 ? meters / measured : 1) * 100).rounded() / 100
        }
        return zip(edges, edges.dropFirst()).map { from, to in
            Lap(
                start: from, end: to, duration: duration(from: from, to: to),
                meters: ((distance(until: to) - distance(until: from)) * 100).rounded() / 100,
                kilocalories: energy(until: to) - energy(until: from))
        }
    }

    /// The distance of the workout, else of its samples.
    private var totalMeters: Double {
        let identifiers = WorkoutTrackReader.distances.map { "HKQuantityTypeIdentifier" + $0 }
        let figures = workout?.statistics.first { identifiers.contains($0.type) && $0.sum != nil }
        let total = figures.flatMap { QuantityRecord($0.sum ?? 0, unit: $0.unit).converted(to: "m") }
        return total ?? workout?.totalDistance?.converted(to: "m") ?? distances.sum(until: end)
    }

    private static func whole(_ value: Double) -> Int { Int(min(max(value, 0), 65_535).rounded()) }
}

extension QuantityRecord {
    /// The value in another unit; `nil` if the units aren't compatible, or the value is none.
    fileprivate func converted(to other: String) -> Double? {
        guard let value = UnitConversion(between: unit, and: other)?(value), value.isFinite, abs(value) < 1e9
        else { return nil }
        return value
    }
}
