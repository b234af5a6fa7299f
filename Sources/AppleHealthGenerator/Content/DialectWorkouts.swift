/// Workouts of a version of iOS: with totals or statistics, events, activities, interval steps and routes.
struct DialectWorkouts {
    let options: GeneratorOptions
    let clock: GeneratorClock
    let dialect: ArchiveDialect
    /// Whether the files of routes are written; routes without a file are not counted.
    let writesFiles: Bool

    /// Writes all workouts and returns the routes whose files are to be written.
    func write(to buffer: inout GeneratorBuffer) throws -> [GeneratedRoute] {
        var random = GeneratorRandom(seed: options.seed, stream: "workout elements")
        var routes: [GeneratedRoute] = []
        for workout in GeneratedWorkout.all(options, clock) {
            try write(workout, workout.course(), &random, &routes, to: &buffer)
            buffer.archive.count("HKWorkoutTypeIdentifier")
            try buffer.flushIfLarge()
        }
        return routes
    }

    private func write(
        _ workout: GeneratedWorkout, _ course: GeneratedCourse, _ random: inout GeneratorRandom,
        _ routes: inout [GeneratedRoute], to buffer: inout GeneratorBuffer
    ) throws {
        let energy = workout.energy(course, 0, workout.seconds)
        buffer.text(" <Workout workoutActivityType=\"HKWorkoutActivityType\(workout.activity.name)\"")
        // Durations have all digits, as in 14.866333333333333.
        buffer.text(" duration=\"\(Double(workout.minutes) - 1.0 / 3)\" durationUnit=\"min\"")
        if !dialect.hasWorkoutStatistics {
            if !workout.isIndoor {
                let length = buffer.style.measure(course.distances[workout.seconds], digits: 5, unit: "km")
                buffer.number("totalDistance", length.value, digits: length.digits)
                buffer.text(" totalDistanceUnit=\"\(length.unit)\"")
            }
            buffer.number("totalEnergyBurned", energy, digits: 3)
            buffer.text(" totalEnergyBurnedUnit=\"\(buffer.style.energyUnit)\"")
        }
        buffer.source(.watch, at: workout.start)
        buffer.creationDate(min(workout.end + 5, clock.exportSecond))
        buffer.date("startDate", workout.start)
        buffer.date("endDate", workout.end)
        let route = GeneratedRoute(workout: workout, path: GeneratorRoutes(clock: clock).path(end: workout.end))
        try writeMetadata(workout, energy, route, &random, to: &buffer)
        writeEvents(workout, course, indent: "  ", to: &buffer)
        if dialect.hasWorkoutStatistics {
            writeActivities(workout, course, &random, to: &buffer)
            writeStatistics(workout, course, 0..<workout.seconds, indent: "  ", to: &buffer)
        }
        if dialect.hasRoutes, !workout.isIndoor {
            try writeRoute(route, &routes, to: &buffer)
        }
        buffer.text(" </Workout>\n")
    }

    private func writeMetadata(
        _ workout: GeneratedWorkout, _ energy: Int, _ route: GeneratedRoute, _ random: inout GeneratorRandom,
        to buffer: inout GeneratorBuffer
    ) throws {
        // Thousandths of a kilocalorie per hour and kilogram, with the one at rest.
        let effort = 1_000 + energy * 3_600 / (72 * workout.seconds)
        let temperature = buffer.style.measure(random.integer(4...29) * 100, digits: 2, unit: "degC")
        let entries =
            [
                ("HKIndoorWorkout", workout.isIndoor ? "1" : "0"), ("HKTimeZone", clock.timeZoneName),
                ("HKAverageMETs", "\(effort / 1_000).\(effort / 100 % 10)2156 kcal/hr·kg"),
                ("HKWeatherTemperature", "\(temperature.value / 100) \(temperature.unit)"),
                ("HKWeatherHumidity", "\(random.integer(30...94))00 %"),
            ] + (workout.isIndoor ? [] : [("HKElevationAscended", "\(route.climb / 10) cm")])
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

    /// Writes a segment for each kilometer, a lap of 400 m, and the pause.
    private func writeEvents(
        _ workout: GeneratedWorkout, _ course: GeneratedCourse, indent: String, to buffer: inout GeneratorBuffer
    ) {
        let (start, pause) = (workout.start, workout.pause)
        var events = [("Pause", pause.lowerBound, 0), ("Resume", pause.upperBound, 0)]
        let marks = [0] + (1...60).compactMap { course.second(ofDistance: $0 * 100_000) }
        events += zip(marks, marks.dropFirst()).map { ("Segment", $0, $1 - $0) }
        if let lap = course.second(ofDistance: 40_000) {
            events.append(("Lap", 0, lap))
        } else {
            events += [("Segment", 0, workout.seconds / 2), ("Lap", 60, 300)]
        }
        for (type, second, seconds) in events {
            buffer.text("\(indent)<WorkoutEvent type=\"HKWorkoutEventType\(type)\"")
            buffer.date("date", start + second)
            if dialect.hasEventDurations, seconds > 0 {
                buffer.number("duration", seconds * 10_000 / 6, digits: 5)
                buffer.text(" durationUnit=\"min\"")
            }
            if type == "Lap", (dialect.exportVersion ?? 0) >= 12, !workout.isIndoor {
                buffer.text(
                    ">\n\(indent) <MetadataEntry key=\"HKLapLength\" value=\"400 m\"/>\n\(indent)</WorkoutEvent>\n")
            } else {
                buffer.text("/>\n")
            }
        }
    }

    /// Writes one activity for the whole workout, or one for each step of an interval training.
    private func writeActivities(
        _ workout: GeneratedWorkout, _ course: GeneratedCourse, _ random: inout GeneratorRandom,
        to buffer: inout GeneratorBuffer
    ) {
        let steps = workout.hasIntervals ? 3 : 1
        let length = workout.seconds / steps
        for step in 0..<steps {
            let span = step * length..<(step == steps - 1 ? workout.seconds : (step + 1) * length)
            buffer.text("  <WorkoutActivity uuid=\"\(random.uuid())\"")
            buffer.date("startDate", workout.start + span.lowerBound)
            buffer.date("endDate", workout.start + span.upperBound)
            buffer.text(" duration=\"\(Double(span.count) / 60)\" durationUnit=\"min\">\n")
            if steps == 1 {
                writeEvents(workout, course, indent: "   ", to: &buffer)
            } else {
                buffer.text("   <MetadataEntry key=\"WOIntervalStepKeyPath\" value=\"0.\(step).0\"/>\n")
                buffer.text("   <MetadataEntry key=\"WOIntervalStepSuccessful\" value=\"\(step % 2)\"/>\n")
            }
            writeStatistics(workout, course, span, indent: "   ", to: &buffer)
            buffer.text("  </WorkoutActivity>\n")
        }
    }

    private func writeStatistics(
        _ workout: GeneratedWorkout, _ course: GeneratedCourse, _ span: Range<Int>, indent: String,
        to buffer: inout GeneratorBuffer
    ) {
        func open(_ type: String) {
            buffer.text("\(indent)<WorkoutStatistics type=\"HKQuantityTypeIdentifier\(type)\"")
            buffer.date("startDate", workout.start + span.lowerBound)
            buffer.date("endDate", workout.start + span.upperBound)
        }
        open("ActiveEnergyBurned")
        buffer.number("sum", workout.energy(course, span.lowerBound, span.upperBound), digits: 3)
        buffer.text(" unit=\"\(buffer.style.energyUnit)\"/>\n")
        if let type = workout.activity.distanceType {
            let distance = course.distances[span.upperBound] - course.distances[span.lowerBound]
            let length = buffer.style.measure(distance, digits: 5, unit: "km")
            open(type)
            buffer.number("sum", length.value, digits: length.digits)
            buffer.text(" unit=\"\(length.unit)\"/>\n")
        }
        let rates = course.rates[span]
        open("HeartRate")
        buffer.number("average", rates.reduce(0, +) * 100 / rates.count, digits: 2)
        buffer.number("minimum", rates.min() ?? 0, digits: 0)
        buffer.number("maximum", rates.max() ?? 0, digits: 0)
        buffer.text(" unit=\"count/min\"/>\n")
    }

    private func writeRoute(
        _ route: GeneratedRoute, _ routes: inout [GeneratedRoute], to buffer: inout GeneratorBuffer
    ) throws {
        let (files, workout) = (GeneratorRoutes(clock: clock), route.workout)
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
