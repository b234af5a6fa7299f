package import Foundation
package import HealthModel

/// A date and time as people write them in their language: `Sep 12, 2018, 3:02:23 PM`, `12.09.2018, 15:02:23`,
/// `12 sept. 2018 à 15:02:23`, `2018年9月12日 15:02:23`.
package struct LocalizedDate: Hashable, Sendable {
    package var year = 0
    package var month = 0
    package var day = 0
    package var hour = 0
    package var minute = 0
    package var second = 0
    package var fraction = 0.0
    /// Whether a time with twelve hours is after noon.
    package var isAfternoon: Bool?
    /// The offset from UTC in seconds, if the text has one.
    package var offset: Int?

    package init() {}

    /// `nil` for a text without a day and time. Dates of digits only have the year first, or the day.
    package init?(_ text: String) {
        var numbers: [(value: Int, digits: Int)] = []
        var named: Int?
        // A long word after the year, which may be an unknown month.
        var isUnknown = false
        let (text, zone) = Self.plain(text)
        if let zone {
            offset = TimeZoneParser.offset(zone)
            guard offset != nil else { return nil }
        }
        for word in Self.words(text) {
            if let value = Int(word) {
                numbers.append((value, word.count))
            } else if let isAfternoon = Self.isAfternoon(word) {
                self.isAfternoon = isAfternoon
            } else if let month = Self.month(called: word), named == nil {
                named = month
            } else if numbers.count == 1, numbers[0].digits == 4, word.filter(\.isLetter).count > 2 {
                isUnknown = true
            }
        }
        guard (named == nil ? 5...7 : 4...7).contains(numbers.count), named != nil || !isUnknown else { return nil }
        let values = numbers.map(\.value)
        let date: [Int]
        if let named {
            date = numbers[0].digits == 4 ? [values[0], named, values[1]] : [values[1], named, values[0]]
        } else {
            date = numbers[0].digits == 4 ? [values[0], values[1], values[2]] : [values[2], values[1], values[0]]
        }
        let time = values.dropFirst(named == nil ? 3 : 2)
        (year, month, day) = (date[0], date[1], date[2])
        hour = time[time.startIndex]
        minute = time.count > 1 ? time[time.startIndex + 1] : 0
        second = time.count > 2 ? time[time.startIndex + 2] : 0
        if time.count > 3, let last = numbers.last { fraction = Double(last.value) / pow(10, Double(last.digits)) }
        guard year > 999 else { return nil }
    }

    /// Seconds since 2001-01-01 00:00:00 in the date's own time zone; `nil` if there is no such day or time.
    package var wallSecond: Int? {
        guard CivilDate.isValid(year: year, month: month, day: day), (0..<24).contains(hour), (0..<60).contains(minute),
            (0..<61).contains(second)
        else { return nil }
        var hour = hour
        if let isAfternoon {
            guard (0...12).contains(hour) else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        return CivilDate.second(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    /// The instant; `nil` if there is no such day or time.
    ///
    /// - Parameter clock: The time zone of a date without an offset.
    package func instant(_ clock: LocalClock) -> Double? {
        wallSecond.map { wall in Double(offset.map { wall - $0 } ?? clock.instant(ofWallSecond: wall)) + fraction }
    }

    /// The text with ASCII digits and without marks of direction, and the offset from UTC behind its time.
    private static func plain(_ text: String) -> (text: String, zone: String?) {
        let text = String(
            text.compactMap { character in
                if character == "\u{200E}" || character == "\u{200F}" { return nil }
                if character.isWhitespace { return " " }
                return character.isNumber
                    ? character.wholeNumberValue.flatMap { "\($0)".first } ?? character : character
            }
        ).replacing("a. m.", with: "am").replacing("p. m.", with: "pm")
        guard let found = text.firstMatch(of: /:\d\d.*?( ?(?:(?:GMT|UTC)?[+\-\u{2212}]\d{1,2}(?::?\d\d)?|GMT|UTC|Z))$/)
        else {
            return (text, nil)
        }
        return (String(text[..<found.1.startIndex]), found.1.trimmingCharacters(in: .whitespaces))
    }

    /// Runs of digits and runs of letters.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var wasDigit: Bool?
        for character in text {
            let isDigit = character.isASCII && character.isNumber
            // The periods of “p.m.” belong to the word.
            let isLetter = character.isLetter || character == "." && wasDigit == false
            if isDigit || isLetter {
                if wasDigit == isDigit {
                    words[words.count - 1].append(character)
                } else {
                    words.append(String(character))
                }
                wasDigit = isDigit
            } else {
                wasDigit = nil
            }
        }
        return words
    }

    // MARK: - Words

    /// Whether a word is of the hours after noon (`true`) or before it (`false`).
    package static func isAfternoon(_ word: String) -> Bool? {
        switch word.lowercased().filter({ $0 != "." }) {
        case "am", "午前", "上午", "오전": false
        case "pm", "午後", "下午", "오후": true
        default: nil
        }
    }

    /// The number of the month with a name, by its beginning.
    package static func month(called word: String) -> Int? {
        let plain = word.lowercased().folding(options: .diacriticInsensitive, locale: nil).filter(\.isLetter)
        guard plain.count > 2 else { return nil }
        // The longest beginning decides: “juil” is July, “juin” June.
        for length in [4, 3] {
            if let month = months[String(plain.prefix(length))] { return month }
        }
        return nil
    }

    /// Beginnings of names of months in the languages of Strava's site, without accents.
    private static let months: [String: Int] = {
        let words = [
            "jan ene gen янв sty", "feb fev фев lut", "mar mrt maa mae мар",
            "apr abr avr апр kwi", "may mai mei mag maj мая маи", "jun giu cze",
            "jul lug июл lip", "aug ago agu agt aou авг sie", "sep set сен wrz sze",
            "oct okt out ott окт paz", "nov ноя lis", "dec dez dic des дек gru",
        ]
        var months: [String: Int] = ["июня": 6, "июн": 6, "июля": 7, "juli": 7, "juni": 6, "juil": 7, "juin": 6]
        for (place, names) in words.enumerated() {
            for name in names.split(separator: " ") where months[String(name)] == nil {
                months[String(name)] = place + 1
            }
        }
        return months
    }()
}

/// Time zones as tables write them.
package enum TimeZoneParser {
    /// The time zone with an identifier or an offset such as `UTC+01:00`; `nil` for another text.
    package static func zone(_ text: String) -> TimeZone? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if let offset = offset(text) { return TimeZone(secondsFromGMT: offset) }
        return text.contains("/") ? TimeZone(identifier: text) : nil
    }

    /// The seconds of an offset from UTC: `Z`, `+0100`, `-05:00`, `UTC`, `GMT+2`.
    package static func offset(_ text: String) -> Int? {
        var rest = Substring(text.uppercased().replacing("−", with: "-"))
        let isNamed = rest.hasPrefix("UTC") || rest.hasPrefix("GMT")
        if isNamed { rest = rest.dropFirst(3) }
        if rest == "Z" || isNamed && rest.isEmpty { return 0 }
        guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
        let digits = rest.dropFirst().filter { $0 != ":" }
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), (1...4).contains(digits.count), let number = Int(digits)
        else { return nil }
        let (hours, minutes) = digits.count > 2 ? (number / 100, number % 100) : (number, 0)
        guard hours < 19, minutes < 60 else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }
}
