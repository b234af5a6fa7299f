extension LocalClock {
    /// The instant a text stands for: `2024`, `2024-01`, `2024-01-31`, with ` 08:30`, `T08:30:15` or
    /// `T08:30:15.250` behind a day, and with `Z`, `+01:00` or `+0100` behind a time; without a zone, as
    /// the wall shows it. `nil` for a text that is none of these.
    public func instant(of text: some StringProtocol) -> Double? {
        guard let parts = WallText(text) else { return nil }
        guard let zone = parts.zone else {
            return Double(instant(ofWallSecond: parts.second)) + parts.fraction
        }
        return Double(parts.second - zone) + parts.fraction
    }
}

/// A date as text taken apart.
private struct WallText {
    /// Seconds since 2001-01-01 00:00:00 of the zone the text means.
    var second: Int
    var fraction = 0.0
    /// Seconds to take away to come to Greenwich, where the text says so.
    var zone: Int?

    init?(_ text: some StringProtocol) {
        var rest = Array(text.utf8)[...]
        func digits(_ count: Int) -> Int? {
            guard rest.count >= count, rest.prefix(count).allSatisfy({ (48...57).contains($0) }) else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).reduce(0) { $0 * 10 + Int($1 - 48) }
        }
        func takes(_ letters: String) -> Bool {
            guard let first = rest.first, letters.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = digits(4) else { return nil }
        var (month, day) = (1, 1)
        var (hasDay, hasTime) = (false, false)
        if takes("-") {
            guard let given = digits(2) else { return nil }
            month = given
            if takes("-") {
                guard let given = digits(2) else { return nil }
                day = given
                hasDay = true
            }
        }
        guard CivilDate.isValid(year: year, month: month, day: day) else { return nil }
        second = CivilDate.dayNumber(year: year, month: month, day: day) * 86_400
        if hasDay, takes("T ") {
            guard let hour = digits(2), hour < 24, takes(":"), let minute = digits(2), minute < 60 else { return nil }
            second += hour * 3_600 + minute * 60
            hasTime = true
            if takes(":") {
                guard let given = digits(2), given < 61 else { return nil }
                second += given
                if takes(".") {
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
            _ = takes(" ")
            if takes("Zz") {
                zone = 0
            } else {
                let sign = takes("+") ? 1 : takes("-") ? -1 : 0
                guard sign != 0, let hours = digits(2), hours < 24 else { return nil }
                _ = takes(":")
                guard let minutes = digits(2), minutes < 60 else { return nil }
                zone = sign * (hours * 3_600 + minutes * 60)
            }
        }
        guard rest.isEmpty else { return nil }
    }
}
