import HealthFormats
import HealthModel

/// One activity of a TCX or GPX file.
struct RecordedTrack: Sendable {
    /// The measurements at a moment.
    struct Point: Hashable, Sendable {
        /// Seconds since 2001-01-01 00:00:00 UTC; NaN for a point without a time.
        var date = Double.nan
        var latitude: Double?
        var longitude: Double?
        var altitude: Double?
        /// The distance since the beginning, in meters.
        var distance: Double?
        var heartRate: Double?
        var cadence: Double?
        /// In meters per second.
        var speed: Double?
        var course: Double?
        var power: Double?
        /// The number of the stretch without a pause to which the point belongs.
        var stretch = 0

        /// The place, if the point has a valid one. Programs write zeros for none, as of an indoor bike.
        var place: (latitude: Double, longitude: Double)? {
            guard let latitude, let longitude, abs(latitude) <= 90, abs(longitude) <= 180,
                latitude != 0 || longitude != 0
            else { return nil }
            return (latitude, longitude)
        }

        /// Takes what this point lacks from another one of the same moment. Returns whether the two agree; a point that
        /// doesn't is left alone.
        mutating func merge(_ other: Point) -> Bool {
            let fields = [\Point.altitude, \.distance, \.heartRate, \.cadence, \.speed, \.course, \.power]
            guard date == other.date,
                (fields + [\.latitude, \.longitude]).allSatisfy({ field in
                    self[keyPath: field] == nil || other[keyPath: field] == nil
                        || self[keyPath: field] == other[keyPath: field]
                })
            else { return false }
            if place == nil { (latitude, longitude) = (other.latitude, other.longitude) }
            for field in fields where self[keyPath: field] == nil { self[keyPath: field] = other[keyPath: field] }
            return true
        }
    }

    struct Lap: Sendable {
        var start: Double?
        /// Seconds without pauses.
        var duration: Double?
        var distance: Double?
        var calories: Double?
        var averageHeartRate: Double?
        var maximumHeartRate: Double?
    }

    var activity: UInt
    var isIndoor = false
    /// In order of time, after ``finish()``.
    private(set) var points: [Point] = []
    var laps: [Lap] = []
    /// The counts of elements that were left out, by name.
    private(set) var leftOut: [String: Int] = [:]

    init(activity: UInt, isIndoor: Bool = false) {
        (self.activity, self.isIndoor) = (activity, isIndoor)
    }

    mutating func leaveOut(_ what: String) { leftOut[what, default: 0] += 1 }

    mutating func append(_ point: Point) {
        if point.date.isFinite { points.append(point) } else { leaveOut("point without a time") }
    }

    /// Adds the heart rates of its time that a file lists apart from the points, unless the points have some. Returns the
    /// others.
    mutating func add(heartRates: [(date: Double, rate: Double)]) -> [(date: Double, rate: Double)] {
        let margin = 60.0
        let dates = points.map(\.date).sorted()
        guard !heartRates.isEmpty, let first = dates.first, let last = dates.last,
            !points.contains(where: { $0.heartRate ?? 0 > 0 })
        else { return heartRates }
        let range = first - margin...last + margin
        let stretches = points.sorted { $0.date < $1.date }.map(\.stretch)
        for (date, rate) in heartRates where range.contains(date) {
            let place = max(0, dates.partitionPoint { $0 <= date } - 1)
            var point = Point(date: date, stretch: stretches[place])
            point.heartRate = rate
            points.append(point)
        }
        return heartRates.filter { !range.contains($0.date) }
    }

    /// Puts the points in order. Those of the same moment become one unless they differ: many files repeat the last
    /// point of a lap as the first one of the next, and some round their times.
    mutating func finish() {
        leaveOutFarDates()
        if !zip(points, points.dropFirst()).allSatisfy({ $0.date <= $1.date }) {
            if Self.way(Self.ordered(points)) > Self.way(points) * 1.01 { leaveOutLatePlaces() }
            points = Self.ordered(points)
        }
        if zip(points, points.dropFirst()).contains(where: { $0.date == $1.date }) {
            points = points.reduce(into: []) { merged, point in
                if merged.isEmpty || !merged[merged.count - 1].merge(point) { merged.append(point) }
            }
        }
        separateLaps()
    }

    /// Leaves out points whose dates are years from those of most others: of a clock that had not been set yet.
    private mutating func leaveOutFarDates() {
        let year = 365.0 * 86_400
        var first = 0
        var longest = 0..<0
        for index in points.indices {
            if index > 0, abs(points[index].date - points[index - 1].date) > year { first = index }
            if index + 1 - first > longest.count { longest = first..<(index + 1) }
        }
        guard longest.count < points.count else { return }
        let date = points[longest.lowerBound].date
        let count = points.count
        points.removeAll { abs($0.date - date) > year }
        for _ in points.count..<count { leaveOut("point with a date of another year") }
    }

    private static func ordered(_ points: [Point]) -> [Point] {
        points.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }.map(\.element)
    }

    /// The distance between places in their order, without the gaps of pauses.
    private static func way(_ points: [Point]) -> Double {
        let located = points.filter { $0.place != nil }
        return zip(located, located.dropFirst()).reduce(0) { way, pair in
            pair.0.stretch == pair.1.stretch ? way + TrackWorkout.meters(pair.0, pair.1) : way
        }
    }

    /// Takes the place from points that are earlier than the place before them. Some programs write a measurement with
    /// its own time beside a place that was reached later; in the order of time, the way would go back and forth.
    private mutating func leaveOutLatePlaces() {
        var latest = -Double.infinity
        for index in points.indices where points[index].place != nil {
            if points[index].date < latest {
                (points[index].latitude, points[index].longitude) = (nil, nil)
                leaveOut("place that is out of order")
            } else {
                latest = points[index].date
            }
        }
    }

    /// Finds pauses between two laps: a gap between points that the time of the lap without pauses leaves out.
    private mutating func separateLaps() {
        let shortest = 10.0
        var (place, added) = (0, 0)
        for (lap, next) in zip(laps, laps.dropFirst()) {
            guard let start = lap.start, let duration = lap.duration, let end = next.start else { continue }
            var paused = 0.0
            while place < points.count, points[place].date < end {
                points[place].stretch += added
                if place > 0, points[place - 1].date >= start, points[place - 1].stretch != points[place].stretch {
                    paused += points[place].date - points[place - 1].date
                }
                place += 1
            }
            guard place > 0, place < points.count, points[place].stretch + added == points[place - 1].stretch,
                points[place].date - points[place - 1].date > shortest, end - start - duration - paused > 1
            else { continue }
            added += 1
        }
        if added > 0 { for place in place..<points.count { points[place].stretch += added } }
    }

    // MARK: - Words

    /// An activity by what programs call it, such as `Biking`, `trail_running` or a number of Strava's.
    init(called text: String) {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let places: Set = ["indoor", "treadmill", "virtual", "virtualride", "virtualrow", "virtualrun"]
        isIndoor = !places.isDisjoint(with: words)
        activity = Self.activity(words)
    }

    /// Takes the activity from the name that an export gives a workout, such as `Hiking 2024-05-01 12:00`, if the sport
    /// is another one: TCX has running and biking only.
    mutating func read(name: String) {
        let words = name.split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        guard activity == Self.other, words.count > 2, words.suffix(2).allSatisfy({ $0.contains(where: \.isNumber) }),
            let named = WorkoutActivityNames.rawValue(of: "HKWorkoutActivityType" + words.dropLast(2).joined())
        else { return }
        activity = named
    }

    /// Takes the activity that the person gives, if the file doesn't say one.
    mutating func takeActivity(_ given: UInt?) {
        if activity == Self.other { activity = given ?? activity }
    }

    static let other: UInt = 3_000

    private static func activity(_ words: [String]) -> UInt {
        // Garmin's names of winter sports, and newer ones of others, have an ending.
        let words = words.filter { $0 != "ws" && $0 != "v2" }
        guard let last = words.last else { return 3_000 }
        if words.allSatisfy({ $0.allSatisfy(\.isNumber) }) { return strava[words.joined()] ?? 3_000 }
        let isNordic = !Set(words).isDisjoint(with: ["cross", "nordic", "backcountry", "classic", "skate"])
        if last.hasPrefix("ski"), isNordic { return 60 }
        for name in [words.joined(), last, words[0]] {
            // A word such as training is part of many names.
            let found = ValueNames.activities(called: name)
            if let known = habits[name] ?? (found.count == 1 ? found[0] : nil) { return known }
        }
        return 3_000
    }
}

/// The dates of TCX and GPX files.
enum TrackDate {
    /// A date as XML Schema defines it, in seconds since 2001-01-01 00:00:00 UTC. One without a time zone is in UTC, as
    /// both formats want it.
    static func parse(_ text: String) -> Double? {
        guard let date = DateText(text), date.precision >= .second else { return nil }
        return date.instant(offset: date.offset ?? 0)
    }
}

/// The numbers of TCX and GPX files.
enum TrackNumber {
    /// A number; `nil` for text that isn't one and for one that no device measures.
    static func parse(_ text: String) -> Double? {
        Double(text.filter { !$0.isWhitespace }).flatMap { abs($0) < 1e9 ? $0 : nil }
    }
}
