import HealthFiles
import HealthModel

/// Reads the activities of a Training Center XML file, with the extensions for speed, cadence and power.
struct TCXReader: TrackFileReader {
    private static let transition: UInt = 83

    private struct Creator {
        var name: String?
        var product: String?
        var serial: String?
        var version: [String?] = [nil, nil]
    }

    var reading = FileContent()
    var options = ImportOptions()
    /// The activities of the workout that is being read.
    private var tracks: [RecordedTrack] = []
    private var isMultisport = false
    private var track: RecordedTrack?
    private var lap = RecordedTrack.Lap()
    private var point = RecordedTrack.Point()
    private var stretch = 0
    private var hasPoints = false
    private var creator = Creator()

    mutating func endEarly() {
        if lap.start != nil { endLap() }
        endTrack()
        endWorkout()
    }

    mutating func begin(_ name: String, _ markup: borrowing MarkupReader) {
        guard markup.path.count > 2, markup.path[1] == "Activities" else {
            switch name {
            case "Course": reading.leaveOut("course")
            case "Workout": reading.leaveOut("workout plan")
            default: break
            }
            return
        }
        switch name {
        case "MultiSportSession": isMultisport = true
        case "Activity": track = RecordedTrack(called: markup.attribute("Sport") ?? "")
        case "Transition":
            track = RecordedTrack(activity: Self.transition)
            beginLap(markup)
        case "Lap": beginLap(markup)
        case "Track":
            // Another track in a lap begins after a pause.
            if hasPoints { stretch += 1 }
        case "Trackpoint":
            point = .init(stretch: stretch)
        default: break
        }
    }

    private mutating func beginLap(_ markup: borrowing MarkupReader) {
        lap = .init(start: markup.attribute("StartTime").flatMap(TrackDate.parse))
        hasPoints = false
    }

    mutating func end(_ name: String, _ text: String, _ path: [String]) {
        guard path.count > 1, path[1] == "Activities" else { return }
        let (parent, number) = (path.last ?? "", TrackNumber.parse(text))
        switch (name, parent) {
        case ("Time", "Trackpoint"): point.date = TrackDate.parse(text) ?? .nan
        case ("LatitudeDegrees", _): point.latitude = number
        case ("LongitudeDegrees", _): point.longitude = number
        case ("AltitudeMeters", _): point.altitude = number
        case ("DistanceMeters", "Trackpoint"): point.distance = number
        case ("Value", "HeartRateBpm"): point.heartRate = number
        case ("Value", "AverageHeartRateBpm"): lap.averageHeartRate = number
        case ("Value", "MaximumHeartRateBpm"): lap.maximumHeartRate = number
        case ("Cadence", "Trackpoint"): point.cadence = number
        case ("Watts", "TPX"): point.power = number
        case ("Speed", "TPX"): point.speed = number
        case ("RunCadence", "TPX"): point.cadence = number
        case ("Trackpoint", _):
            track?.append(point)
            hasPoints = hasPoints || point.date.isFinite
        case ("TotalTimeSeconds", _): lap.duration = number
        case ("DistanceMeters", _): lap.distance = number
        case ("Calories", _): lap.calories = number
        case ("Steps", "LX"): track?.leaveOut("steps of a lap")
        case ("Lap", _): endLap()
        case ("Transition", _):
            endLap()
            endTrack()
        case ("Notes", "Activity"): track?.read(name: text)
        case ("Name", "Creator"): creator.name = text
        case ("UnitId", _): creator.serial = text
        case ("ProductID", _): creator.product = text
        case ("VersionMajor", "Version") where path.contains("Creator"): creator.version[0] = text
        case ("VersionMinor", "Version") where path.contains("Creator"): creator.version[1] = text
        case ("Activity", _):
            endTrack()
            if !isMultisport { endWorkout() }
        case ("MultiSportSession", _): endWorkout()
        default: break
        }
    }

    private mutating func endLap() {
        track?.laps.append(lap)
        lap = .init()
    }

    private mutating func endTrack() {
        track?.takeActivity(options.activity)
        track?.finish()
        if let track { tracks.append(track) }
        track = nil
    }

    private mutating func endWorkout() {
        defer { (tracks, isMultisport, creator) = ([], false, Creator()) }
        guard !tracks.isEmpty else { return }
        let version = creator.version.compactMap(\.self).joined(separator: ".")
        let origin =
            creator.name.flatMap { $0.isEmpty ? nil : $0 }.map {
                TrackOrigin(
                    device: $0, product: creator.product, serial: creator.serial,
                    version: version.isEmpty ? nil : version)
            } ?? TrackOrigin(program: nil, format: "TCX")
        let workouts = TrackWorkout.workouts(tracks, origin.samples, brand: origin.brand)
        if workouts.isEmpty { reading.leaveOut("track without times") }
        for workout in workouts { workout.add(to: &reading) }
    }
}
