import Foundation
import HealthJSON
import HealthModel

/// The stages of a night, in which Fitbit lists short awakenings apart from the stages that they interrupt.
struct FitbitNight {
    struct Stage: Hashable {
        var start: Double
        var end: Double
        let value: SleepValue
    }

    private let start: Double
    private let end: Double
    private var list: [Stage] = []
    private var awakenings: [Stage] = []

    init(start: Double, end: Double) {
        (self.start, self.end) = (start, end)
    }

    /// Adds a stage. Returns whether it is one.
    mutating func add(_ level: JSONValue, _ instants: LocalClock) -> Bool {
        guard let stage = stage(level, instants, after: list.last?.end) else { return false }
        list.append(stage)
        return true
    }

    /// Adds a stage that interrupts others.
    mutating func interrupt(_ level: JSONValue, _ instants: LocalClock) -> Bool {
        guard let stage = stage(level, instants) else { return false }
        awakenings.append(stage)
        return true
    }

    /// - Parameter previous: The end of the stage before.
    private func stage(_ level: JSONValue, _ instants: LocalClock, after previous: Double? = nil) -> Stage? {
        guard var date = level["dateTime"]?.text.flatMap(instants.instant), let seconds = level["seconds"]?.number,
            seconds > 0, let value = level["level"]?.text.flatMap(SleepValue.init(called:))
        else { return nil }
        date = instants.occurrence(of: date, after: previous)
        let stage = Stage(start: max(date, start), end: min(date + seconds, end), value: value)
        return stage.end > stage.start ? stage : nil
    }

    /// The stages in order of time, none of which overlap.
    var stages: [Stage] {
        var result: [Stage] = []
        let awakenings = Self.disjoint(awakenings)
        for stage in Self.disjoint(list) {
            var start = stage.start
            for awakening in awakenings where awakening.end > start && awakening.start < stage.end {
                if awakening.start > start {
                    result.append(Stage(start: start, end: awakening.start, value: stage.value))
                }
                start = min(awakening.end, stage.end)
            }
            if start < stage.end { result.append(Stage(start: start, end: stage.end, value: stage.value)) }
        }
        result = (result + awakenings).sorted { $0.start < $1.start }
        return result.reduce(into: []) { merged, stage in
            if let last = merged.last, last.end == stage.start, last.value == stage.value {
                merged[merged.count - 1].end = stage.end
            } else {
                merged.append(stage)
            }
        }
    }

    /// Stages in order, each of which begins when the one before has ended.
    private static func disjoint(_ stages: [Stage]) -> [Stage] {
        stages.sorted { ($0.start, $0.end) < ($1.start, $1.end) }.reduce(into: []) { result, stage in
            var stage = stage
            stage.start = max(stage.start, result.last?.end ?? stage.start)
            if stage.end > stage.start { result.append(stage) }
        }
    }
}
