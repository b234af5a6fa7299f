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
                <name>Route \(name(route.end, mark: ":").replacing("_", with: " "))</name>
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
        let (hour, minute) = ((local % 86_400 + 86_400) % 86_400 / 3_600, (local % 3_600 + 3_600) % 3_600 / 60)
        return "\(year)-\(GeneratorLocale.pad(month))-\(GeneratorLocale.pad(day))_\((hour + 11) % 12 + 1)\(mark)"
            + GeneratorLocale.pad(minute) + (hour < 12 ? "am" : "pm")
    }
}

/// The route of a workout. Its points are computed from a seed, so that routes need little memory until they are
/// written.
struct GeneratedRoute {
    /// Seconds since 2001, whole.
    var start: Int
    var end: Int
    var seed: UInt64
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

    /// The points: one every few seconds, occasionally two in one second, as on iOS.
    var points: [Point] {
        var random = GeneratorRandom(seed: seed)
        var point = Point(
            second: start, latitude: 40_780_000 + random.integer(-9_000...9_000),
            longitude: -73_960_000 + random.integer(-9_000...9_000), altitude: random.integer(20_000...40_000),
            speed: 0, course: -10, accuracy: 42)
        var (north, east) = (random.integer(-60...60), random.integer(-60...60))
        var points: [Point] = []
        while point.second <= end {
            points.append(point)
            point.second += random.chance(30) ? 0 : random.integer(2...9)
            if random.chance(120) { (north, east) = (random.integer(-60...60), random.integer(-60...60)) }
            point.latitude += north + random.integer(-5...5)
            point.longitude += east + random.integer(-5...5)
            point.altitude += random.integer(-300...300)
            point.speed = random.integer(80...390)
            point.course = random.chance(40) ? -10 : random.integer(0...3_599)
            point.accuracy = random.integer(12...92)
        }
        return points
    }
}
