import HealthFormats
import HealthModel
import HealthStorageFiles

/// Writes a file of workouts: its beginning, the workouts one by one, and its end.
struct WorkoutFileWriter {
    let format: WorkoutFileFormat
    /// The clock of names.
    let clock: LocalClock
    var text = RouteText()

    private static let garmin = "http://www.garmin.com/xmlschemas/"
    private static let cluetrust = "http://www.cluetrust.com/"

    init(_ format: WorkoutFileFormat, clock: LocalClock) {
        (self.format, self.clock) = (format, clock)
    }

    mutating func begin() {
        switch format {
        case .gpx:
            text.beginGPX(
                creator: "OpenHealthKit", comment: ExportMarker.comment,
                schemas: [
                    (
                        "gpxtpx", Self.garmin + "TrackPointExtension/v1",
                        "http://www.garmin.com/xmlschemas/TrackPointExtensionv1.xsd"
                    ),
                    ("gpxpx", Self.garmin + "PowerExtension/v1", Self.garmin + "PowerExtensionv1.xsd"),
                    ("gpxdata", Self.cluetrust + "XML/GPXDATA/1/0", Self.cluetrust + "Schemas/gpxdata10.xsd"),
                ], time: nil)
        case .tcx: beginTCX()
        // A container has a complete file for each workout, in sequence.
        case .fit: break
        }
    }

    mutating func add(_ track: WorkoutTrack) {
        switch format {
        case .gpx: addGPX(track)
        case .tcx: addTCX(track)
        case .fit: text += FITActivityWriter.file(of: track, clock: clock)
        }
    }

    mutating func end() {
        switch format {
        case .gpx: text.endGPX()
        case .tcx: endTCX()
        case .fit: break
        }
    }

    /// Adds an element with a number.
    mutating func add(_ element: String, _ number: Double) {
        text += "<\(element)>"
        text.decimal(number)
        text += "</\(element)>"
    }

    /// Adds a track, or one for each sport of a multisport workout, by whose name a reader puts them together.
    private mutating func addGPX(_ track: WorkoutTrack) {
        let legs = track.legs.filter { !$0.segments.isEmpty }
        let parts = legs.isEmpty ? [track] : legs
        for (index, part) in parts.enumerated() {
            text.beginTrack(name: track.name(clock), type: part.activity)
            let (next, meters) = (index + 1 < parts.count ? parts[index + 1].start : .infinity, part.meters())
            let last = part.segments.last?.locations.last { $0.time < next }?.time
            for (number, segment) in part.segments.enumerated() {
                text.beginSegment()
                for (place, location) in segment.locations.enumerated() where location.time < next {
                    // A reader counts from the first point to the last.
                    let isEnd = location.time == last ? part.end : nil
                    let distance =
                        part.distances.isEmpty
                        ? nil : number == 0 && place == 0 ? 0 : meters(isEnd ?? location.time)
                    add(location, of: part, since: segment.first, distance)
                }
                text.endSegment()
            }
            text.endTrack()
        }
    }

    private mutating func add(
        _ location: WorkoutTrack.Location, of track: WorkoutTrack, since first: Double, _ meters: Double?
    ) {
        text += "      <trkpt lat=\""
        text.decimal(location.latitude)
        text += "\" lon=\""
        text.decimal(location.longitude)
        text += "\">"
        if let altitude = location.altitude { add("ele", altitude) }
        text += "<time>"
        text.time(location.time)
        text += "</time>"
        addExtensions(
            heartRate: track.heartRate(at: location.time, since: first),
            cadence: track.cadence(at: location.time, since: first),
            power: track.power(at: location.time, since: first),
            meters: meters)
        text += "</trkpt>\n"
    }

    /// Power as Strava's readers and Garmin's expect it. Strava's element has no schema, and the schema of GPX allows no
    /// other element of its own namespace.
    private mutating func addExtensions(heartRate: Int?, cadence: Int?, power: Int?, meters: Double?) {
        guard heartRate != nil || cadence != nil || power != nil || meters != nil else { return }
        text += "<extensions>"
        if let meters { add("gpxdata:distance", (meters * 100).rounded() / 100) }
        if let power {
            text += "<power xmlns=\"https://openhealthkit.org/gpx\">\(power)</power>"
            text += "<gpxpx:PowerInWatts>\(power)</gpxpx:PowerInWatts>"
        }
        if heartRate != nil || cadence != nil {
            text += "<gpxtpx:TrackPointExtension>"
            if let heartRate { text += "<gpxtpx:hr>\(heartRate)</gpxtpx:hr>" }
            if let cadence { text += "<gpxtpx:cad>\(cadence)</gpxtpx:cad>" }
            text += "</gpxtpx:TrackPointExtension>"
        }
        text += "</extensions>"
    }
}

/// The formats for programs that people train with.
package enum WorkoutFileFormat: String, CaseIterable, Sendable {
    /// GPX 1.1 with Garmin’s extensions for heart rate, cadence and power. It has routes only.
    case gpx
    /// Garmin’s Training Center XML, version 2. It has workouts without a route, too.
    case tcx
    /// Garmin’s FIT, with everything that TCX has, speed, pauses and the sports of a multisport workout.
    case fit

    /// The media type.
    package var media: String {
        switch self {
        case .gpx: "application/gpx+xml"
        case .tcx: "application/vnd.garmin.tcx+xml"
        case .fit: "application/vnd.ant.fit"
        }
    }
}
