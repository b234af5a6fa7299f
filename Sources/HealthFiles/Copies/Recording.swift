import HealthModel

/// The identity of the recording that a workout is made of, whichever program wrote its file: the first of its places
/// and heart rates.
///
/// Two devices never measure the same places, so a watch and a bike computer on the same ride have two recordings.
struct Recording: Sendable {
    /// How much of a recording a workout has: how many kinds of samples, then how many of them.
    struct Detail: Comparable, Sendable {
        let kinds: Int
        let count: Int

        static func < (left: Detail, right: Detail) -> Bool { (left.kinds, left.count) < (right.kinds, right.count) }
    }

    /// A place in millionths of a degree, or a heart rate.
    private struct Moment: Sendable {
        let second: Int
        let value: (Int32, Int32)
    }

    let start: Double
    let end: Double
    let detail: Detail
    /// The identity that a service has given the workout.
    let identifier: String?
    /// Whether it has nothing but totals of the whole workout.
    let isByTotals: Bool
    /// The raw value of the activity.
    private let activity: UInt
    private let places: [Moment]
    private let rates: [Moment]
    /// The distance in meters.
    private let distance: Double?
    /// Seconds without pauses.
    private let duration: Double
    private let source: SourceRecord?

    /// The number of moments that are compared.
    private static let maximumCount = 256
    private static let otherActivity: UInt = 3_000
    /// Files have at least five decimals of a degree.
    private static let tolerance: Int32 = 6

    /// - Parameter members: Members that are not in the workout's record.
    init(_ workout: ObjectRecord, _ members: [SampleSeries] = [], routes: [ObjectRecord]) {
        (start, end, source) = (workout.start, workout.end, workout.revision?.source)
        identifier = workout.metadata.text("HKExternalUUID")
        var kinds = Set(workout.members.map(\.type)).union(members.map(\.type))
        var count = members.reduce(workout.members.count) { $0 + $1.count }
        var places: [Moment] = []
        for route in routes {
            guard case .document(let document) = route.body,
                let times = document.series[RouteDocument.Column.timestamps.rawValue],
                let latitudes = document.series[RouteDocument.Column.latitudes.rawValue],
                let longitudes = document.series[RouteDocument.Column.longitudes.rawValue]
            else { continue }
            kinds.insert(route.type)
            count += times.count
            for (time, (latitude, longitude)) in zip(times, zip(latitudes, longitudes)).prefix(Self.maximumCount) {
                guard let second = Int(exactly: time.rounded()), abs(latitude) <= 90, abs(longitude) <= 180 else {
                    continue
                }
                places.append(
                    Moment(
                        second: second,
                        value: (Int32((latitude * 1e6).rounded()), Int32((longitude * 1e6).rounded()))))
            }
        }
        var hasEvents = false
        if case .workout(let body) = workout.body {
            count += body.events.count
            hasEvents = !body.events.isEmpty
            activity = body.activityType
            (distance, duration) = (body.totalDistance?.converted(to: "m"), body.duration)
        } else {
            (activity, distance, duration) = (Self.otherActivity, nil, end - start)
        }
        isByTotals =
            !hasEvents && routes.isEmpty && members.isEmpty
            && workout.members.allSatisfy { $0.start == workout.start && $0.end == workout.end }
        // What was done is as good as a kind of samples.
        detail = Detail(kinds: kinds.count + (activity == Self.otherActivity ? 0 : 1), count: count)
        self.places = Array(places.sorted { $0.second < $1.second }.prefix(Self.maximumCount))
        let heartRate = MeasuredType.code("HKQuantityTypeIdentifierHeartRate")
        let rates =
            workout.members.filter { $0.type == heartRate }.map { ($0.start, $0.value) }
            + members.filter { $0.type == heartRate }.flatMap { zip($0.starts, $0.values) }
        self.rates = rates.sorted { $0.0 < $1.0 }.prefix(Self.maximumCount).compactMap { start, value in
            guard let second = Int(exactly: start.rounded()), let rate = Int32(exactly: value.rounded())
            else { return nil }
            return Moment(second: second, value: (rate, 0))
        }
    }

    /// Whether a workout can be one of the same activity.
    func isLike(_ other: Recording) -> Bool { Self.isLike(activity, other.activity) }

    /// Whether two activities can be one, as services name it: equal ones, those with the same kind of distance, such
    /// as a walk and a hike, or any and an unknown one.
    static func isLike(_ activity: UInt, _ other: UInt) -> Bool {
        if activity == other || activity == otherActivity || other == otherActivity { return true }
        return WorkoutBody.distanceType(of: activity).map { $0 == WorkoutBody.distanceType(of: other) } ?? false
    }

    /// Whether another workout is made of the same recording.
    func isSame(as other: Recording) -> Bool {
        if let identifier, identifier == other.identifier { return true }
        let shared = min(end, other.end) - max(start, other.start)
        // One of them may be cut off.
        let beginsAlike = abs(start - other.start) <= 1
        guard shared > 0, beginsAlike || shared > 0.5 * max(end - start, other.end - other.start) else { return false }
        if places.count > 2, other.places.count > 2 {
            let (common, equal) = Self.compare(places, other.places, tolerance: Self.tolerance)
            return common > 2 && Double(equal) >= 0.8 * Double(common)
        }
        // Without places only what begins and ends together: two devices may listen to the same chest strap.
        let endsAlike = abs(start - other.start) <= 3 && abs(end - other.end) <= 3
        // A device records one workout at a time. Heart rates that a strap stored have other times in a service's file.
        if let source, source == other.source, source.bundleIdentifier.hasPrefix("fit."), beginsAlike,
            endsAlike || abs(duration - other.duration) < 0.1
        {
            return true
        }
        if rates.isEmpty, other.rates.isEmpty, let distance, let others = other.distance, distance > 0,
            identifier == nil || other.identifier == nil
        {
            // Such as a swim of a watch that doesn't measure heart rates in water.
            return (endsAlike || beginsAlike && abs(duration - other.duration) < 0.1)
                && abs(distance - others) <= max(1, distance / 1_000)
        }
        guard endsAlike || beginsAlike && source == other.source else { return false }
        let (common, equal) = Self.compare(rates, other.rates, tolerance: 0)
        return common > 9 && Double(equal) >= 0.95 * Double(common) && Set(rates.map(\.value.0)).count > 1
    }

    /// The number of seconds that both have, and of those with equal values.
    private static func compare(
        _ left: [Moment], _ right: [Moment], tolerance: Int32
    ) -> (common: Int, equal: Int) {
        var (i, j, common, equal) = (0, 0, 0, 0)
        while i < left.count, j < right.count {
            if left[i].second < right[j].second {
                i += 1
            } else if left[i].second > right[j].second {
                j += 1
            } else {
                let (a, b) = (left[i].value, right[j].value)
                common += 1
                if abs(a.0 - b.0) <= tolerance, abs(a.1 - b.1) <= tolerance { equal += 1 }
                (i, j) = (i + 1, j + 1)
            }
        }
        return (common, equal)
    }
}

extension FileContent {
    /// The recording of one of ``objects`` that is a workout.
    func recording(of place: Int) -> Recording? {
        guard case .workout = objects[place].body else { return nil }
        return Recording(
            objects[place], members.filter { $0.owner == place }.map(\.series),
            routes: parts.filter { $0.owner == place }.map(\.object))
    }

    /// Removes objects with their parts.
    mutating func remove(_ places: Set<Int>) {
        guard !places.isEmpty else { return }
        var numbers: [Int: Int] = [:]
        for place in objects.indices where !places.contains(place) { numbers[place] = numbers.count }
        objects = objects.indices.filter { !places.contains($0) }.map { objects[$0] }
        parts = parts.compactMap { part in numbers[part.owner].map { ($0, part.object) } }
        members = members.compactMap { member in numbers[member.owner].map { ($0, member.series) } }
        summaries = Set(summaries.compactMap { numbers[$0] })
    }
}

extension QuantityRecord {
    /// The value in another unit; `nil` if the units aren't compatible, or the value is none.
    package func converted(to other: String) -> Double? {
        guard let value = UnitConversion(between: unit, and: other)?(value), value.isFinite, abs(value) < 1e9
        else { return nil }
        return value
    }
}
