/// A workout of a version of iOS. Its course is computed from a seed, so that workouts need little memory.
struct GeneratedWorkout {
    /// An activity, and what a trained person of 38 years and 72 kg does in it.
    struct Activity {
        var name: String
        /// The type of the distance; `nil` indoors.
        var distanceType: String?
        /// Centimeters a second.
        var speed: ClosedRange<Int>
        /// The share of the heart rate reserve.
        var effort: Double
        /// Steps a minute at the usual speed, and how many more they are with each centimeter a second.
        var cadence: (usual: Double, gain: Double)?
        /// Thousandths of a kilocalorie for each centimeter, or for each second without a distance.
        var cost: Double
    }

    static let activities = [
        Activity(
            name: "Running", distanceType: "DistanceWalkingRunning", speed: 265...305, effort: 0.68,
            cadence: (166, 0.12), cost: 0.72),
        Activity(
            name: "Walking", distanceType: "DistanceWalkingRunning", speed: 128...150, effort: 0.36,
            cadence: (113, 0.3), cost: 0.4),
        Activity(name: "Cycling", distanceType: "DistanceCycling", speed: 560...680, effort: 0.58, cost: 0.22),
        Activity(name: "FunctionalStrengthTraining", speed: 0...0, effort: 0.5, cost: 86),
    ]

    var day: Int
    var activity: Activity
    var start: Int
    var minutes: Int
    var seed: UInt64

    var end: Int { start + minutes * 60 }
    var seconds: Int { minutes * 60 }
    var isIndoor: Bool { activity.distanceType == nil }
    /// Warm-up, four repeats and cool-down: one activity each.
    var hasIntervals: Bool { day % 16 == 1 }
    /// The seconds since the start in which the workout is paused.
    var pause: Range<Int> { seconds / 2..<seconds / 2 + 20 }

    /// A workout every other day, if the archive imitates a version of iOS.
    static func all(_ options: GeneratorOptions, _ clock: GeneratorClock) -> [GeneratedWorkout] {
        guard options.dialect != nil else { return [] }
        var random = GeneratorRandom(seed: options.seed, stream: "dialect workouts")
        return (0..<clock.dayCount).filter { $0 % 2 == 1 }.map { day in
            GeneratedWorkout(
                day: day, activity: activities[day / 2 % 4],
                start: clock.dayStarts[day] + 17 * 3_600 + random.integer(0...5_000), minutes: random.integer(22...75),
                seed: random.next())
        }.filter { $0.end <= clock.exportSecond }
    }

    /// The share of the heart rate reserve that is wanted at a second.
    private func effort(at second: Int) -> Double {
        if hasIntervals {
            let (third, place) = (seconds / 3, second % (seconds / 3))
            switch second / third {
            case 0: return 0.5 + 0.1 * Double(place) / Double(third)
            case 1: return place % (third / 4) * 10 < third / 4 * 6 ? 0.9 : 0.55
            default: return 0.52
            }
        }
        // Sets of an exercise, with rests.
        if isIndoor { return second % 120 < 50 ? 0.62 : 0.38 }
        return activity.effort * (0.8 + 0.2 * min(1, Double(second) / 420))
    }

    /// The measurements, second by second. The heart follows the effort within a minute, and drifts upward.
    func course() -> GeneratedCourse {
        var random = GeneratorRandom(seed: seed)
        let usual = Double(random.integer(activity.speed))
        var (speed, distance, steps, rate, variation, last) = (0.0, 0.0, 0.0, 84.0, 0.0, 0.0)
        var course = GeneratedCourse()
        for second in 0...seconds {
            course.distances.append(Int(distance.rounded()))
            course.steps.append(Int(steps.rounded()))
            course.rates.append(Int((rate + 30 * variation).rounded()))
            let part = second % 40
            if part == 0 { (last, variation) = (variation, Double(random.integer(-50...50)) / 1_000) }
            let slow = last + (variation - last) * Double(part) / 40
            let (isMoving, effort) = (!pause.contains(second), effort(at: second))
            let wanted = isMoving ? usual * (1 + 1.1 * (effort - activity.effort) + slow) : 0
            speed += (wanted - speed) / 4
            distance += speed
            if let cadence = activity.cadence, isMoving {
                steps += (cadence.usual + cadence.gain * (speed - usual)) / 60
            }
            let target = 62 + 120 * (isMoving ? effort : 0.3) + 6 * Double(second) / Double(seconds)
            rate += (target - rate) / (target > rate ? 38 : 50)
        }
        return course
    }
}

/// The measurements of a workout since its start, one a second.
struct GeneratedCourse {
    /// Centimeters.
    fileprivate(set) var distances: [Int] = []
    fileprivate(set) var steps: [Int] = []
    /// Beats per minute.
    fileprivate(set) var rates: [Int] = []

    /// The second at which a distance in centimeters is reached; `nil` if it isn't.
    func second(ofDistance distance: Int) -> Int? { distances.firstIndex { $0 >= distance } }
}

extension GeneratedWorkout {
    /// Active energy between two seconds since the start, in thousandths of a kilocalorie.
    func energy(_ course: GeneratedCourse, _ from: Int, _ to: Int) -> Int {
        func until(_ second: Int) -> Double {
            activity.cost * Double(isIndoor ? second : course.distances[second])
        }
        return Int(until(to).rounded()) - Int(until(from).rounded())
    }

    /// Writes what the watch measures in the workout: heart rates, and every minute energy, distance and steps; less often
    /// in an archive with few records.
    func writeRecords(density: Int, to buffer: inout GeneratorBuffer) throws {
        let course = course()
        for second in stride(from: 4, to: seconds, by: 15_000 / density) {
            write("HeartRate", "count/min", second, second, course.rates[second], digits: 0, to: &buffer)
        }
        let length = 60_000 / density
        for from in stride(from: 0, to: seconds, by: length) {
            let to = min(from + length, seconds)
            write("ActiveEnergyBurned", "kcal", from, to, energy(course, from, to), digits: 3, to: &buffer)
            guard let type = activity.distanceType else { continue }
            let distance = course.distances[to] - course.distances[from]
            write(type, "km", from, to, distance, digits: 5, to: &buffer)
            guard activity.cadence != nil else { continue }
            write("StepCount", "count", from, to, course.steps[to] - course.steps[from], digits: 0, to: &buffer)
        }
        try buffer.flushIfLarge()
    }

    private func write(
        _ name: String, _ unit: String, _ from: Int, _ to: Int, _ value: Int, digits: Int,
        to buffer: inout GeneratorBuffer
    ) {
        let type = "HKQuantityTypeIdentifier" + name
        guard value > 0 else { return }
        GeneratorRecord(
            type: type, source: .watch, unit: unit, start: start + from, end: start + to, creation: end + 3,
            value: .number(value, digits: digits),
            metadata: name == "HeartRate" ? [("HKMetadataKeyHeartRateMotionContext", "2")] : []
        ).write(to: &buffer)
        buffer.tally.add(value, of: type, onDay: day)
    }
}
