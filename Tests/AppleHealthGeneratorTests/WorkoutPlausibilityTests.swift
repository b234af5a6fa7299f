import AppleHealthGenerator
import ArchiveTestSupport
import Foundation
import ProcessTestSupport
import Testing

/// The figures that a reader of the demo computes: paces, cadences, heart rates and routes of each kind of workout.
@Suite("Plausible workouts")
struct WorkoutPlausibilityTests {
    private struct Sample {
        var start: Date
        var end: Date
        var value: Double
    }

    private struct Workout {
        var kind: String
        var start: Date
        var end: Date
        /// Kilometers of its statistics.
        var distance: Double
        var averageRate: Double
        /// The durations of its segments, in minutes: a kilometer each, if it has a distance.
        var segments: [Double]
        var route: String?
    }

    private static let made = Result { try archive() }

    private static func archive() throws -> (workouts: [Workout], samples: [String: [Sample]], folder: String) {
        let home = TemporaryHome.path + "/plausible"
        var options = GeneratorOptions(
            records: 60_000, seed: 5, exportDate: try Date("2025-11-16T12:00:00Z", strategy: .iso8601), timeZone: .gmt)
        options.dialect = ArchiveDialect("26")
        options.locale = "en_GB"
        options.hasDefects = false
        try ArchiveGenerator(options: options).write(toPath: home)
        let folder = home + "/apple_health_export"
        let text = try String(contentsOfFile: folder + "/export.xml", encoding: .utf8)
        var samples: [String: [Sample]] = [:]
        var workouts: [Workout] = []
        var isWhole = true
        for line in text.split(separator: "\n") {
            func value(_ name: String) -> String? {
                line.components(separatedBy: " \(name)=\"").dropFirst().first.map { String($0.prefix { $0 != "\"" }) }
            }
            func date(_ name: String) -> Date { Self.date(text: value(name) ?? "") }
            func number(_ name: String) -> Double { Double(value(name) ?? "") ?? .nan }
            if line.hasPrefix(" <Record "), let type = value("type"),
                ["HeartRate", "StepCount", "DistanceWalkingRunning", "DistanceCycling"].contains(where: type.hasSuffix)
            {
                samples[type, default: []].append(
                    Sample(start: date("startDate"), end: date("endDate"), value: number("value")))
            } else if line.hasPrefix(" <Workout ") {
                workouts.append(
                    Workout(
                        kind: String(value("workoutActivityType")!.dropFirst("HKWorkoutActivityType".count)),
                        start: date("startDate"), end: date("endDate"), distance: 0, averageRate: 0, segments: []))
            } else if line.hasPrefix("  <WorkoutStatistics "), let type = value("type") {
                if type.contains("Distance") { workouts[workouts.count - 1].distance = number("sum") }
                if type.hasSuffix("HeartRate") { workouts[workouts.count - 1].averageRate = number("average") }
            } else if line.hasPrefix("  <WorkoutEvent type=\"HKWorkoutEventTypeSegment\"") {
                workouts[workouts.count - 1].segments.append(number("duration"))
            } else if line.hasPrefix("   <FileReference ") {
                workouts[workouts.count - 1].route = value("path")
            }
            isWhole = isWhole && !line.contains("NaN")
        }
        #expect(isWhole && workouts.count > 25)
        return (workouts, samples, folder)
    }

    /// `2025-11-16 12:00:00 +0000`
    private static func date(text: String) -> Date {
        (try? Date(text.prefix(19).replacing(" ", with: "T") + "Z", strategy: .iso8601)) ?? .distantPast
    }

    private func during(_ workout: Workout, _ type: String) throws -> [Sample] {
        try Self.made.get().samples["HKQuantityTypeIdentifier" + type, default: []].filter {
            $0.start < workout.end && $0.end > workout.start
                || $0.start == $0.end && $0.start >= workout.start
                    && $0.start <= workout.end
        }
    }

    /// Minutes a kilometer, steps a minute, and the average heart rate.
    private static let ranges:
        [String: (pace: ClosedRange<Double>, cadence: ClosedRange<Double>, rate: ClosedRange<Double>)] = [
            "Running": (4.8...7.2, 150...182, 118...165), "Walking": (10.0...14, 95...125, 90...120),
            "Cycling": (2.2...3.3, 0...0, 115...150), "FunctionalStrengthTraining": (0...0, 0...0, 95...140),
        ]

    @Test(arguments: ranges.keys.sorted())
    func figures(kind: String) throws {
        let range = try #require(Self.ranges[kind])
        let workouts = try Self.made.get().workouts.filter { $0.kind == kind }
        #expect(workouts.count > 5)
        for workout in workouts {
            let minutes = workout.end.timeIntervalSince(workout.start) / 60
            let type = kind == "Cycling" ? "DistanceCycling" : "DistanceWalkingRunning"
            let distances = try during(workout, type)
            let rates = try during(workout, "HeartRate").sorted { $0.start < $1.start }.map(\.value)
            #expect(range.rate.contains(workout.averageRate), "\(kind): \(workout.averageRate)")
            // A curve: four values a minute, near each other, that begins low.
            #expect(Double(rates.count) > 3.5 * minutes && rates[0] < 95, "\(kind): \(rates.count) in \(minutes)")
            #expect(zip(rates, rates.dropFirst()).allSatisfy { abs($0 - $1) < 22 })
            #expect(abs(rates.reduce(0, +) / Double(rates.count) - workout.averageRate) < 2)
            guard range.pace.upperBound > 0 else {
                #expect(distances.isEmpty && workout.distance == 0 && workout.route == nil)
                continue
            }
            #expect(range.pace.contains(minutes / workout.distance), "\(kind): \(minutes / workout.distance) min/km")
            #expect(abs(distances.map(\.value).reduce(0, +) - workout.distance) < 0.001)
            // One segment for each whole kilometer, of a duration near the pace.
            #expect(workout.segments.count == Int(workout.distance))
            #expect(
                workout.segments.allSatisfy { $0 > range.pace.lowerBound * 0.7 && $0 < range.pace.upperBound * 1.4 })
            let steps = try during(workout, "StepCount")
            guard range.cadence.upperBound > 0 else { continue }
            #expect(range.cadence.contains(steps.map(\.value).reduce(0, +) / minutes), "\(kind)")
            for sample in steps {
                let cadence = sample.value * 60 / sample.end.timeIntervalSince(sample.start)
                #expect(
                    cadence < 200 && sample.start >= workout.start && sample.end <= workout.end, "\(kind): \(cadence)")
            }
        }
    }

    @Test("Intervals alternate between fast and slow, with the heart behind them")
    func intervals() throws {
        let run = try #require(try Self.made.get().workouts.first { $0.kind == "Running" })
        let rates = try during(run, "HeartRate").sorted { $0.start < $1.start }.map(\.value)
        let middle = rates[(rates.count / 3)..<(rates.count * 2 / 3)]
        #expect(middle.max()! > 155 && middle.min()! < 145 && rates.prefix(rates.count / 3).max()! < 150)
        let peaks = middle.indices.dropFirst(4).dropLast(4).filter { index in
            middle[index] > 152 && middle[index] == middle[(index - 4)...(index + 4)].max()
        }
        #expect(peaks.count >= 3)
    }

    @Test("A route is a smooth loop, as long as the workout's distance")
    func routes() throws {
        let (workouts, _, folder) = try Self.made.get()
        for workout in workouts {
            guard let route = workout.route else { continue }
            let text = try String(contentsOfFile: folder + route, encoding: .utf8)
            let points = text.matches(
                of:
                    /<trkpt lon="([-\d.]+)" lat="([-\d.]+)">.*<time>([^<]+)<\/time>.*<speed>([\d.]+)<\/speed><course>([-\d.]+)</
            ).map { match in
                let shrinkage = cos(40.781 * Double.pi / 180)
                let date = (try? Date(String(match.3), strategy: .iso8601)) ?? .distantPast
                return (
                    east: Double(match.1)! * 111_195 * shrinkage, north: Double(match.2)! * 111_195,
                    date: date, speed: Double(match.4)!, course: Double(match.5)!
                )
            }
            let steps = zip(points, points.dropFirst()).map { hypot($1.east - $0.east, $1.north - $0.north) }
            #expect(abs(steps.reduce(0, +) / 1_000 / workout.distance - 1) < 0.04, "\(workout.kind)")
            // It ends where it began.
            let ends = hypot(points.last!.east - points[0].east, points.last!.north - points[0].north)
            #expect(ends < 60, "\(ends) m")
            // The stated speeds lead to the places, and directions change slowly.
            for (index, step) in steps.enumerated() {
                let seconds = points[index + 1].date.timeIntervalSince(points[index].date)
                let speeds = (points[index].speed + points[index + 1].speed) / 2
                if seconds > 0 { #expect(abs(step / seconds - speeds) < max(1.6, speeds * 0.5), "\(workout.kind)") }
            }
            let courses = points.map(\.course).filter { $0 >= 0 }
            let turns = zip(courses, courses.dropFirst()).map {
                abs(($1 - $0 + 540).truncatingRemainder(dividingBy: 360) - 180)
            }
            #expect(turns.max()! < 40 && courses.count > points.count * 3 / 4, "\(turns.max()!)")
        }
    }

    /// `fhir.resources` and two validators are independent implementations of the standard.
    @Test("Clinical records are valid in the version that they name", arguments: ["18", "26"])
    func clinicalRecords(version: String) throws {
        let archive = try DialectArchive.of(version)
        let script = """
            import fhirkit, importlib, json, pathlib, pyrofile_validator, sys
            validator = pyrofile_validator.Validator()
            count = 0
            for file in pathlib.Path(sys.argv[1]).glob("*.json"):
                resource = json.loads(file.read_text())
                kind = resource["resourceType"]
                module = importlib.import_module("fhir.resources.R4B." + kind.lower())
                getattr(module, kind).model_validate(resource)
                issues = [str(issue) for issue in fhirkit.validate(resource)]
                issues += [i.message for i in validator.validate_resource(resource).issues if i.severity.name == "ERROR"]
                assert not issues, (kind, issues)
                count += 1
            print(count)
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent(".build/python/bin/python")
        process.arguments = ["-c", script, archive.folder + "/apple_health_export/clinical-records"]
        let run = try process.finish()
        #expect(run.status == 0 && run.output == "9\n", "\(run.errors)")
        let main = try archive.text()
        #expect(main.matches(of: /<ClinicalRecord [^>]* fhirVersion="4\.0\.1"/).count == 9)
    }
}
