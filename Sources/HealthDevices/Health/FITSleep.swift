import HealthFiles
import HealthModel

/// The levels of a night's sleep. Each lasts until the next one, the last one until the sleep ends.
enum FITSleep {
    /// The number of the event that begins and ends with a sleep.
    private static let sleepEvent: Int64 = 74

    static func read(
        _ messages: FITMessages, _ origin: FITOrigin, _ samples: SampleOrigin, into content: inout FileContent
    ) {
        var levels: [(date: Double, value: SleepValue?)] = []
        var ends: [Double] = []
        for message in messages[FITMessageNumber.sleepLevel] {
            guard let date = origin.date(message) else { continue }
            let value = message.integer(FITField.SleepLevel.sleepLevel).flatMap {
                FITValueNumber.SleepLevel.healthKit[$0]
            }
            levels.append((date, value.flatMap { SleepValue(rawValue: Int($0)) }))
        }
        for message in messages[FITMessageNumber.event]
        where message.integer(FITField.Event.event) == sleepEvent
            && message.integer(FITField.Event.eventType) == FITValueNumber.EventType.stop
        {
            ends += [origin.date(message)].compactMap(\.self)
        }
        levels.sort { $0.date < $1.date }
        var place = 0
        while place < levels.count {
            let (start, value) = levels[place]
            repeat { place += 1 } while place < levels.count && levels[place].value == value
            let end = place < levels.count ? levels[place].date : ends.filter { $0 > start }.min()
            guard let value, let end, end > start else {
                content.leaveOut(value == nil ? "unmeasurable sleep" : "sleep level without an end")
                continue
            }
            content.samples.append(samples.sleep(value, start, end))
        }
    }
}
