import HealthFiles
import HealthModel

/// Reads the tracks of a GPX file, 1.0 or 1.1, with the extensions of Garmin, Cluetrust and Strava.
struct GPXTrackReader: TrackFileReader {
    var reading = FileContent()
    var options = ImportOptions()
    private var creator: String?
    private var type: String?
    private var name: String?
    /// The tracks until the end of the file: heart rates may follow them, and several may be one workout.
    private var tracks: [(name: String?, track: RecordedTrack)] = []
    /// Heart rates that the file lists apart from the points, and what is known of the next one.
    private var rates: [(date: Double, rate: Double)] = []
    private var next: (date: Double?, rate: Double?) = (nil, nil)
    private var points: [RecordedTrack.Point] = []
    private var point: RecordedTrack.Point?
    private var stretch = 0
    private var leftOut: [String: Int] = [:]

    mutating func endEarly() {
        endTrack()
        endFile()
    }

    mutating func begin(_ name: String, _ markup: borrowing MarkupReader) {
        switch name {
        case "gpx": creator = markup.attribute("creator")
        case "trkseg": stretch += 1
        case "trkpt":
            var point = RecordedTrack.Point(stretch: stretch)
            point.latitude = markup.attribute("lat").flatMap(TrackNumber.parse)
            point.longitude = markup.attribute("lon").flatMap(TrackNumber.parse)
            self.point = point
        case "wpt" where markup.path.count == 2: reading.leaveOut("waypoint")
        case "rte" where markup.path.count == 2: reading.leaveOut("planned route")
        default:
            guard point == nil, markup.path.contains("extensions") else { return }
            let time = markup.attribute("time") ?? markup.attribute("timestamp")
            next.date = time.flatMap(TrackDate.parse) ?? next.date
            guard Self.heartRates.contains(name.lowercased()) else { return }
            let rate = markup.attribute("bpm") ?? markup.attribute("hr") ?? markup.attribute("value")
            addRate(rate.flatMap(TrackNumber.parse))
        }
    }

    /// By name, in lower case.
    private static let heartRates: Set = ["hr", "heartrate", "bpm"]

    /// Takes a heart rate of the list, which has a time beside it.
    private mutating func addRate(_ rate: Double?) {
        next.rate = rate ?? next.rate
        guard let date = next.date, let rate = next.rate else { return }
        rates.append((date, rate))
        next = (nil, nil)
    }

    mutating func end(_ name: String, _ text: String, _ path: [String]) {
        switch name {
        case "trkpt":
            if let point { points.append(point) }
            point = nil
        case "trk": endTrack()
        case "gpx": endFile()
        case "type" where path.last == "trk": type = text
        case "name" where path.last == "trk": self.name = text
        // Extensions may have their own times.
        case "time" where path.last == "trkpt": point?.date = TrackDate.parse(text) ?? .nan
        case "ele" where path.last == "trkpt": point?.altitude = TrackNumber.parse(text)
        default:
            if point == nil, path.contains("extensions") {
                readListed(name, text, in: path.last)
            } else {
                read(name, text)
            }
        }
    }

    /// Reads an element of a list: a time or a heart rate of an entry, or the entry itself.
    private mutating func readListed(_ name: String, _ text: String, in parent: String?) {
        let name = name.lowercased()
        let isRate = Self.heartRates.contains(name == "value" ? parent?.lowercased() ?? "" : name)
        if ["time", "date", "timestamp"].contains(name) {
            next.date = TrackDate.parse(text)
            addRate(nil)
        } else if isRate {
            if let rate = TrackNumber.parse(text) { addRate(rate) }
        } else {
            next = (nil, nil)
        }
    }

    /// Reads an element inside a point, by its name alone: programs put the same ones into different places, and their
    /// namespaces have many spellings.
    private mutating func read(_ name: String, _ text: String) {
        guard var point else { return }
        let number = TrackNumber.parse(text)
        switch name.lowercased() {
        case let name where Self.heartRates.contains(name): point.heartRate = number ?? point.heartRate
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
        defer { (points, leftOut, type, name) = ([], [:], nil, nil) }
        guard !points.isEmpty else { return }
        guard points.contains(where: { $0.date.isFinite }) || spreadTime() else {
            return reading.leaveOut(Self.timeless)
        }
        var track = RecordedTrack(called: type ?? "")
        track.takeActivity(options.activity)
        for point in points { track.append(point) }
        for (name, count) in leftOut { for _ in 0..<count { track.leaveOut(name) } }
        tracks.append((name, track))
    }

    static let timeless = "track without times"

    /// Gives the points of a track without times those of one speed from the start to the end that the person gives.
    private mutating func spreadTime() -> Bool {
        guard let time = options.trackTime, points.count > 1 else { return false }
        // Another track of the file has another time.
        options.trackTime = nil
        var meters = [0.0]
        for (from, to) in zip(points, points.dropFirst()) {
            meters.append(meters[meters.count - 1] + TrackWorkout.meters(from, to))
        }
        let length = meters[meters.count - 1]
        for place in points.indices {
            let part = length > 0 ? meters[place] / length : Double(place) / Double(points.count - 1)
            let date = time.lowerBound + (time.upperBound - time.lowerBound) * part
            points[place].date = (date * 1_000).rounded() / 1_000
        }
        return true
    }

    /// Makes the workouts. Tracks that follow each other with one name are the sports of a multisport workout.
    private mutating func endFile() {
        rates = tracks.indices.reduce(rates) { tracks[$1].track.add(heartRates: $0) }
        if !rates.isEmpty { reading.leaveOut("heart rate outside of every track", count: rates.count) }
        let origin = TrackOrigin(program: creator, format: "GPX")
        var rest = tracks[...]
        while let first = rest.first {
            var group = rest.prefix { $0.name != nil && $0.name == first.name }
            if !WorkoutBody.isMultisport(Set(group.map(\.track.activity))) { group = rest.prefix(1) }
            rest = rest.dropFirst(group.count)
            let finished = group.map { named in
                var track = named.track
                track.finish()
                return track
            }
            let workouts = TrackWorkout.workouts(finished, origin.samples, brand: nil)
            if workouts.isEmpty { reading.leaveOut("track of a single moment") }
            for workout in workouts { workout.add(to: &reading) }
        }
        (tracks, rates) = ([], [])
    }
}
