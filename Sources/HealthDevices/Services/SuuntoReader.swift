import HealthFiles
import HealthJSON
import HealthModel

/// Reads the workouts that Suunto’s application writes as JSON: samples with their times, and a header with totals.
final class SuuntoReader: FileReader {
    func recognize(_ file: CandidateFile) -> Recognition? {
        guard file.text.first == "{", file.hasEnding(".json") || file.isAlone,
            file.text.contains("\"DeviceLog\"") || file.text.contains("suunto/sml")
        else { return nil }
        return .readsRecordings(type: "JSON") { try $1(Self.read($0.contents(of: file.file), $0)) }
    }

    /// - Throws: ``FileReadingError``.
    private static func read(_ bytes: [UInt8], _ context: ImportContext) throws -> FileContent {
        guard let clock = context.clock(of: nil), let document = JSONValue(bytes, isLenient: true) else {
            throw FileReadingError("it isn’t a workout of Suunto’s in JSON")
        }
        let workout = Workout(document, clock)
        var content = FileContent()
        let tracks = [workout.track].compactMap(\.self)
        let workouts = TrackWorkout.workouts(tracks, workout.origin, brand: "Suunto")
        if workouts.isEmpty { content.leaveOut("workout without times") }
        for made in workouts { made.add(to: &content) }
        // A header by itself has the totals of what another file has in detail.
        if workout.track?.points.isEmpty ?? true { content.summaries = Set(content.objects.indices) }
        return content
    }

    /// The samples and the header of a document, wherever they are.
    private struct Workout {
        private let clock: LocalClock
        private var header: JSONValue?
        private var device: JSONValue?
        private var serial: String?
        private var samples: [(date: Double, sample: JSONValue)] = []
        private var intervals = 0

        /// The samples of the application are beside a header; those of a watch have names around each of them, also in
        /// a text with JSON, and the header is one of them, in the same list or in another one.
        init(_ document: JSONValue, _ clock: LocalClock) {
            self.clock = clock
            let log = document["DeviceLog"]
            (header, device) = (log?["Header"], log?["Device"] ?? log?["Header"]?["Device"])
            let lists = [log ?? document, document["Data"], document["Summary"]].compactMap { $0?["Samples"]?.elements }
            for entry in lists.joined() {
                var named = entry["Attributes"]
                if let text = named?.text { named = JSONValue(Array(text.utf8), isLenient: true) }
                let inner = named?["suunto/sml"]
                header = header ?? inner?["Header"]
                if inner?["R-R"] != nil { intervals += 1 }
                serial = serial ?? entry["Source"]?.text.map { $0.replacing("suunto-", with: "") }
                guard let sample = inner?["Sample"] ?? (named == nil ? entry : nil),
                    let date = date(entry["TimeISO8601"])
                else { continue }
                samples.append((date, sample))
            }
            device = device ?? header?["Device"]
        }

        private func date(_ value: JSONValue?) -> Double? {
            guard let date = value?.text.flatMap({ DateText($0) }), date.precision >= .minute else { return nil }
            return date.offset.map { date.instant(offset: $0) } ?? clock.instant(date)
        }

        var origin: SampleOrigin {
            let model = device?["Name"]?.text
            let name = model.map { $0.hasPrefix("Suunto") ? $0 : "Suunto " + $0 } ?? "Suunto"
            return SampleOrigin(
                "suunto.\(name.lowercased())", name,
                device: DeviceRecord(
                    name: name, manufacturer: "Suunto", model: model,
                    softwareVersion: device?["Info"]?["SW"]?.text,
                    localIdentifier: device?["SerialNumber"]?.text ?? serial))
        }

        /// The recording; `nil` without a time.
        var track: RecordedTrack? {
            let events = samples.sorted { $0.date < $1.date }.flatMap { entry in
                (entry.sample["Events"]?.elements ?? []).map { (date: entry.date, event: $0) }
            }
            // The header's time may have no offset, which those of samples have.
            guard let start = samples.map(\.date).min() ?? date(header?["DateTime"]) else { return nil }
            let number = header?["ActivityType"] ?? events.lazy.compactMap { $1["Activity"]?["ActivityType"] }.first
            let sport = number?.number.flatMap { Int(exactly: $0) }
            var track = RecordedTrack(
                activity: sport.flatMap { activities[$0] } ?? 3_000, isIndoor: sport.map(indoor.contains) ?? false)
            let states = events.compactMap { date, event in
                event["Pause"]?["State"]?.flag.map { (date: date, isPaused: $0) }
            }
            for (date, sample) in samples {
                let place = states.partitionPoint { $0.date <= date }
                let isPaused = place > 0 && states[place - 1].isPaused
                // The moments of pausing and resuming are points, so that the pause is as long as it was.
                let isBoundary = place > 0 && states[place - 1].date == date
                if isPaused, !isBoundary { continue }
                func figure(_ names: String..., by factor: Double = 1) -> Double? {
                    names.lazy.compactMap { sample[$0]?.number }.first.flatMap { abs($0) < 1e9 ? $0 * factor : nil }
                }
                let empty = RecordedTrack.Point(date: date, stretch: isPaused ? place - 1 : place)
                var point = empty
                let degrees = 180 / Double.pi
                (point.latitude, point.longitude) = (figure("Latitude", by: degrees), figure("Longitude", by: degrees))
                point.altitude = figure("Altitude", "GPSAltitude")
                point.heartRate = figure("HR", by: 60)?.rounded()
                point.cadence = figure("Cadence", by: 60)?.rounded()
                (point.distance, point.speed) = (figure("Distance"), figure("Speed"))
                point.power = figure("Power")
                for name in ["Depth", "Temperature"] where figure(name) != nil { track.leaveOut(name.lowercased()) }
                if point != empty || isBoundary { track.append(point) }
            }
            for _ in 0..<intervals { track.leaveOut("list of intervals between heartbeats") }
            for (_, event) in events where event["Lap"]?["Type"]?.text.map({ $0 != "Start" && $0 != "Stop" }) ?? false {
                track.leaveOut("lap")
            }
            func total(_ name: String) -> Double? {
                header?[name]?.number.flatMap { $0 > 0 && $0 < 1e9 ? $0 : nil }
            }
            let rates = header?["HR"]?.elements?.first ?? header?["HR"]
            track.laps = [
                RecordedTrack.Lap(
                    start: start, duration: total("Duration"), distance: total("Distance"),
                    calories: total("Energy").map { $0 / 4_184 },
                    averageHeartRate: rates?["Avg"]?.number.map { ($0 * 60).rounded() },
                    maximumHeartRate: rates?["Max"]?.number.map { ($0 * 60).rounded() })
            ]
            track.finish()
            return track
        }
    }

    private static let indoor: Set = [17, 71, 93, 95]
}
