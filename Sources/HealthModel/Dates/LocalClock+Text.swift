extension LocalClock {
    /// Reads a text that is a ``DateText``, in seconds since 2001; `nil` for any other text. Without an offset, it is in this clock's
    /// time zone.
    package func instant(of text: String) -> Double? { DateText(text).map(instant) }

    /// Reads a text that is a ``DateText``, in seconds since 2001; `nil` for any other text.
    package func instant(of text: UnsafeBufferPointer<UInt8>) -> Double? { DateText(text).map(instant) }

    /// The instant of a date, in this clock's time zone if it has no offset.
    package func instant(_ date: DateText) -> Double {
        date.instant(offset: date.offset ?? date.wallSecond - instant(ofWallSecond: date.wallSecond))
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
        let (day, clock) = CivilDate.split(wall)
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
