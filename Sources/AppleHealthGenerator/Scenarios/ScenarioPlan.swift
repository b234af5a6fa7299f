/// The changes of a scenario in the archive of an ordinary person.
struct ScenarioPlan {
    /// Whether the archive has what a source wrote of a type at a second.
    var keeps: (_ type: String, _ source: GeneratorSource.Role, _ second: Int) -> Bool = { _, _, _ in true }
    /// Returns the records in place of an ordinary one: itself, another one, or several.
    var change: (GeneratorRecord) -> [GeneratorRecord] = { [$0] }
    /// Records that an ordinary archive doesn’t have.
    private(set) var records: [GeneratorRecord] = []
    /// Workouts beside the ordinary ones.
    var workouts: [ScenarioWorkout] = []
    let clock: GeneratorClock
    var random: GeneratorRandom

    init(_ scenario: HealthScenario, _ options: GeneratorOptions, _ clock: GeneratorClock) {
        self.clock = clock
        random = GeneratorRandom(seed: options.seed, stream: scenario.name)
        scenario.make(&self)
    }

    /// The second of a time of day, in hours.
    func second(_ day: Int, _ hour: Double) -> Int { clock.dayStarts[day] + Int(hour * 3_600) }

    /// The day of a second, or the nearest one.
    func day(of second: Int) -> Int {
        max(0, (clock.dayStarts.firstIndex { $0 > second } ?? clock.dayCount) - 1)
    }

    /// Adds a quantity, unless it ends after the export.
    mutating func add(
        _ type: String, _ source: GeneratorSource, _ value: Int, digits: Int = 0, _ unit: String, at start: Int,
        until end: Int? = nil, metadata: [(key: String, value: String)] = []
    ) {
        add("HKQuantityTypeIdentifier" + type, source, unit, .number(value, digits: digits), start, end, metadata)
    }

    /// Adds a category sample, unless it ends after the export.
    mutating func add(
        _ type: String, _ source: GeneratorSource, _ name: String = "NotApplicable", at start: Int,
        until end: Int? = nil, metadata: [(key: String, value: String)] = []
    ) {
        add("HKCategoryTypeIdentifier" + type, source, nil, .name("HKCategoryValue" + name), start, end, metadata)
    }

    private mutating func add(
        _ type: String, _ source: GeneratorSource, _ unit: String?, _ value: GeneratorRecord.Value, _ start: Int,
        _ end: Int?, _ metadata: [(key: String, value: String)]
    ) {
        let end = end ?? start
        guard end <= clock.exportSecond else { return }
        records.append(
            GeneratorRecord(
                type: type, source: source, unit: unit, start: start, end: end, creation: end, value: value,
                metadata: metadata))
    }
}

extension GeneratorRecord {
    /// The record of another source, with another value.
    func copied(to source: GeneratorSource, _ value: (Int) -> Int) -> GeneratorRecord {
        var copy = self
        copy.source = source
        return copy.with(value)
    }

    /// The record with another value.
    func with(_ value: (Int) -> Int) -> GeneratorRecord {
        var copy = self
        if case .number(let number, let digits) = self.value { copy.value = .number(value(number), digits: digits) }
        return copy
    }

    /// The record at another time.
    func moved(by seconds: Int) -> GeneratorRecord {
        var copy = self
        copy.start += seconds
        copy.end += seconds
        copy.creation += seconds
        return copy
    }

    func isQuantity(_ name: String) -> Bool { type == "HKQuantityTypeIdentifier" + name }
}

/// A workout of several activities.
struct ScenarioWorkout {
    /// A part of the workout, with the type, unit and value of its distance, if it has one.
    struct Activity {
        var name: String
        var minutes: Int
        var distance: (type: String, value: Int, unit: String)?
    }

    var name: String
    var start: Int
    var activities: [Activity]
    /// The identities of the activities.
    var identities: [String]

    var minutes: Int { activities.reduce(0) { $0 + $1.minutes } }
    var end: Int { start + minutes * 60 }

    func write(to buffer: inout GeneratorBuffer) {
        guard end <= buffer.clock.exportSecond else { return }
        buffer.text(" <Workout workoutActivityType=\"HKWorkoutActivityType\(name)\"")
        duration(minutes, to: &buffer)
        buffer.source(.watch, at: start)
        buffer.creationDate(min(end + 5, buffer.clock.exportSecond))
        span(start, end, to: &buffer)
        buffer.text(">\n  <MetadataEntry key=\"HKTimeZone\" value=\"\(buffer.clock.timeZoneName)\"/>\n")
        var second = start
        for (activity, identity) in zip(activities, identities) {
            let end = second + activity.minutes * 60
            buffer.text(
                "  <WorkoutActivity uuid=\"\(identity)\" workoutActivityType=\"HKWorkoutActivityType\(activity.name)\"")
            span(second, end, to: &buffer)
            duration(activity.minutes, to: &buffer)
            buffer.text(">\n")
            statistics(activity, second, end, indent: "   ", to: &buffer)
            buffer.text("  </WorkoutActivity>\n")
            second = end
        }
        for activity in activities { statistics(activity, start, end, indent: "  ", to: &buffer) }
        buffer.text(" </Workout>\n")
        buffer.archive.count("HKWorkoutTypeIdentifier")
    }

    private func duration(_ minutes: Int, to buffer: inout GeneratorBuffer) {
        buffer.number("duration", minutes, digits: 0)
        buffer.text(" durationUnit=\"min\"")
    }

    private func span(_ start: Int, _ end: Int, to buffer: inout GeneratorBuffer) {
        buffer.date("startDate", start)
        buffer.date("endDate", end)
    }

    private func statistics(
        _ activity: Activity, _ start: Int, _ end: Int, indent: String, to buffer: inout GeneratorBuffer
    ) {
        guard let distance = activity.distance else { return }
        buffer.text("\(indent)<WorkoutStatistics type=\"HKQuantityTypeIdentifier\(distance.type)\"")
        span(start, end, to: &buffer)
        buffer.number("sum", distance.value, digits: 0)
        buffer.text(" unit=\"\(distance.unit)\"/>\n")
    }
}
