/// Workouts of a version of iOS: with totals or statistics, events, activities, interval steps and routes.
struct DialectWorkouts {
    let options: GeneratorOptions
    let clock: GeneratorClock
    let dialect: ArchiveDialect
    /// Whether the files of routes are written; routes without a file are not counted.
    let writesFiles: Bool

    private struct Workout {
        var day: Int
        var activity: String
        var start: Int
        var minutes: Int
        var energy: Int
        var distance: Int
        var isIndoor: Bool
        var end: Int { start + minutes * 60 }
    }

    /// Writes all workouts and returns the routes whose files are to be written.
    func write(to buffer: inout GeneratorBuffer) throws -> [GeneratedRoute] {
        var random = GeneratorRandom(seed: options.seed, stream: "dialect workouts")
        var routes: [GeneratedRoute] = []
        for day in 0..<clock.dayCount where day % 2 == 1 {
            let workout = Workout(
                day: day, activity: ["Running", "Walking", "Cycling", "FunctionalStrengthTraining"][day / 2 % 4],
                start: clock.dayStarts[day] + 17 * 3_600 + random.integer(0...5_000), minutes: random.integer(22...75),
                energy: random.integer(110...690) * 1_000 + 417, distance: random.integer(20_000...90_000),
                isIndoor: day / 2 % 4 == 3)
            guard workout.end <= clock.exportSecond else { continue }
            try write(workout, &random, &routes, to: &buffer)
            buffer.archive.count("HKWorkoutTypeIdentifier")
            try buffer.flushIfLarge()
        }
        return routes
    }

    private func write(
        _ workout: Workout, _ random: inout GeneratorRandom, _ routes: inout [GeneratedRoute],
        to buffer: inout GeneratorBuffer
    ) throws {
        buffer.text(" <Workout workoutActivityType=\"HKWorkoutActivityType\(workout.activity)\"")
        // Durations have all digits, as in 14.866333333333333.
        buffer.text(" duration=\"\(Double(workout.minutes) - 1.0 / 3)\" durationUnit=\"min\"")
        if !dialect.hasWorkoutStatistics {
            if !workout.isIndoor {
                let length = buffer.style.measure(workout.distance, digits: 4, unit: "km")
                buffer.number("totalDistance", length.value, digits: 4)
                buffer.text(" totalDistanceUnit=\"\(length.unit)\"")
            }
            buffer.number("totalEnergyBurned", workout.energy, digits: 3)
            buffer.text(" totalEnergyBurnedUnit=\"\(buffer.style.energyUnit)\"")
        }
        buffer.source(.watch, at: workout.start)
        buffer.creationDate(min(workout.end + 5, clock.exportSecond))
        buffer.date("startDate", workout.start)
        buffer.date("endDate", workout.end)
        try writeMetadata(workout, &random, to: &buffer)
        writeEvents(workout, indent: "  ", to: &buffer)
        if dialect.hasWorkoutStatistics {
            writeActivities(workout, &random, to: &buffer)
            writeStatistics(workout, workout.start, workout.end, share: 1, indent: "  ", to: &buffer)
        }
        if dialect.hasRoutes, !workout.isIndoor {
            try writeRoute(workout, random.next(), &routes, to: &buffer)
        }
        buffer.text(" </Workout>\n")
    }

    private func writeMetadata(
        _ workout: Workout, _ random: inout GeneratorRandom, to buffer: inout GeneratorBuffer
    ) throws {
        let temperature = buffer.style.measure(random.integer(4...29) * 100, digits: 2, unit: "degC")
        let entries = [
            ("HKIndoorWorkout", workout.isIndoor ? "1" : "0"), ("HKTimeZone", clock.timeZoneName),
            ("HKAverageMETs", "\(random.integer(3...9)).52156 kcal/hr·kg"),
            ("HKWeatherTemperature", "\(temperature.value / 100) \(temperature.unit)"),
            ("HKWeatherHumidity", "\(random.integer(30...94))00 %"),
            ("HKElevationAscended", "\(random.integer(100...900)) cm"),
        ]
        if dialect.hasFirstForm {
            buffer.text(">\n")
        } else if dialect.writesMetadataAsAttributes {
            for (key, value) in entries { buffer.text(" \(key)=\"\(value)\"") }
            buffer.text(">\n")
        } else {
            buffer.text(">\n")
            for (key, value) in entries { buffer.text("  <MetadataEntry key=\"\(key)\" value=\"\(value)\"/>\n") }
        }
    }

    private func writeEvents(_ workout: Workout, indent: String, to buffer: inout GeneratorBuffer) {
        let half = workout.start + workout.minutes * 30
        for (type, second, seconds) in [
            ("Pause", half, 0), ("Resume", half + 20, 0), ("Segment", workout.start, workout.minutes * 30),
            ("Lap", workout.start + 60, 300),
        ] {
            buffer.text("\(indent)<WorkoutEvent type=\"HKWorkoutEventType\(type)\"")
            buffer.date("date", second)
            if dialect.hasEventDurations, seconds > 0 {
                buffer.number("duration", seconds * 100 / 6, digits: 3)
                buffer.text(" durationUnit=\"min\"")
            }
            if type == "Lap", (dialect.exportVersion ?? 0) >= 12 {
                buffer.text(
                    ">\n\(indent) <MetadataEntry key=\"HKLapLength\" value=\"400 m\"/>\n\(indent)</WorkoutEvent>\n")
            } else {
                buffer.text("/>\n")
            }
        }
    }

    /// Writes one activity for the whole workout, or one for each step of an interval training.
    private func writeActivities(_ workout: Workout, _ random: inout GeneratorRandom, to buffer: inout GeneratorBuffer)
    {
        let steps = workout.day % 8 == 1 ? 3 : 1
        let length = (workout.end - workout.start) / steps
        for step in 0..<steps {
            let start = workout.start + step * length
            let end = step == steps - 1 ? workout.end : start + length
            buffer.text("  <WorkoutActivity uuid=\"\(random.uuid())\"")
            buffer.date("startDate", start)
            buffer.date("endDate", end)
            buffer.text(" duration=\"\(Double(end - start) / 60)\" durationUnit=\"min\">\n")
            if steps == 1 {
                writeEvents(workout, indent: "   ", to: &buffer)
            } else {
                buffer.text("   <MetadataEntry key=\"WOIntervalStepKeyPath\" value=\"0.\(step).0\"/>\n")
                buffer.text("   <MetadataEntry key=\"WOIntervalStepSuccessful\" value=\"\(step % 2)\"/>\n")
            }
            writeStatistics(workout, start, end, share: steps, indent: "   ", to: &buffer)
            buffer.text("  </WorkoutActivity>\n")
        }
    }

    private func writeStatistics(
        _ workout: Workout, _ start: Int, _ end: Int, share: Int, indent: String, to buffer: inout GeneratorBuffer
    ) {
        func open(_ type: String) {
            buffer.text("\(indent)<WorkoutStatistics type=\"HKQuantityTypeIdentifier\(type)\"")
            buffer.date("startDate", start)
            buffer.date("endDate", end)
        }
        open("ActiveEnergyBurned")
        buffer.number("sum", workout.energy / share, digits: 3)
        buffer.text(" unit=\"\(buffer.style.energyUnit)\"/>\n")
        if !workout.isIndoor {
            let length = buffer.style.measure(workout.distance / share, digits: 4, unit: "km")
            open(workout.activity == "Cycling" ? "DistanceCycling" : "DistanceWalkingRunning")
            buffer.number("sum", length.value, digits: 4)
            buffer.text(" unit=\"\(length.unit)\"/>\n")
        }
        open("HeartRate")
        buffer.text(
            " average=\"\(118 + workout.minutes % 20).25\" minimum=\"\(80 + workout.minutes % 9)\" maximum=\"\(150 + workout.minutes % 30)\" unit=\"count/min\"/>\n"
        )
    }

    private func writeRoute(
        _ workout: Workout, _ seed: UInt64, _ routes: inout [GeneratedRoute], to buffer: inout GeneratorBuffer
    ) throws {
        let files = GeneratorRoutes(clock: clock)
        let route = GeneratedRoute(
            start: workout.start, end: workout.end, seed: seed, path: files.path(end: workout.end))
        buffer.text("  <WorkoutRoute")
        buffer.source(.watch, at: workout.start)
        buffer.creationDate(min(workout.end + 9, clock.exportSecond))
        buffer.date("startDate", workout.start)
        buffer.date("endDate", workout.end)
        buffer.text(">\n   <MetadataEntry key=\"HKMetadataKeySyncVersion\" value=\"2\"/>\n")
        if dialect.hasInlineLocations {
            try files.writeLocations(route, to: &buffer)
        } else {
            buffer.text("   <FileReference path=\"\(route.path)\"/>\n")
            routes.append(route)
        }
        buffer.text("  </WorkoutRoute>\n")
        guard dialect.hasInlineLocations || writesFiles else { return }
        buffer.archive.count("HKWorkoutRouteTypeIdentifier")
        buffer.archive.routePoints += route.points.count
    }
}
