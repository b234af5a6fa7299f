extension LocalClock {
    /// Parses `2024`, `2024-01` or `2024-01-31`; a day may be followed by ` 08:30`, `T08:30:15` or
    /// `T08:30:15.250`, and a time by `Z`, `+01:00` or `+0100`. Without an offset, the text is in this clock's
    /// time zone. Returns `nil` for any other text, and for a year after 9999. The year 0 occurs in the texts of this
    /// clock, where the year 1 of UTC begins.
    package func instant(of text: some StringProtocol) -> Double? {
        guard let parts = ParsedDate(text) else { return nil }
        guard let zone = parts.zone else {
            return Double(instant(ofWallSecond: parts.second)) + parts.fraction
        }
        return Double(parts.second - zone) + parts.fraction
    }
}

/// The components of a date in a text.
private struct ParsedDate {
    /// Seconds since 2001-01-01 00:00:00 in the text's own time zone.
    var second: Int
    var fraction = 0.0
    /// The offset from UTC in seconds, if the text has one.
    var zone: Int?

    init?(_ text: some StringProtocol) {
        var rest = Array(text.utf8)[...]
        func digits(_ count: Int) -> Int? {
            guard rest.count >= count, rest.prefix(count).allSatisfy({ (48...57).contains($0) }) else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).reduce(0) { $0 * 10 + Int($1 - 48) }
        }
        func accept(_ letters: String) -> Bool {
            guard let first = rest.first, letters.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = digits(4) else { return nil }
        var (month, day) = (1, 1)
        var (hasDay, hasTime) = (false, false)
        if accept("-") {
            guard let given = digits(2) else { return nil }
            month = given
            if accept("-") {
                guard let given = digits(2) else { return nil }
                day = given
                hasDay = true
            }
        }
        // The year 0 is a leap year, as 400 is.
        guard CivilDate.isValid(year: year == 0 ? 400 : year, month: month, day: day) else { return nil }
        second = CivilDate.dayNumber(year: year, month: month, day: day) * 86_400
        if hasDay, accept("T ") {
            guard let hour = digits(2), hour < 24, accept(":"), let minute = digits(2), minute < 60 else { return nil }
            second += hour * 3_600 + minute * 60
            hasTime = true
            if accept(":") {
                guard let given = digits(2), given < 61 else { return nil }
                second += given
                if accept(".") {
                    var scale = 0.1
                    guard let first = digits(1) else { return nil }
                    fraction = Double(first) * scale
                    while let digit = digits(1) {
                        scale /= 10
                        fraction += Double(digit) * scale
                    }
                }
            }
        }
        if hasTime, !rest.isEmpty {
            _ = accept(" ")
            if accept("Zz") {
                zone = 0
            } else {
                let sign = accept("+") ? 1 : accept("-") ? -1 : 0
                guard sign != 0, let hours = digits(2), hours < 24 else { return nil }
                _ = accept(":")
                guard let minutes = digits(2), minutes < 60 else { return nil }
                zone = sign * (hours * 3_600 + minutes * 60)
            }
        }
        guard rest.isEmpty else { return nil }
    }
}

extension LocalClock {
    /// The maximum number of bytes written by ``writeInstant(_:to:)``.
    package static let maximumInstantLength = 32
    /// The number of bytes written by ``writeDay(_:to:)``.
    package static let dayLength = 10

    /// Writes `2024-01-31T08:30:00+01:00`, with three or six fractional digits if there are any, and returns the
    /// number of bytes written. A local time after the year 9999 is written in UTC.
    ///
    /// - Parameter target: Memory for ``maximumInstantLength`` bytes.
    package func writeInstant(_ instant: Double, to target: UnsafeMutablePointer<UInt8>) -> Int {
        var second = Self.wholeSecond(instant)
        // Stored instants are sums of doubles; anything below a microsecond is rounding error.
        let fraction = instant - Double(second)
        var micros = (0..<1).contains(fraction) ? Int((fraction * 1e6).rounded()) : 0
        if micros == 1_000_000 {
            (second, micros) = second < Self.lastSecond ? (second + 1, 0) : (second, 999_999)
        }
        var offset = offset(at: second)
        // Mean solar times of the 19th century have seconds, which a text can't express. Nor can it the year 10000.
        offset -= offset % 60
        if second + offset > Self.lastSecond { offset = 0 }
        let wall = second + offset
        let day = wall >= 0 ? wall / 86_400 : (wall + 1) / 86_400 - 1
        let clock = wall - day * 86_400
        Self.writeDay(day, to: target)
        target[10] = UInt8(ascii: "T")
        Self.writeTwo(clock / 3_600, to: target + 11)
        target[13] = UInt8(ascii: ":")
        Self.writeTwo(clock / 60 % 60, to: target + 14)
        target[16] = UInt8(ascii: ":")
        Self.writeTwo(clock % 60, to: target + 17)
        var length = 19
        if micros > 0 {
            let digits = micros % 1_000 == 0 ? 3 : 6
            target[length] = UInt8(ascii: ".")
            var rest = digits == 3 ? micros / 1_000 : micros
            for place in (1...digits).reversed() {
                target[length + place] = UInt8(48 + rest % 10)
                rest /= 10
            }
            length += 1 + digits
        }
        let minutes = abs(offset) / 60
        target[length] = offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")
        Self.writeTwo(minutes / 60, to: target + length + 1)
        target[length + 3] = UInt8(ascii: ":")
        Self.writeTwo(minutes % 60, to: target + length + 4)
        return length + 6
    }

    /// Writes `2024-01-31`.
    ///
    /// - Parameters:
    ///   - number: The day number, where day 0 is 2001-01-01; in the years 0 to 9999.
    ///   - target: Memory for ``dayLength`` bytes.
    package static func writeDay(_ number: Int, to target: UnsafeMutablePointer<UInt8>) {
        let date = CivilDate.date(dayNumber: number)
        writeTwo(max(0, date.year) / 100, to: target)
        writeTwo(max(0, date.year) % 100, to: target + 2)
        target[4] = UInt8(ascii: "-")
        writeTwo(date.month, to: target + 5)
        target[7] = UInt8(ascii: "-")
        writeTwo(date.day, to: target + 8)
    }

    /// An instant in the form `2024-01-31T08:30:00+01:00`.
    package func text(_ instant: Double) -> String {
        String(unsafeUninitializedCapacity: Self.maximumInstantLength) { writeInstant(instant, to: $0.baseAddress!) }
    }

    /// The local day of an instant, in the form `2024-01-31`.
    package func dayText(_ instant: Double) -> String {
        Self.dayText(number: dayNumber(at: instant))
    }

    /// A day by its number, in the form `2024-01-31`.
    package static func dayText(number: Int) -> String {
        String(unsafeUninitializedCapacity: dayLength) {
            writeDay(number, to: $0.baseAddress!)
            return dayLength
        }
    }

    private static func writeTwo(_ number: Int, to target: UnsafeMutablePointer<UInt8>) {
        target[0] = UInt8(48 + number / 10 % 10)
        target[1] = UInt8(48 + number % 10)
    }
}
