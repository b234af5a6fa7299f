import Glibc

/// What a piece of work cost: time on the clock, and time of all this process's threads on the processor.
struct Cost: Sendable {
    /// Seconds on the clock.
    var wall: Double
    /// Seconds of processor time, user and system together.
    var processor: Double

    /// The present reading of both clocks; the difference of two readings is a cost.
    static var now: Cost {
        Cost(wall: seconds(CLOCK_MONOTONIC), processor: seconds(CLOCK_PROCESS_CPUTIME_ID))
    }

    static func - (after: Cost, before: Cost) -> Cost {
        Cost(wall: after.wall - before.wall, processor: after.processor - before.processor)
    }

    /// The share of one of `count` equal parts.
    func divided(by count: Int) -> Cost {
        Cost(wall: wall / Double(count), processor: processor / Double(count))
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
