/// Workouts with events and an activity, both with statistics.
struct GeneratorWorkouts {
    let options: GeneratorOptions
    let clock: GeneratorClock

    func write(to buffer: inout GeneratorBuffer) throws {
        var random = GeneratorRandom(seed: options.seed, stream: "workouts")
        for day in 0..<clock.dayCount where day % 2 == 1 {
            let isRun = random.chance(500)
            let start = clock.dayStarts[day] + 17 * 3_600 + random.integer(0...5_000)
            let minutes = random.integer(22...75)
            let end = start + minutes * 60
            guard end <= clock.exportSecond, buffer.keeps("HKWorkoutTypeIdentifier", .watch, at: start) else {
                continue
            }
            write(isRun ? "Running" : "Walking", start, end, minutes, &random, to: &buffer)
            try buffer.flushIfLarge()
        }
    }

    private func write(
        _ activity: String, _ start: Int, _ end: Int, _ minutes: Int, _ random: inout GeneratorRandom,
        to buffer: inout GeneratorBuffer
    ) {
        let type = "HKWorkoutActivityType" + activity
        buffer.text(" <Workout workoutActivityType=\"\(type)\"")
        buffer.number("duration", minutes * 10_000, digits: 4)
        buffer.text(" durationUnit=\"min\"")
        buffer.source(.watch, at: start)
        span(start, end, creation: end + 5, to: &buffer)
        buffer.text(">\n")
        buffer.text("  <MetadataEntry key=\"HKIndoorWorkout\" value=\"0\"/>\n")
        buffer.text("  <MetadataEntry key=\"HKTimeZone\" value=\"\(clock.timeZoneName)\"/>\n")
        buffer.text("  <MetadataEntry key=\"HKAverageMETs\" value=\"\(random.integer(3...9)).52156 kcal/hr·kg\"/>\n")
        buffer.text("  <MetadataEntry key=\"HKWeatherTemperature\" value=\"\(random.integer(34...88)) degF\"/>\n")
        buffer.text("  <MetadataEntry key=\"HKWeatherHumidity\" value=\"\(random.integer(30...94))00 %\"/>\n")
        event("HKWorkoutEventTypeSegment", start, minutes * 30, to: &buffer)
        buffer.text("  <WorkoutActivity uuid=\"\(random.uuid())\"")
        buffer.date("startDate", start)
        buffer.date("endDate", end)
        buffer.number("duration", minutes * 10_000, digits: 4)
        buffer.text(" durationUnit=\"min\">\n")
        let energy = random.integer(110...690)
        let distance = minutes * random.integer(900...1_600)
        statistics(energy, distance, start, end, indent: "   ", to: &buffer)
        buffer.text("  </WorkoutActivity>\n")
        statistics(energy, distance, start, end, indent: "  ", to: &buffer)
        buffer.text(" </Workout>\n")
        buffer.archive.count("HKWorkoutTypeIdentifier")
    }

    private func span(_ start: Int, _ end: Int, creation: Int, to buffer: inout GeneratorBuffer) {
        buffer.creationDate(min(creation, clock.exportSecond))
        buffer.date("startDate", start)
        buffer.date("endDate", end)
    }

    private func event(_ type: String, _ second: Int, _ seconds: Int, to buffer: inout GeneratorBuffer) {
        buffer.text("  <WorkoutEvent type=\"\(type)\"")
        buffer.date("date", second)
        buffer.number("duration", seconds * 100 / 6, digits: 3)
        buffer.text(" durationUnit=\"min\"/>\n")
    }

    private func statistics(
        _ energy: Int, _ distance: Int, _ start: Int, _ end: Int, indent: String, to buffer: inout GeneratorBuffer
    ) {
        for (type, sum, digits, unit) in [
            ("ActiveEnergyBurned", energy * 1_000 + 417, 3, "kcal"), ("DistanceWalkingRunning", distance, 4, "km"),
        ] {
            buffer.text("\(indent)<WorkoutStatistics type=\"HKQuantityTypeIdentifier\(type)\"")
            buffer.date("startDate", start)
            buffer.date("endDate", end)
            buffer.number("sum", sum, digits: digits)
            buffer.text(" unit=\"\(unit)\"/>\n")
        }
    }
}
