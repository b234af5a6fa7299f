/// A date in a text: ISO 8601, and the forms like it that programs write. The counterparts are ``LocalClock/text(_:)`` and `InstantWriter`.
///
/// Accepts `2024`, `2024-01` and `2024-01-31`. A day may be followed by `T` or a space, a time of day with or without seconds and
/// a fraction of them, and an offset: `Z`, `+01:00`, `+0100` or `+01`, also after a space. `20240131083000+0100` is a date, too.
package struct DateText {
    /// The smallest unit of a text.
    package enum Precision: Comparable {
        case year, month, day, minute, second, fraction
    }

    /// Seconds since 2001-01-01 00:00:00 in the text's own time zone, without a fraction.
    package private(set) var wallSecond = 0
    /// Seconds east of UTC, if the text has an offset.
    package private(set) var offset: Int?
    package private(set) var precision = Precision.second
    /// The digits after the point: the number that up to nine of them are, or else the digits.
    private var fraction = (number: 0, scale: 1, digits: String?.none)

    /// Reads a text; `nil` for any other one. The year 0 occurs in texts of local time where the year 1 of UTC begins.
    package init?(_ text: UnsafeBufferPointer<UInt8>) {
        var scanner = Scanner(text: text)
        guard readFixed(&scanner) || readCompact(&scanner) || readParts(&scanner) else { return nil }
        if precision == .second, scanner.accept(".", ",") {
            guard readFraction(&scanner) else { return nil }
        }
        if precision >= .minute, scanner.place < text.count {
            _ = scanner.accept(" ", " ")
            offset = scanner.offset()
            guard offset != nil else { return nil }
        }
        guard scanner.place == text.count else { return nil }
    }

    /// Reads a text; `nil` for any other one.
    package init?(_ text: String) {
        var text = text
        guard let date = text.withUTF8({ DateText($0) }) else { return nil }
        self = date
    }

    /// The day number of a text in the form `2024-01-31`, in the years 1 to 9999; `nil` for any other text.
    package static func day(_ text: String) -> Int? {
        guard let date = DateText(text), date.precision == .day, date.wallSecond >= LocalClock.firstSecond else {
            return nil
        }
        return CivilDate.split(date.wallSecond).day
    }

    /// The nearest number to the instant in seconds since 2001.
    ///
    /// - Parameter offset: Seconds east of UTC.
    package func instant(offset: Int) -> Double {
        let second = wallSecond - offset
        guard precision == .fraction else { return Double(second) }
        if fraction.digits == nil {
            let (product, overflow) = second.multipliedReportingOverflow(by: fraction.scale)
            // Both numbers are exact, so the quotient is the nearest number.
            if !overflow, abs(product) < 1 << 52 { return Double(product + fraction.number) / Double(fraction.scale) }
        }
        let digits = fraction.digits ?? String(String(fraction.scale + fraction.number).dropFirst())
        if second >= 0 { return Double("\(second).\(digits)") ?? Double(second) }
        // -3 + 0.25 is -2.75: the complement of the digits, under the next higher whole second.
        var complement = digits.utf8.map { 57 - ($0 - 48) }
        var index = complement.count - 1
        while index >= 0 {
            complement[index] += 1
            guard complement[index] > 57 else { break }
            complement[index] = 48
            index -= 1
        }
        let whole = index < 0 ? -second : -second - 1
        return Double("-\(whole).\(String(decoding: complement, as: UTF8.self))") ?? Double(second)
    }

    // MARK: - Forms

    /// Reads `2024-01-31T08:30:00`, with `T` or a space, at fixed places: nearly every text of a program.
    @inline(__always)
    private mutating func readFixed(_ scanner: inout Scanner) -> Bool {
        let text = scanner.text
        guard text.count >= 19, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: " "), text[13] == UInt8(ascii: ":"),
            text[16] == UInt8(ascii: ":")
        else { return false }
        return read(in: &scanner, year: 0, month: 5, day: 8, hour: 11, minute: 14, second: 17)
    }

    /// Reads `20240131083000` before an offset, which the first version of iOS 8 wrote and clinical documents have.
    private mutating func readCompact(_ scanner: inout Scanner) -> Bool {
        guard scanner.text.count == 19, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(scanner.text[14]) else {
            return false
        }
        return read(in: &scanner, year: 0, month: 4, day: 6, hour: 8, minute: 10, second: 12)
    }

    /// Reads parts of two digits at these places.
    @inline(__always)
    private mutating func read(
        in scanner: inout Scanner, year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
    ) -> Bool {
        let text = scanner.text
        var isNumeric = true
        @inline(__always) func pair(_ place: Int) -> Int {
            let (ten, one) = (text[place] &- 48, text[place + 1] &- 48)
            if ten > 9 || one > 9 { isNumeric = false }
            return Int(ten) * 10 + Int(one)
        }
        let date = (pair(year) * 100 + pair(year + 2), pair(month), pair(day))
        let time = (pair(hour), pair(minute), pair(second))
        guard isNumeric, setDay(date.0, date.1, date.2), time.0 < 24, time.1 < 60, time.2 < 60 else { return false }
        wallSecond += time.0 * 3_600 + time.1 * 60 + time.2
        (scanner.place, precision) = (second + 2, .second)
        return true
    }

    private mutating func readParts(_ scanner: inout Scanner) -> Bool {
        guard let year = scanner.digits(4) else { return false }
        var (month, day) = (1, 1)
        precision = .year
        if scanner.accept("-", "-") {
            guard let given = scanner.digits(2) else { return false }
            (month, precision) = (given, .month)
            if scanner.accept("-", "-") {
                guard let given = scanner.digits(2) else { return false }
                (day, precision) = (given, .day)
            }
        }
        guard setDay(year, month, day) else { return false }
        guard precision == .day, scanner.accept("T", "t") || scanner.accept(" ", " ") else { return true }
        guard let hour = scanner.digits(2), hour < 24, scanner.accept(":", ":"), let minute = scanner.digits(2),
            minute < 60
        else { return false }
        wallSecond += hour * 3_600 + minute * 60
        precision = .minute
        if scanner.accept(":", ":") {
            guard let second = scanner.digits(2), second < 60 else { return false }
            wallSecond += second
            precision = .second
        }
        return true
    }

    @inline(__always)
    private mutating func setDay(_ year: Int, _ month: Int, _ day: Int) -> Bool {
        // The year 0 is a leap year, as 400 is.
        guard CivilDate.isValid(year: year == 0 ? 400 : year, month: month, day: day) else { return false }
        wallSecond = CivilDate.second(year: year, month: month, day: day)
        return true
    }

    private mutating func readFraction(_ scanner: inout Scanner) -> Bool {
        let start = scanner.place
        while scanner.place < scanner.text.count, scanner.text[scanner.place] &- 48 <= 9 {
            if scanner.place - start < 9 {
                fraction.number = fraction.number * 10 + Int(scanner.text[scanner.place] - 48)
                fraction.scale *= 10
            }
            scanner.place += 1
        }
        let digits = UnsafeBufferPointer(rebasing: scanner.text[start..<scanner.place])
        if digits.count > 9 { fraction.digits = String(decoding: digits, as: UTF8.self) }
        precision = .fraction
        return !digits.isEmpty
    }

    private struct Scanner {
        let text: UnsafeBufferPointer<UInt8>
        var place = 0

        mutating func digits(_ count: Int) -> Int? {
            guard place + count <= text.count else { return nil }
            var number = 0
            for index in place..<place + count {
                guard text[index] &- 48 <= 9 else { return nil }
                number = number * 10 + Int(text[index] - 48)
            }
            place += count
            return number
        }

        @inline(__always)
        mutating func accept(_ one: Unicode.Scalar, _ other: Unicode.Scalar) -> Bool {
            guard place < text.count, text[place] == UInt8(ascii: one) || text[place] == UInt8(ascii: other) else {
                return false
            }
            place += 1
            return true
        }

        /// The seconds of an offset from UTC; `nil` for another text.
        mutating func offset() -> Int? {
            if accept("Z", "z") { return 0 }
            let sign = accept("+", "+") ? 1 : accept("-", "-") ? -1 : 0
            guard sign != 0, let hours = digits(2), hours <= 18 else { return nil }
            guard place < text.count else { return sign * hours * 3_600 }
            _ = accept(":", ":")
            guard let minutes = digits(2), minutes < 60 else { return nil }
            return sign * (hours * 3_600 + minutes * 60)
        }
    }
}
