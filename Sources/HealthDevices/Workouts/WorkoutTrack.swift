import HealthEngine
import HealthModel

/// A workout, or a route without one, as other programs have it: locations and measurements in stretches of time between
/// the pauses.
struct WorkoutTrack {
    /// A location of a route.
    struct Location {
        var time: Double
        var latitude: Double
        var longitude: Double
        /// Meters; `nil` if unknown.
        var altitude: Double?
        /// Meters per second; `nil` if unknown.
        var speed: Double?
        /// The horizontal accuracy in meters; `nil` if unknown.
        var accuracy: Double?
    }

    /// The locations of one route between two pauses.
    struct Segment {
        /// The end of the pause before.
        var first: Double
        var locations: [Location]
    }

    let start: Double
    let end: Double
    /// The workout; `nil` for a route without one.
    let workout: WorkoutBody?
    /// The source that recorded the workout, and its metadata.
    var revision: SourceRevisionRecord?
    var device: DeviceRecord?
    var metadata = Metadata.empty
    /// The activities of a multisport workout, each with its own measurements; empty for another.
    var legs: [WorkoutTrack] = []
    private let pauses: [ClosedRange<Double>]
    private(set) var segments: [Segment] = []
    /// The locations that are left out because they are in a pause, or invalid.
    private(set) var leftOut = 0
    /// Beats per minute.
    var heartRates = PiecewiseConstantSeries()
    /// Revolutions of the crank or, of runners and walkers, of one foot in a minute.
    var cadences = PiecewiseConstantSeries()
    /// Watts.
    var powers = PiecewiseConstantSeries()
    /// Meters.
    var distances = PiecewiseConstantSeries()
    /// Meters per second.
    var speeds = PiecewiseConstantSeries()
    /// Strokes of a swim.
    var strokes = PiecewiseConstantSeries()
    /// Measurements of runners, by the field of a FIT file’s record, in its unit.
    var dynamics: [UInt8: PiecewiseConstantSeries] = [:]

    init(start: Double, end: Double, workout: WorkoutBody?) {
        (self.start, self.end, self.workout) = (start, end, workout)
        pauses = workout?.pauses(until: end) ?? []
    }

    /// Adds the locations of a route.
    ///
    /// - Parameter isPart: Whether only those in the track’s own time belong to it.
    mutating func add(_ route: DocumentBody, isPart: Bool = false) {
        func column(_ name: RouteDocument.Column) -> [Double] { route.series[name.rawValue] ?? [] }
        let (times, latitudes, longitudes) = (column(.timestamps), column(.latitudes), column(.longitudes))
        guard times.count == latitudes.count, times.count == longitudes.count else { return }
        let altitudes = column(.altitudes)
        let (horizontal, vertical) = (column(.horizontalAccuracies), column(.verticalAccuracies))
        // A negative accuracy is that of an invalid location, unless none is known, as in files of other programs.
        let (checksPlace, checksAltitude) = (horizontal.contains { $0 >= 0 }, vertical.contains { $0 >= 0 })
        let (speeds, isInTime) = (column(.speeds), { [start, end] (time: Double) in time >= start && time <= end })
        let hasAltitudes = altitudes.count == times.count && (checksAltitude || altitudes.contains { $0 != 0 })
        var last = -1
        for row in times.indices where !isPart || isInTime(times[row]) {
            let index = stretch(of: times[row])
            guard let index, times[row].isFinite, abs(latitudes[row]) <= 90, abs(longitudes[row]) <= 180,
                !checksPlace || row < horizontal.count && horizontal[row] >= 0
            else {
                leftOut += 1
                continue
            }
            let isKnown = hasAltitudes && (!checksAltitude || row < vertical.count && vertical[row] >= 0)
            let location = Location(
                time: times[row].microseconds, latitude: latitudes[row], longitude: longitudes[row],
                altitude: isKnown && abs(altitudes[row]) < 1e6 ? altitudes[row] : nil,
                speed: row < speeds.count && (0..<1_000).contains(speeds[row]) ? speeds[row] : nil,
                accuracy: row < horizontal.count && horizontal[row] > 0 ? horizontal[row] : nil)
            if index == last {
                segments[segments.count - 1].locations.append(location)
            } else {
                segments.append(Segment(first: resumption(before: index), locations: [location]))
                last = index
            }
        }
    }

    /// The number of pauses before an instant; `nil` within one.
    func stretch(of instant: Double) -> Int? {
        let index = pauses.firstIndex { $0.upperBound > instant } ?? pauses.count
        return index < pauses.count && pauses[index].lowerBound < instant ? nil : index
    }

    /// The end of the pause before a stretch.
    func resumption(before stretch: Int) -> Double { stretch > 0 ? pauses[stretch - 1].upperBound : -.infinity }

    /// The seconds between two instants without pauses.
    func duration(from first: Double, to last: Double) -> Double {
        pauses.reduce(last - first) { $0 - max(0, min($1.upperBound, last) - max($1.lowerBound, first)) }
    }

    /// The heart rate at an instant in whole beats per minute.
    func heartRate(at instant: Double, since first: Double) -> Int? {
        heartRates.value(at: instant, since: first)?.whole(in: 1...255)
    }

    /// The cadence at an instant.
    func cadence(at instant: Double, since first: Double) -> Int? {
        cadences.value(at: instant, since: first)?.whole(in: 0...254)
    }

    /// The power at an instant in whole watts.
    func power(at instant: Double, since first: Double) -> Int? {
        powers.value(at: instant, since: first)?.whole(in: 0...65_535)
    }
}

extension WorkoutTrack {
    /// The name of the activity, such as `running`.
    var activity: String? { workout.flatMap { ValueNames.activity($0.activityType) } }

    /// Whether it is what is between two sports.
    var isTransition: Bool { workout?.activityType == WorkoutBody.transition }

    /// The activity in words, such as `Running`.
    var words: String {
        let words = (activity ?? (workout == nil ? "route" : "workout")).reduce(into: "") { text, letter in
            text += letter.isUppercase ? " \(letter.lowercased())" : "\(letter)"
        }
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// A name for people: the activity, and the local time of the start.
    func name(_ clock: LocalClock) -> String {
        words + " " + clock.text(start).prefix(16).replacing("T", with: " ")
    }

    /// The name of a file, without an ending: the local time of the start, and the activity.
    func fileName(_ clock: LocalClock) -> String {
        clock.text(start).prefix(19).replacing("T", with: "_").replacing(":", with: "-") + "_"
            + (activity ?? (workout == nil ? "route" : "workout"))
    }
}

extension Double {
    /// The instant in whole microseconds: what is beyond is a rounding error, and other programs can't read it.
    var microseconds: Double { abs(self) < 9e9 ? (self * 1e6).rounded() / 1e6 : self }

    /// The nearest whole number, if it is within a range.
    fileprivate func whole(in range: ClosedRange<Int>) -> Int? {
        guard abs(self) < 1e6 else { return nil }
        let whole = Int(rounded())
        return range.contains(whole) ? whole : nil
    }
}
