public import Foundation

/// The averages of several nights.
public struct SleepAverages: Hashable, Sendable {
    /// The number of nights with a known time asleep.
    public let nights: Int
    /// Average seconds asleep in the main sleep; here and below, `nil` if no night has the figure.
    public let timeAsleep: TimeInterval?
    /// The standard deviation of the seconds asleep; `nil` with fewer than two nights.
    public let timeAsleepDeviation: TimeInterval?
    /// Average seconds in bed.
    public let timeInBed: TimeInterval?
    /// Average efficiency, from 0 to 1.
    public let efficiency: Double?
    /// Average seconds until the first sleep.
    public let latency: TimeInterval?
    /// Average seconds awake between the first and the last sleep.
    public let wakeAfterSleepOnset: TimeInterval?
    /// Average seconds in each stage, over the nights with stages.
    public let stages: [SleepStage: TimeInterval]
    /// Average time of the start, which is going to bed if that was recorded, in seconds after midnight in the time
    /// zone of each night, below 86,400.
    public let startTime: TimeInterval?
    /// Average time of the end, in seconds after midnight.
    public let endTime: TimeInterval?
    /// Average time of falling asleep, in seconds after midnight.
    public let asleepTime: TimeInterval?
    /// Average time of the last waking, in seconds after midnight.
    public let wakeTime: TimeInterval?

    /// Calculates the averages. Nights without a main sleep don't count.
    public init(_ nights: [SleepNight]) {
        let periods = nights.compactMap(\.main)
        let asleep = periods.compactMap(\.timeAsleep)
        self.nights = asleep.count
        timeAsleep = asleep.mean
        timeAsleepDeviation = Dispersion.deviation(asleep)
        timeInBed = periods.map(\.timeInBed).mean
        efficiency = periods.compactMap(\.efficiency).mean
        latency = periods.compactMap(\.latency).mean
        wakeAfterSleepOnset = periods.compactMap(\.wakeAfterSleepOnset).mean
        let staged = periods.filter(\.hasStages)
        var stages: [SleepStage: TimeInterval] = [:]
        for stage in SleepStage.allCases { stages[stage] = staged.map { $0.duration(of: stage) }.mean }
        self.stages = stages
        startTime = Self.timeOfDay(periods.map { ($0.start, $0.timeZone) })
        endTime = Self.timeOfDay(periods.map { ($0.end, $0.timeZone) })
        asleepTime = Self.timeOfDay(periods.compactMap { period in period.asleepStart.map { ($0, period.timeZone) } })
        wakeTime = Self.timeOfDay(periods.compactMap { period in period.asleepEnd.map { ($0, period.timeZone) } })
    }

    /// The mean direction of times on a clock face, so that the average of 23:00 and 1:00 is midnight. `nil` if the
    /// times cancel each other out.
    private static func timeOfDay(_ dates: [(date: Date, zone: TimeZone)]) -> TimeInterval? {
        var (sine, cosine) = (0.0, 0.0)
        for (date, zone) in dates {
            let wall = date.timeIntervalSinceReferenceDate + Double(zone.secondsFromGMT(for: date))
            let angle = wall.remainder(dividingBy: 86_400) / 86_400 * 2 * Double.pi
            sine += sin(angle)
            cosine += cos(angle)
        }
        guard !dates.isEmpty, (sine * sine + cosine * cosine).squareRoot() > 1e-6 * Double(dates.count) else {
            return nil
        }
        let seconds = (atan2(sine, cosine) / (2 * Double.pi) * 86_400).rounded()
        return seconds < 0 ? seconds + 86_400 : seconds
    }
}
