extension LocalClock {
    /// Bytes an instant takes at the most when written by ``writeInstant(_:to:)``.
    public static let longestInstant = 32
    /// Bytes a day takes.
    public static let dayLength = 10

    /// Writes `2024-01-31T08:30:00+01:00`, with three or six digits after the seconds where there are any, and
    /// returns how many bytes that took.
    ///
    /// - Parameter target: room for ``longestInstant`` bytes.
    public func writeInstant(_ instant: Double, to target: UnsafeMutablePointer<UInt8>) -> Int {
        var second = Self.wholeSecond(instant)
        // Stored instants are sums of doubles; what lies below a microsecond is their rounding.
        let fraction = instant - Double(second)
        var micros = (0..<1).contains(fraction) ? Int((fraction * 1e6).rounded()) : 0
        if micros == 1_000_000 {
            second += 1
            micros = 0
        }
        let offset = offset(at: second)
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
    ///   - number: day 0 is 2001-01-01; in the years 0 to 9999.
    ///   - target: room for ``dayLength`` bytes.
    public static func writeDay(_ number: Int, to target: UnsafeMutablePointer<UInt8>) {
        let date = CivilDate.date(dayNumber: number)
        writeTwo(max(0, date.year) / 100, to: target)
        writeTwo(max(0, date.year) % 100, to: target + 2)
        target[4] = UInt8(ascii: "-")
        writeTwo(date.month, to: target + 5)
        target[7] = UInt8(ascii: "-")
        writeTwo(date.day, to: target + 8)
    }

    /// `2024-01-31T08:30:00+01:00`, as ``writeInstant(_:to:)`` writes it.
    public func text(_ instant: Double) -> String {
        String(unsafeUninitializedCapacity: Self.longestInstant) { writeInstant(instant, to: $0.baseAddress!) }
    }

    /// `2024-01-31`, the day the wall shows at an instant.
    public func dayText(_ instant: Double) -> String {
        Self.dayText(number: dayNumber(at: instant))
    }

    /// `2024-01-31`, by the day's number.
    public static func dayText(number: Int) -> String {
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
