import Foundation
import HealthModel

/// Writes routes as GPX files, or as points inside the workout for format version 8.
struct GeneratorRoutes {
    let clock: GeneratorClock

    /// The path of the file of a route that ends at `end`, with the local time as on iOS.
    func path(end: Int) -> String {
        "/workout-routes/route_" + name(end, mark: ".") + ".gpx"
    }

    /// Writes the GPX file of a route.
    func writeFile(_ route: GeneratedRoute, to buffer: inout GeneratorBuffer) throws {
        buffer.text(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Apple Health Export" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xmlns="http://www.topografix.com/GPX/1/1" xsi:schemaLocation="http://www.topografix.com/GPX/1/1 \
            http://www.topografix.com/GPX/1/1/gpx.xsd">
              <metadata>
                <time>\(clock.utcText(clock.exportSecond))</time>
              </metadata>
              <trk>
                <name>Route \(name(route.workout.end, mark: ":").replacing("_", with: " "))</name>
                <trkseg>

            """)
        for point in route.points {
            buffer.text("      <trkpt lon=\"")
            buffer.appendNumber(point.longitude, digits: 6)
            buffer.text("\" lat=\"")
            buffer.appendNumber(point.latitude, digits: 6)
            buffer.text("\"><ele>")
            buffer.appendNumber(point.altitude, digits: 3)
            buffer.text("</ele><time>\(clock.utcText(point.second))</time><extensions><speed>")
            buffer.appendNumber(point.speed, digits: 2)
            buffer.text("</speed><course>")
            buffer.appendNumber(point.course, digits: 1)
            buffer.text("</course><hAcc>")
            buffer.appendNumber(point.accuracy, digits: 1)
            buffer.text("</hAcc><vAcc>")
            buffer.appendNumber(point.accuracy / 2, digits: 1)
            buffer.text("</vAcc></extensions></trkpt>\n")
            try buffer.flushIfLarge()
        }
        buffer.text("    </trkseg>\n  </trk>\n</gpx>\n")
    }

    /// Writes the points as `Location` elements.
    func writeLocations(_ route: GeneratedRoute, to buffer: inout GeneratorBuffer) throws {
        for point in route.points {
            buffer.text("   <Location")
            buffer.date("date", point.second)
            buffer.number("latitude", point.latitude, digits: 6)
            buffer.number("longitude", point.longitude, digits: 6)
            buffer.number("altitude", point.altitude, digits: 3)
            buffer.number("horizontalAccuracy", point.accuracy, digits: 1)
            buffer.number("verticalAccuracy", point.accuracy / 2, digits: 1)
            buffer.number("course", point.course, digits: 1)
            buffer.number("speed", point.speed, digits: 2)
            buffer.text("/>\n")
            try buffer.flushIfLarge()
        }
    }

    /// `2019-06-11_3.00pm`
    private func name(_ second: Int, mark: String) -> String {
        let local = clock.localSecond(second)
        let (year, month, day) = GeneratorClock.day(local)
        let (hour, minute) = (CivilDate.split(local).second / 3_600, CivilDate.split(local).second / 60 % 60)
        return "\(year)-\(GeneratorLocale.pad(month))-\(GeneratorLocale.pad(day))_\((hour + 11) % 12 + 1)\(mark)"
            + GeneratorLocale.pad(minute) + (hour < 12 ? "am" : "pm")
    }
}

/// The route of a workout: a smooth loop that begins and ends at home, as long as the workout's distance. Its points are
/// computed from the workout's seed, so that routes need little memory until they are written.
struct GeneratedRoute {
    var workout: GeneratedWorkout
    /// The path in the archive's folder, with a leading slash.
    var path: String

    struct Point {
        /// Seconds since 2001.
        var second: Int
        /// Millionths of a degree.
        var latitude: Int
        var longitude: Int
        /// Thousandths of a metre.
        var altitude: Int
        /// Hundredths of a metre per second.
        var speed: Int
        /// Tenths of a degree; -10 if unknown.
        var course: Int
        /// Tenths of a metre.
        var accuracy: Int
    }

    /// The two hills of a loop, in thousandths of a metre.
    private var hill: Int { 4_000 + Int(workout.seed % 14_000) }
    /// The elevation gain, in thousandths of a metre.
    var climb: Int { 2 * hill }

    /// The points: one every few seconds, occasionally two in one second, as on iOS.
    var points: [Point] {
        var random = GeneratorRandom(seed: workout.seed ^ 0x5EED)
        let distances = workout.course().distances
        let (count, bend) = (Double(random.integer(2...4)), Double(random.integer(30...80)) / 100)
        let (turn, phase) = (Double(random.integer(0...628)) / 100, Double(random.integer(0...628)) / 100)
        /// The direction in radians. Each of the equal parts is the one before it, turned, so that the loop is closed.
        func direction(_ share: Double) -> Double {
            turn + 2 * .pi * share + bend * sin(2 * .pi * count * share + phase)
        }
        // Centimeters from home.
        var (north, east) = (0.0, 0.0)
        var points: [Point] = []
        var next = 0
        for second in 0...workout.seconds {
            let (last, distance) = (distances[max(0, second - 1)], distances[second])
            let share = Double(distance) / Double(distances[workout.seconds])
            let way = direction(Double(last + distance) / 2 / Double(distances[workout.seconds]))
            north += Double(distance - last) * cos(way)
            east += Double(distance - last) * sin(way)
            let (before, after) = (max(0, second - 2), min(workout.seconds, second + 2))
            let speed = (distances[after] - distances[before]) / (after - before)
            while next == second {
                let degrees = (Int(way * 1_800 / .pi) % 3_600 + 3_600) % 3_600
                points.append(
                    Point(
                        second: workout.start + second,
                        latitude: 40_781_000 + Int((north * 0.08993).rounded()) + random.integer(-4...4),
                        longitude: -73_967_000 + Int((east * 0.11876).rounded()) + random.integer(-5...5),
                        altitude: 24_000 + Int(Double(hill) * (1 - cos(4 * .pi * share)) / 2),
                        speed: speed, course: speed < 30 || random.chance(40) ? -10 : degrees,
                        accuracy: random.integer(12...92)))
                next += random.chance(30) ? 0 : random.integer(2...9)
            }
        }
        return points
    }
}
