import HealthFiles
import HealthJSON
import HealthModel

/// Reads the workouts that Suunto’s application writes as JSON: samples with their times, and a header with totals.
final class SuuntoReader: FileReader {
    static let format = FileFormat(
        name: "Suunto", title: "[Suunto](#suunto)", files: "the JSON files of workouts, and FIT files",
        exampleNames: ["samples.json"], sources: ["suunto."])

    func recognize(_ file: CandidateFile) -> Recognition? {
        guard file.text.first == "{", file.hasEnding(".json") || file.isAlone,
            file.text.contains("\"DeviceLog\"") || file.text.contains("suunto/sml")
        else { return nil }
        return .readsRecordings(type: "JSON") { try $1(Self.read($0.contents(of: file.file), $0)) }
    }

    /// - Throws: ``FileReadingError``.
    private static func read(_ bytes: [UInt8], _ context: ImportContext) throws -> FileContent {
        guard let clock = context.clock(of: nil), let document = json(bytes) else {
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

    private static func json(_ bytes: [UInt8]) -> JSONValue? {
        var json = JSONReader(.bytes(bytes), isLenient: true)
        return try? json.value()
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
                if let text = named?.text { named = SuuntoReader.json(Array(text.utf8)) }
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
                revision: SourceRevisionRecord(
                    source: .init(bundleIdentifier: "suunto.\(name.lowercased())", name: name)),
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

    /// Raw values of activities by the numbers of sports.
    private static let activities: [Int: UInt] = [
        2: 82, 3: 37, 4: 13, 5: 13, 6: 46, 8: 39, 10: 57, 11: 24, 12: 52, 13: 38, 14: 31, 15: 35, 16: 9, 17: 13,
        19: 82, 20: 61, 21: 67, 22: 60, 23: 50, 24: 6, 26: 25, 27: 51, 29: 42, 31: 5, 33: 48, 34: 4, 35: 47, 36: 34,
        37: 43, 38: 28, 39: 8, 51: 84, 52: 84, 62: 7, 63: 10, 64: 16, 65: 77, 66: 21, 67: 22, 68: 23, 69: 17, 70: 39,
        71: 35, 72: 31, 74: 9, 76: 36, 78: 60, 79: 62, 80: 61, 81: 49, 82: 37, 83: 46, 84: 52, 85: 40, 88: 60, 89: 31,
        90: 11, 91: 55, 93: 37, 94: 75,
    ]
    private static let indoor: Set = [17, 71, 93, 95]
}
