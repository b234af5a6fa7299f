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

/// The text of a GPX file.
struct GPXText {
    private(set) var bytes: [UInt8] = []
    private let decimals: [Int?]
    /// The last day that was written, and its text.
    private var day = Int.min
    private var dayText: [UInt8] = []

    private static let powersOfTen: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

    init(decimals: RouteDecimals) {
        self.decimals = RouteDecimals.Number.allCases.map { decimals.count(of: $0) }
    }

    mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(count)
    }

    static func += (text: inout GPXText, string: String) {
        text.bytes.append(contentsOf: string.utf8)
    }

    static func += (text: inout GPXText, string: StaticString) {
        text.bytes.append(contentsOf: UnsafeBufferPointer(start: string.utf8Start, count: string.utf8CodeUnitCount))
    }

    /// Appends a number with the decimals of its kind, or with more if it would otherwise be read as another number.
    mutating func number(_ value: Double, _ kind: RouteDecimals.Number) {
        guard let count = decimals[kind.rawValue] else {
            bytes.append(contentsOf: ArchiveNumber.print(value).utf8)
            return
        }
        if count < Self.powersOfTen.count {
            let power = Self.powersOfTen[count]
            let scaled = (value * power).rounded()
            // Both are whole numbers below 2^53, and the division rounds as reading the text does.
            if abs(scaled) < 9e15, scaled / power == value, !(scaled == 0 && value.sign == .minus) {
                return fixed(Int64(scaled), decimals: count)
            }
        }
        var text = ArchiveNumber.print(value)
        if !text.contains("e") {
            let given = text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) - 1 } ?? 0
            if given == 0, count > 0 { text += "." }
            text += String(repeating: "0", count: max(0, count - given))
        }
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends an additional element.
    mutating func extra(_ name: StaticString, _ value: Double) {
        self += "<"
        self += name
        self += ">"
        bytes.append(contentsOf: ArchiveNumber.print(value).utf8)
        self += "</"
        self += name
        self += ">"
    }

    /// An instant in UTC, with as many digits of a second's fraction as it needs.
    mutating func time(_ instant: Double) {
        let instant = ArchiveDate.bounded(instant)
        let whole = Int(instant.rounded(.down))
        let day = whole >= 0 ? whole / 86_400 : (whole - 86_399) / 86_400
        if day != self.day {
            self.day = day
            dayText = Array(ArchiveDate.printDay(day).utf8)
        }
        let second = whole - day * 86_400
        bytes.append(contentsOf: dayText)
        bytes.append(UInt8(ascii: "T"))
        pair(second / 3_600)
        bytes.append(UInt8(ascii: ":"))
        pair(second / 60 % 60)
        bytes.append(UInt8(ascii: ":"))
        pair(second % 60)
        if instant != Double(whole) { fraction(of: instant, whole) }
        bytes.append(UInt8(ascii: "Z"))
    }

    private mutating func fraction(of instant: Double, _ whole: Int) {
        for count in 1..<Self.powersOfTen.count {
            let power = Self.powersOfTen[count]
            let digits = ((instant - Double(whole)) * power).rounded()
            if digits < power, Double(whole) + digits / power == instant || count == Self.powersOfTen.count - 1 {
                let text = String(Int(digits))
                bytes.append(UInt8(ascii: "."))
                bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: count - text.utf8.count))
                bytes.append(contentsOf: text.utf8)
                return
            }
        }
    }

    /// Appends a number given in units of its last decimal.
    private mutating func fixed(_ scaled: Int64, decimals: Int) {
        if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = scaled.magnitude
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { digits in
            var count = 0
            while rest > 0 || count <= decimals {
                digits[count] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
                count += 1
            }
            for index in stride(from: count - 1, through: 0, by: -1) {
                bytes.append(digits[index])
                if index == decimals, decimals > 0 { bytes.append(UInt8(ascii: ".")) }
            }
        }
    }

    private mutating func pair(_ number: Int) {
        bytes.append(UInt8(ascii: "0") + UInt8(number / 10))
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
