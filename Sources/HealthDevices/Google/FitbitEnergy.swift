import Foundation
import HealthFiles
import HealthModel

/// Divides the energy that Fitbit writes for each minute into that at rest and that of activity.
///
/// HealthKit has no type for both together. At rest, Fitbit writes the same number for every minute of a day, which is the
/// least that a minute has.
struct FitbitEnergy {
    private(set) var basal = SampleSeries(.basalEnergy, GoogleOrigin.fitbit)
    private(set) var active = SampleSeries(.activeEnergy, GoogleOrigin.fitbit)
    private let clock: LocalClock
    /// Whether times are local: these lists begin with the first minute of a day. `nil` before the first one.
    private var isLocal: Bool?
    private var day = Int.min
    private var minutes: [(start: Double, energy: Double, isWanted: Bool)] = []

    init(timeZone: TimeZone) {
        clock = LocalClock(timeZone: timeZone)
    }

    /// - Parameter isWanted: Whether to add the energy of activity of the minute that begins at an instant; `nil` if another
    ///   file has that minute.
    mutating func append(_ energy: Double, _ second: Int, _ isWanted: (Double) -> Bool?) {
        if isLocal == nil { isLocal = second % 86_400 == 0 }
        let number = CivilDate.split(second).day
        if number != day {
            endDay()
            day = number
        }
        guard energy > 0 else { return }
        let start = Double(isLocal == true ? clock.instant(ofWallSecond: second) : second)
        guard let isWanted = isWanted(start) else { return }
        minutes.append((start, energy, isWanted))
    }

    /// Adds the samples of the day that was appended last.
    mutating func endDay() {
        defer { minutes.removeAll(keepingCapacity: true) }
        guard let rest = minutes.lazy.map(\.energy).min() else { return }
        // One sample for the minutes of an hour that follow each other.
        var (start, end) = (minutes[0].start, minutes[0].start)
        func endHour() {
            guard end > start else { return }
            basal.append(Self.rounded(rest * (end - start) / 60), start, end)
        }
        for minute in minutes {
            if minute.start != end || Coverage.hour(minute.start) != Coverage.hour(start) {
                endHour()
                start = minute.start
            }
            end = minute.start + 60
            let more = Self.rounded(minute.energy - rest)
            if more > 0, minute.isWanted { active.append(more, minute.start, end) }
        }
        endHour()
    }

    /// Differences of what was stored with less precision have digits without a meaning.
    private static func rounded(_ energy: Double) -> Double { (energy * 10_000).rounded() / 10_000 }
}
