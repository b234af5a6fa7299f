import AppleHealthExport
import HealthModel

/// Reads the tracks of a GPX file, 1.0 or 1.1, with the extensions of Garmin, Cluetrust and Strava.
struct GPXTrackReader: TrackFileReader {
    var reading = DeviceReading()
    private var creator: String?
    private var type: String?
    private var points: [RecordedTrack.Point] = []
    private var point: RecordedTrack.Point?
    private var stretch = 0
    private var leftOut: [String: Int] = [:]

    mutating func endEarly() { endTrack() }

    mutating func begin(_ name: String, _ markup: borrowing MarkupReader) {
        switch name {
        case "gpx": creator = markup.attribute("creator")
        case "trkseg": stretch += 1
        case "trkpt":
            var point = RecordedTrack.Point(stretch: stretch)
            point.latitude = markup.attribute("lat").flatMap(TrackNumber.parse)
            point.longitude = markup.attribute("lon").flatMap(TrackNumber.parse)
            self.point = point
        case "wpt" where markup.path.count == 2: reading.content.leaveOut("waypoint")
        case "rte" where markup.path.count == 2: reading.content.leaveOut("planned route")
        default: break
        }
    }

    mutating func end(_ name: String, _ text: String, _ path: [String]) {
        switch name {
        case "trkpt":
            if let point { points.append(point) }
            point = nil
        case "trk": endTrack()
        case "type" where path.last == "trk": type = text
        // Extensions may have their own times.
        case "time" where path.last == "trkpt": point?.date = TrackDate.parse(text) ?? .nan
        case "ele" where path.last == "trkpt": point?.altitude = TrackNumber.parse(text)
        default: read(name, text)
        }
    }

    /// Reads an element inside a point, by its name alone: programs put the same ones into different places, and their
    /// namespaces have many spellings.
    private mutating func read(_ name: String, _ text: String) {
        guard var point else { return }
        let number = TrackNumber.parse(text)
        switch name.lowercased() {
        case "hr", "heartrate", "bpm": point.heartRate = number ?? point.heartRate
        case "cad", "cadence": point.cadence = number ?? point.cadence
        case "power", "powerinwatts", "watts": point.power = number ?? point.power
        case "speed": point.speed = number ?? point.speed
        case "course": point.course = number ?? point.course
        case "distance": point.distance = number ?? point.distance
        case "atemp", "wtemp", "temp", "temperature": leftOut["temperature", default: 0] += 1
        default: break
        }
        self.point = point
    }

    private mutating func endTrack() {
        defer { (points, leftOut, type) = ([], [:], nil) }
        guard !points.isEmpty else { return }
        guard points.contains(where: { $0.date.isFinite }) else {
            return reading.content.leaveOut("track without times")
        }
        var track = RecordedTrack(called: type ?? "")
        for point in points { track.append(point) }
        for (name, count) in leftOut { for _ in 0..<count { track.leaveOut(name) } }
        track.finish()
        let origin = TrackOrigin(program: creator, format: "GPX")
        let workouts = TrackWorkout.workouts([track], origin.samples, brand: nil)
        if workouts.isEmpty { reading.content.leaveOut("track of a single moment") }
        for workout in workouts { workout.add(to: &reading.content) }
    }
}
