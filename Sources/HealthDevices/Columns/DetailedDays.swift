import HealthModel

/// The days of which an archive has measurements in detail, so that totals of the same days are left out.
final class DetailedDays {
    private struct Day: Hashable {
        let type: TypeCode
        let number: Int
    }

    private let clock: LocalClock
    private var days: Set<Day> = []

    init(clock: LocalClock) {
        self.clock = clock
    }

    /// Takes note of a measurement. That someone was in bed says nothing of how they slept.
    func insert(_ sample: SampleRecord) {
        if sample.unit.isEmpty, sample.value == 0 { return }
        days.insert(Day(type: sample.type, number: clock.dayNumber(at: sample.start)))
        days.insert(Day(type: sample.type, number: clock.dayNumber(at: sample.end)))
    }

    /// Whether there are measurements in detail on the day of a total: that of its middle, because a day ends where the
    /// next one begins, and a night begins the day before.
    func contains(_ total: SampleRecord) -> Bool {
        let middle = (total.start + total.end) / 2
        return days.contains(Day(type: total.type, number: clock.dayNumber(at: middle)))
    }
}
