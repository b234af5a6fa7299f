import HealthFiles
import HealthJSON
import HealthModel

/// A training session of Polar Flow’s export: exercises with samples and a route, in local time.
struct PolarSession {
    private let session: JSONValue
    private let clock: LocalClock

    /// - Throws: ``FileReadingError``.
    static func read(_ bytes: [UInt8], _ context: ImportContext) throws -> FileContent {
        // Polar writes `NaN` for what a sensor missed.
        guard let clock = context.clock(of: nil), let session = JSONValue(bytes, isLenient: true),
            let exercises = session["exercises"]?.elements
        else { throw FileReadingError("it isn’t a training session of Polar’s in JSON") }
        let reader = PolarSession(session: session, clock: clock)
        let tracks = exercises.compactMap { reader.track($0, isOnly: exercises.count == 1) }
        var content = FileContent()
        for _ in tracks.count..<exercises.count { content.leaveOut("exercise without a time") }
        for workout in TrackWorkout.workouts(tracks, reader.origin, brand: "Polar") { workout.add(to: &content) }
        return content
    }

    private var origin: SampleOrigin {
        let model = session["product"]?["modelName"]?.text
        let name = model.map { $0.hasPrefix("Polar") ? $0 : "Polar " + $0 } ?? "Polar"
        return SampleOrigin(
            "polar.\(name.lowercased())", name,
            device: DeviceRecord(
                name: name, manufacturer: "Polar", model: model, localIdentifier: session["deviceId"]?.text))
    }

    /// `nil` without a beginning.
    private func track(_ exercise: JSONValue, isOnly: Bool) -> RecordedTrack? {
        func figure(_ names: String...) -> JSONValue? {
            names.lazy.compactMap { exercise[$0] ?? (isOnly ? session[$0] : nil) }.first
        }
        let minutes =
            exercise[first: "timezoneOffset", "timezoneOffsetMinutes"]?.number
            ?? session[first: "timezoneOffset", "timeZoneOffset", "timezoneOffsetMinutes"]?.number
        let offset = minutes.flatMap { abs($0) <= 1_080 ? Int($0) * 60 : nil }
        func date(_ value: JSONValue?) -> Double? {
            guard let date = value?.text.flatMap({ DateText($0) }), date.precision >= .minute else { return nil }
            return (date.offset ?? offset).map { date.instant(offset: $0) } ?? clock.instant(date)
        }
        guard let start = date(figure("startTime")) else { return nil }
        var track = SportNames.track(called: exercise["sport"]?.text ?? session["name"]?.text ?? "")
        var points: [Double: RecordedTrack.Point] = [:]
        func add(_ kind: String, _ values: [(value: JSONValue?, date: Double?)]) {
            let name = kind.lowercased().filter(\.isLetter)
            guard let field = Self.fields[name] else {
                return values.forEach { _ in track.leaveOut("\(kind) of a training session") }
            }
            for (value, date) in values {
                guard let date, let number = value?.number, abs(number) < 1e9 else { continue }
                // Speeds are in kilometers per hour.
                points[date, default: .init(date: date)][keyPath: field] = number * (name == "speed" ? 1 / 3.6 : 1)
            }
        }
        // Polar's layouts have a time for each value and place, or an interval or the time since the start.
        let (samples, route) = (exercise["samples"], exercise["routes"]?["route"])
        let places = (samples?["recordedRoute"]?.elements ?? []).map { ($0, date($0["dateTime"])) }
        let begin = date(route?["startTime"])
        let way = (route?["wayPoints"]?.elements ?? []).map { place in
            (place, begin.flatMap { begin in Self.seconds(place["elapsedMillis"]).map { begin + $0 } })
        }
        for kind in ["latitude", "longitude", "altitude"] { add(kind, (places + way).map { ($0[kind], $1) }) }
        for (kind, list) in samples?.members?.entries ?? [] where kind != "recordedRoute" && kind != "samples" {
            add(kind, (list.elements ?? []).map { ($0["value"], date($0["dateTime"])) })
        }
        for list in samples?["samples"]?.elements ?? [] {
            guard let kind = list["type"]?.text, let interval = Self.seconds(list["intervalMillis"]) else { continue }
            add(kind, (list["values"]?.elements ?? []).enumerated().map { ($1, start + Double($0) * interval) })
        }
        for (_, point) in points.sorted(by: { $0.key < $1.key }) { track.append(point) }
        track.laps = [
            RecordedTrack.Lap(
                start: start,
                duration: Self.seconds(figure("durationMillis")) ?? figure("duration")?.text.flatMap(Self.duration),
                distance: figure("distance", "distanceMeters")?.number,
                calories: figure("kiloCalories", "calories")?.number,
                averageHeartRate: (exercise["heartRate"]?["avg"] ?? figure("hrAvg"))?.number,
                maximumHeartRate: (exercise["heartRate"]?["max"] ?? figure("hrMax"))?.number)
        ]
        for name in ["laps", "autoLaps"] { exercise[name]?.elements?.forEach { _ in track.leaveOut("lap") } }
        track.finish()
        return track
    }

    /// The fields of a point by the kinds of samples.
    private static let fields: [String: any WritableKeyPath<RecordedTrack.Point, Double?> & Sendable] = [
        "heartrate": \.heartRate, "speed": \.speed, "distance": \.distance, "cadence": \.cadence,
        "altitude": \.altitude, "latitude": \.latitude, "longitude": \.longitude,
    ]

    /// Milliseconds in seconds; `nil` for more than the 99 hours that a session may last.
    private static func seconds(_ milliseconds: JSONValue?) -> Double? {
        milliseconds?.number.flatMap { (0...3.6e8).contains($0) ? $0 / 1_000 : nil }
    }

    /// Reads a length of time of ISO 8601 without days, such as `PT1H2M3.5S`.
    static func duration(_ text: String) -> Double? {
        text.wholeMatch(of: /PT(?:(\d{1,3})H)?(?:(\d{1,5})M)?(?:(\d{1,6}(?:\.\d+)?)S)?/).map { match in
            zip([match.1, match.2, match.3], [3_600, 60, 1]).reduce(0) {
                $0 + ($1.0.flatMap { Double($0) } ?? 0) * $1.1
            }
        }
    }
}
