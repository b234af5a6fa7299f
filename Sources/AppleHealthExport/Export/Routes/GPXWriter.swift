import HealthModel

/// Writes the points of a route as Apple's GPX 1.1: the twin of ``GPXReader``.
///
/// Numbers have six decimals as Apple's do, or as many as the file had that they were read from; one that
/// needs more gets as many as it needs, so that it reads as the same number. So do instants that are no
/// whole seconds. What Apple's files leave out, the accuracy of course and speed, is written where it is known.
enum GPXWriter {
    static let courseAccuracy: StaticString = "cAcc"
    static let speedAccuracy: StaticString = "sAcc"

    /// The file of a track called `name`, in an archive made at the instant `exported`.
    static func bytes(_ track: RouteTrack, name: String, exported: Double) -> [UInt8] {
        var text = GPXText(decimals: track.decimals)
        text.reserve(600 + track.count * 240)
        text += """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Apple Health Export" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd">
              <metadata>
                <time>
            """
        text.time(exported.rounded(.down))
        text += "</time>\n  </metadata>\n  <trk>\n    <name>"
        text += AttributeText.encode(name)
        text += "</name>\n    <trkseg>\n"
        for point in track.points {
            text += "      <trkpt lon=\""
            text.number(point.longitude, .longitude)
            text += "\" lat=\""
            text.number(point.latitude, .latitude)
            text += "\"><ele>"
            text.number(point.altitude, .altitude)
            text += "</ele><time>"
            text.time(point.timestamp)
            text += "</time><extensions><speed>"
            text.number(point.speed, .speed)
            text += "</speed><course>"
            text.number(point.course, .course)
            text += "</course><hAcc>"
            text.number(point.horizontalAccuracy, .horizontalAccuracy)
            text += "</hAcc><vAcc>"
            text.number(point.verticalAccuracy, .verticalAccuracy)
            text += "</vAcc>"
            if point.courseAccuracy != RouteTrack.unknown { text.extra(courseAccuracy, point.courseAccuracy) }
            if point.speedAccuracy != RouteTrack.unknown { text.extra(speedAccuracy, point.speedAccuracy) }
            text += "</extensions></trkpt>\n"
        }
        text += "    </trkseg>\n  </trk>\n</gpx>\n"
        return text.bytes
    }
}
