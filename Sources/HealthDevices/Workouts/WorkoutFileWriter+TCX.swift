import HealthEngine
import HealthFormats
import HealthModel
import HealthStorageFiles

/// Training Center XML.
extension WorkoutFileWriter {
    private static let schema = "http://www.garmin.com/xmlschemas/TrainingCenterDatabase"
    private static let running: UInt = 37
    private static let cycling: Set<UInt> = [13, 74]

    mutating func beginTCX() {
        text += """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- \(ExportMarker.comment) -->
            <TrainingCenterDatabase xmlns="\(Self.schema)/v2" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xsi:schemaLocation="\(Self.schema)/v2 \(Self.schema)v2.xsd">
              <Activities>

            """
    }

    mutating func endTCX() { text += "  </Activities>\n</TrainingCenterDatabase>\n" }

    mutating func addTCX(_ track: WorkoutTrack) {
        guard !track.legs.isEmpty else { return addActivity(track) }
        text += "    <MultiSportSession>\n      <Id>"
        text.time(track.start.microseconds)
        text += "</Id>\n"
        var sport: String?
        for (index, leg) in track.legs.enumerated() {
            let next = index + 1 < track.legs.count ? track.legs[index + 1] : nil
            if sport == nil { text += "      <\(index == 0 ? "FirstSport" : "NextSport")>\n" }
            sport = sport ?? (index == 0 ? "FirstSport" : "NextSport")
            // The format has a transition before a sport only.
            if leg.isTransition, index > 0, let next, !next.isTransition {
                addLaps(of: leg, as: "Transition", before: next.start)
            } else {
                addActivity(leg, before: next?.start ?? .infinity)
                text += "      </\(sport ?? "")>\n"
                sport = nil
            }
        }
        text += "      <Notes>\(track.name(clock))</Notes>\n    </MultiSportSession>\n"
    }

    /// - Parameter next: When another sport begins, to which belongs what is measured then.
    private mutating func addActivity(_ track: WorkoutTrack, before next: Double = .infinity) {
        let activity = track.workout?.activityType ?? 0
        let sport = activity == Self.running ? "Running" : Self.cycling.contains(activity) ? "Biking" : "Other"
        text += "    <Activity Sport=\"\(sport)\">\n      <Id>"
        text.time(track.start.microseconds)
        text += "</Id>\n"
        addLaps(of: track, as: "Lap", before: next)
        text += "      <Notes>\(track.name(clock))</Notes>\n    </Activity>\n"
    }

    private mutating func addLaps(of track: WorkoutTrack, as element: String, before end: Double) {
        let laps = track.laps(element == "Lap" ? track.lapBounds() : [])
        let points = track.points().filter { $0.time < end }
        var next = 0
        for (index, lap) in laps.enumerated() {
            begin(lap, track, as: element)
            let first = next
            while next < points.count, index == laps.count - 1 || points[next].time < lap.end { next += 1 }
            add(points[first..<next], of: track, isRide: Self.cycling.contains(track.workout?.activityType ?? 0))
            text += "      </\(element)>\n"
        }
    }

    private mutating func begin(_ lap: WorkoutTrack.Lap, _ track: WorkoutTrack, as element: String) {
        text += "      <\(element) StartTime=\""
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
        let meters = track.meters()
        for point in points {
            if point.stretch != stretch {
                text += stretch == nil ? "        <Track>\n" : "        </Track>\n        <Track>\n"
                stretch = point.stretch
            }
            text += "          <Trackpoint><Time>"
            text.time(point.time)
            text += "</Time>"
            if let location = point.location {
                text += "<Position>"
                add("LatitudeDegrees", location.latitude)
                add("LongitudeDegrees", location.longitude)
                text += "</Position>"
                if let altitude = location.altitude { add("AltitudeMeters", altitude) }
            }
            if !track.distances.isEmpty { add("DistanceMeters", (meters(point.time) * 100).rounded() / 100) }
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
