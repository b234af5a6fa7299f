import HealthFiles
import HealthFormats
import HealthModel

/// Writes the points of a route as GPX 1.1, in Apple's form: the counterpart of ``GPXReader``.
///
/// Numbers have six decimals like Apple's, or as many as in the file they were imported from, or more if necessary to
/// read the same number; instants have fractions only if necessary. The accuracy of course and speed, which Apple's
/// files do not have, is written if it is known.
enum GPXWriter {
    static let courseAccuracy: StaticString = "cAcc"
    static let speedAccuracy: StaticString = "sAcc"

    /// The file of a track with this name, in an archive with the export date `exported`.
    static func bytes(_ track: RouteTrack, name: String, exported: Double) -> [UInt8] {
        var text = RouteText(decimals: RouteDecimals.Number.allCases.map { track.decimals.count(of: $0) })
        text.reserve(600 + track.count * 240)
        text.beginGPX(creator: "Apple Health Export", time: exported.rounded(.down))
        text.beginTrack(name: AttributeText.encode(name))
        text.beginSegment()
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
        text.endSegment()
        text.endTrack()
        text.endGPX()
        return text.bytes
    }
}

extension RouteText {
    /// Appends a number with the decimals of its kind, or with more if it would otherwise be read as another number.
    fileprivate mutating func number(_ value: Double, _ kind: RouteDecimals.Number) {
        number(value, decimals: decimals[kind.rawValue])
    }

    /// Appends an additional element.
    fileprivate mutating func extra(_ name: StaticString, _ value: Double) {
        self += "<"
        self += name
        self += ">"
        number(value, decimals: nil)
        self += "</"
        self += name
        self += ">"
    }
}
