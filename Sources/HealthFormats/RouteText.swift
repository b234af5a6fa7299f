import HealthJSON
import HealthModel

/// The text of a file with routes: numbers, instants in UTC, and what every GPX file has.
package struct RouteText {
    package private(set) var bytes: [UInt8] = []
    /// The decimals of each kind of number, `nil` for as many as it needs.
    package let decimals: [Int?]
    /// The last day that was written, and its text.
    private var day = Int.min
    private var dayText: [UInt8] = []

    private static let powersOfTen: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

    package init(decimals: [Int?] = []) {
        self.decimals = decimals
    }

    package mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(count)
    }

    /// Removes what was written, and returns it.
    package mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    package static func += (text: inout RouteText, string: String) {
        text.bytes.append(contentsOf: string.utf8)
    }

    package static func += (text: inout RouteText, string: StaticString) {
        text.bytes.append(contentsOf: UnsafeBufferPointer(start: string.utf8Start, count: string.utf8CodeUnitCount))
    }

    package static func += (text: inout RouteText, bytes: [UInt8]) {
        text.bytes += bytes
    }

    // MARK: Numbers

    /// Appends a number with some decimals, or with more if it would otherwise be read as another number.
    package mutating func number(_ value: Double, decimals count: Int?) {
        guard let count else { return self += Self.shortest(value) }
        if count < Self.powersOfTen.count {
            let power = Self.powersOfTen[count]
            let scaled = (value * power).rounded()
            // Both are whole numbers below 2^53, and the division rounds as reading the text does.
            if abs(scaled) < 9e15, scaled / power == value, !(scaled == 0 && value.sign == .minus) {
                return fixed(Int64(scaled), decimals: count)
            }
        }
        var text = Self.shortest(value)
        if !text.contains("e") {
            let given = text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) - 1 } ?? 0
            if given == 0, count > 0 { text += "." }
            text += String(repeating: "0", count: max(0, count - given))
        }
        self += text
    }

    /// Appends the fewest digits of a number, without an exponent, which schemas of XML don't allow. What isn't below
    /// 9 · 10^9, which nobody measures, becomes that.
    package mutating func decimal(_ value: Double) {
        let value = value.isNaN ? 0 : min(max(value, -9e9), 9e9)
        let text = Self.shortest(value)
        if text.contains("e") { fixed(Int64((value * 1e9).rounded()), decimals: 9) } else { self += text }
    }

    private static func shortest(_ value: Double) -> String {
        if value == 0, value.sign == .minus { return "-0.0" }
        return ShortestNumber.shortest(value) ?? value.description
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

    // MARK: Instants

    /// An instant in UTC, with as many digits of a second's fraction as it needs.
    package mutating func time(_ instant: Double) {
        let instant = min(max(instant, Double(LocalClock.firstSecond)), Double(LocalClock.lastSecond))
        let whole = Int(instant.rounded(.down))
        let (day, second) = CivilDate.split(whole)
        if day != self.day { (self.day, dayText) = (day, Array(LocalClock.dayText(number: day).utf8)) }
        bytes += dayText
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
                self += text
                return
            }
        }
    }

    private mutating func pair(_ number: Int) {
        bytes.append(UInt8(ascii: "0") + UInt8(number / 10))
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}

/// The elements of every GPX 1.1 file. Names are written unescaped, so they must have no markup.
extension RouteText {
    /// Begins a file.
    ///
    /// - Parameters:
    ///   - comment: What stands before the root.
    ///   - schemas: The prefixes, namespaces and addresses of the schemas of extensions.
    ///   - time: The instant of the file.
    package mutating func beginGPX(
        creator: String, comment: String? = nil, schemas: [(prefix: String, namespace: String, address: String)] = [],
        time: Double?
    ) {
        self += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        if let comment { self += "<!-- \(comment) -->\n" }
        self += """
            <gpx version="1.1" creator="\(creator)" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
            """
        for schema in schemas { self += " xmlns:\(schema.prefix)=\"\(schema.namespace)\"" }
        self += " xsi:schemaLocation=\"http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd"
        for schema in schemas { self += " \(schema.namespace) \(schema.address)" }
        self += "\">\n"
        guard let time else { return }
        self += "  <metadata>\n    <time>"
        self.time(time)
        self += "</time>\n  </metadata>\n"
    }

    package mutating func beginTrack(name: String, type: String? = nil) {
        self += "  <trk>\n    <name>\(name)</name>\n"
        if let type { self += "    <type>\(type)</type>\n" }
    }

    package mutating func beginSegment() { self += "    <trkseg>\n" }

    package mutating func endSegment() { self += "    </trkseg>\n" }

    package mutating func endTrack() { self += "  </trk>\n" }

    package mutating func endGPX() { self += "</gpx>\n" }
}
