/// Routes as files of their own, and as the points that version 8 wrote into the workout.
struct GeneratorRoutes {
    let clock: GeneratorClock

    /// The file of a route that ends at `end`, named by the wall clock as telephones do.
    func path(end: Int) -> String {
        "/workout-routes/route_" + name(end, mark: ".") + ".gpx"
    }

    /// Writes the route's GPX file.
    func writeFile(_ route: GeneratedRoute, to buffer: inout GeneratorBuffer) throws {
        buffer.text(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Apple Health Export" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xmlns="http://www.topografix.com/GPX/1/1" xsi:schemaLocation="http://www.topografix.com/GPX/1/1 \
            http://www.topografix.com/GPX/1/1/gpx.xsd">
              <metadata>
                <time>\(utc(clock.exportSecond))</time>
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
            buffer.text("</ele><time>\(utc(point.second))</time><extensions><speed>")
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

    private func utc(_ second: Int) -> String {
        DateText.print(Double(second)).prefix(19).replacing(" ", with: "T") + "Z"
    }
}
