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

    init(_ format: WorkoutFileFormat, clock: LocalClock) {
        (self.format, self.clock) = (format, clock)
    }

    mutating func begin() {
        switch format {
        case .gpx:
            text.beginGPX(
                creator: "OpenHealthKit", comment: ExportMark.comment,
                schemas: [
                    (
                        "gpxtpx", Self.garmin + "TrackPointExtension/v1",
                        "http://www.garmin.com/xmlschemas/TrackPointExtensionv1.xsd"
                    ),
                    ("gpxpx", Self.garmin + "PowerExtension/v1", Self.garmin + "PowerExtensionv1.xsd"),
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

    private mutating func addGPX(_ track: WorkoutTrack) {
        text.beginTrack(name: track.name(clock), type: track.activity)
        for segment in track.segments {
            text.beginSegment()
            for location in segment.locations {
                text += "      <trkpt lat=\""
                text.decimal(location.latitude)
                text += "\" lon=\""
                text.decimal(location.longitude)
                text += "\">"
                if let altitude = location.altitude {
                    text += "<ele>"
                    text.decimal(altitude)
                    text += "</ele>"
                }
                text += "<time>"
                text.time(location.time)
                text += "</time>"
                addExtensions(
                    heartRate: track.heartRate(at: location.time, since: segment.first),
                    cadence: track.cadence(at: location.time, since: segment.first),
                    power: track.power(at: location.time, since: segment.first))
                text += "</trkpt>\n"
            }
            text.endSegment()
        }
        text.endTrack()
    }

    /// Power as Strava's readers and Garmin's expect it. Strava's element has no schema, and the schema of GPX allows no
    /// other element of its own namespace.
    private mutating func addExtensions(heartRate: Int?, cadence: Int?, power: Int?) {
        guard heartRate != nil || cadence != nil || power != nil else { return }
        text += "<extensions>"
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
