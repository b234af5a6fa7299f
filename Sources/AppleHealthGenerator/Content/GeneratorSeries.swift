/// A quantity type that one source measures many times a day.
struct GeneratorSeries {
    /// The distribution of values over the day.
    enum Shape {
        /// Constant over the day.
        case steady
        /// Low at night, high in the morning and evening.
        case active
        /// Only during the day.
        case daytime
    }

    var type: String
    var unit: String
    var source: GeneratorSource
    /// The average number of records per day, of about 900 in total.
    var perDay: Int
    /// Values are `low...high` / 10^`digits`.
    var low: Int
    var high: Int
    var digits: Int
    /// The duration of samples in seconds.
    var duration: ClosedRange<Int>
    var shape: Shape = .active
    /// Whether values add up to a total per day, which does not depend on the number of records.
    var isTotal = false
    /// The average number per day beside workouts, if these have samples of the type as well.
    var perDayBesideWorkouts: Int?
    var metadata: [(key: String, value: String)] = []

    /// The share of each hour in the samples of a day.
    private static let activeHours = [
        2, 1, 1, 1, 2, 8, 30, 70, 80, 50, 45, 50, 65, 60, 45, 45, 55, 80, 95, 80, 60, 40, 25, 10,
    ]
    private static let daytimeHours = [
        0, 0, 0, 0, 0, 0, 20, 60, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 60, 50, 30, 10, 0,
    ]

    func write(
        options: GeneratorOptions, clock: GeneratorClock, beside workouts: [GeneratedWorkout],
        to buffer: inout GeneratorBuffer
    ) throws {
        guard buffer.style.has(type: type) else { return }
        var random = GeneratorRandom(seed: options.seed, stream: type + source.attributes.count.description)
        let perDay = workouts.isEmpty ? perDay : perDayBesideWorkouts ?? perDay
        let measured = perDayBesideWorkouts == nil ? [] : workouts
        let spans = Dictionary(uniqueKeysWithValues: measured.map { ($0.day, $0.start - 60...$0.end) })
        for day in 0..<clock.dayCount {
            let dayStart = clock.dayStarts[day]
            let length = clock.dayStarts[day + 1] - dayStart
            // The watch is updated in the middle of the archive, which changes its version and pointer.
            let isBefore = day * 2 < clock.dayCount && source.attributes == GeneratorSource.watch.attributes
            let writer = isBefore ? GeneratorSource.watchBefore : source
            for start in starts(dayStart, length, perDay * options.density / 1_000, &random)
            where start < clock.exportSecond {
                // Cumulative samples are within one day, so that the day's summary is the sum of its records.
                let last = isTotal ? min(clock.exportSecond, dayStart + length) : clock.exportSecond
                let end = min(start + stretched(random.integer(duration), options.density), last)
                let value = stretched(value(start - dayStart, &random), options.density)
                let creation = min(end + random.integer(0...1_200), clock.exportSecond)
                // The watch counts these in the workout.
                if let span = spans[day], span.overlaps(start...end) { continue }
                let record = GeneratorRecord(
                    type: type, source: writer, unit: unit, start: start, end: end,
                    creation: creation,
                    value: .number(value, digits: digits),
                    metadata: metadata.map { ($0.key, $0.value.replacing("#", with: String(random.integer(0...2)))) })
                if record.write(to: &buffer) { buffer.tally.add(value, of: type, onDay: day) }
            }
            try buffer.flushIfLarge()
        }
    }

    /// The sorted start dates of one day's samples.
    private func starts(_ dayStart: Int, _ length: Int, _ count: Int, _ random: inout GeneratorRandom) -> [Int] {
        let usual = max(1, count)
        let count = usual + random.integer(-usual / 8...usual / 8)
        let hours = shape == .daytime ? Self.daytimeHours : Self.activeHours
        var starts: [Int] = []
        starts.reserveCapacity(count)
        for index in 0..<count {
            switch shape {
            case .steady:
                starts.append(dayStart + length * index / count + random.integer(0...max(1, length / count / 2)))
            case .active, .daytime:
                var share = random.integer(0...(hours.reduce(0, +) - 1))
                let hour =
                    hours.firstIndex {
                        share -= $0; return share < 0
                    } ?? 12
                // The day on which daylight saving time begins has 23 hours.
                starts.append(dayStart + min(hour, length / 3_600 - 1) * 3_600 + random.integer(0...3_599))
            }
        }
        return starts.sorted()
    }

    /// Scales durations and values of cumulative samples if there are fewer records.
    private func stretched(_ figure: Int, _ density: Int) -> Int {
        isTotal ? figure * 1_000 / density : figure
    }

    private func value(_ second: Int, _ random: inout GeneratorRandom) -> Int {
        let hour = min(23, second / 3_600)
        let span = high - low
        let reach = shape == .steady ? span : span * (20 + Self.activeHours[hour]) / 115
        // The minimum of two random numbers: small values are more common.
        return low + min(random.integer(0...max(1, reach)), random.integer(0...max(1, reach)))
    }

    static let all: [GeneratorSeries] = [
        GeneratorSeries(
            type: "HKQuantityTypeIdentifierHeartRate", unit: "count/min", source: .watch, perDay: 150, low: 52,
            high: 150, digits: 0, duration: 0...0, perDayBesideWorkouts: 60,
            metadata: [("HKMetadataKeyHeartRateMotionContext", "#")]),
        GeneratorSeries(
            type: "HKQuantityTypeIdentifierStepCount", unit: "count", source: .phone, perDay: 45, low: 4, high: 700,
            digits: 0, duration: 30...600, shape: .daytime, isTotal: true, perDayBesideWorkouts: 45),
        GeneratorSeries(
            type: "HKQuantityTypeIdentifierStepCount", unit: "count", source: .watch, perDay: 75, low: 3, high: 420,
            digits: 0, duration: 20...600, isTotal: true, perDayBesideWorkouts: 65),
        GeneratorSeries(
            type: "HKQuantityTypeIdentifierDistanceWalkingRunning", unit: "km", source: .phone, perDay: 35, low: 20,
            high: 5_200, digits: 4, duration: 30...600, shape: .daytime, isTotal: true, perDayBesideWorkouts: 35),
        GeneratorSeries(
            type: "HKQuantityTypeIdentifierDistanceWalkingRunning", unit: "km", source: .watch, perDay: 60, low: 10,
            high: 4_100, digits: 4, duration: 20...600, isTotal: true, perDayBesideWorkouts: 55),
        GeneratorSeries(
            type: "HKQuantityTypeIdentifierActiveEnergyBurned", unit: "kcal", source: .watch, perDay: 230, low: 40,
            high: 9_900, digits: 3, duration: 10...120, isTotal: true, perDayBesideWorkouts: 170),
        GeneratorSeries(
            type: "HKQuantityTypeIdentifierBasalEnergyBurned", unit: "kcal", source: .watch, perDay: 110, low: 9_500,
            high: 18_900, digits: 3, duration: 600...800, shape: .steady, isTotal: true),
        GeneratorSeries(
            type: "HKQuantityTypeIdentifierPhysicalEffort", unit: "kcal/hr·kg", source: .watch, perDay: 40, low: 11,
            high: 62, digits: 1, duration: 60...600),
        GeneratorSeries(
            type: "HKQuantityTypeIdentifierRespiratoryRate", unit: "count/min", source: .watch, perDay: 22, low: 120,
            high: 190, digits: 1, duration: 0...0, shape: .steady),
        GeneratorSeries(
            type: "HKQuantityTypeIdentifierOxygenSaturation", unit: "%", source: .watch, perDay: 12, low: 92, high: 100,
            digits: 2, duration: 0...0, shape: .steady, metadata: [("HKMetadataKeyBarometricPressure", "10#.3 kPa")]),
        GeneratorSeries(
            type: "HKQuantityTypeIdentifierEnvironmentalAudioExposure", unit: "dBASPL", source: .watch, perDay: 30,
            low: 38_000, high: 88_000, digits: 3, duration: 60...1_800),
        GeneratorSeries(
            type: "HKQuantityTypeIdentifierHeadphoneAudioExposure", unit: "dBASPL", source: .phone, perDay: 8,
            low: 48_000, high: 82_000, digits: 3, duration: 60...900, shape: .daytime),
        GeneratorSeries(
            type: "HKQuantityTypeIdentifierWalkingSpeed", unit: "km/hr", source: .phone, perDay: 10, low: 310,
            high: 610, digits: 2, duration: 5...60, shape: .daytime),
        GeneratorSeries(
            type: "HKQuantityTypeIdentifierWalkingStepLength", unit: "cm", source: .phone, perDay: 10, low: 55,
            high: 82, digits: 0, duration: 5...60, shape: .daytime),
        GeneratorSeries(
            type: "HKQuantityTypeIdentifierFlightsClimbed", unit: "count", source: .phone, perDay: 7, low: 1, high: 4,
            digits: 0, duration: 5...120, shape: .daytime),
        GeneratorSeries(
            type: "HKQuantityTypeIdentifierAppleStandTime", unit: "min", source: .watch, perDay: 18, low: 1, high: 5,
            digits: 0, duration: 300...300, shape: .daytime),
        GeneratorSeries(
            type: "HKQuantityTypeIdentifierAppleExerciseTime", unit: "min", source: .watch, perDay: 24, low: 1, high: 2,
            digits: 0, duration: 60...60, isTotal: true),
    ]
}
