/// Conversions between Gregorian dates and day numbers, where day 0 is 2001-01-01, without a `Calendar`.
package enum CivilDate {
    /// The day number of a date, which must be valid as of ``isValid(year:month:day:)``.
    @inlinable @inline(__always)
    package static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        // Counting years from March puts the leap day at the end of a year.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 730_791
    }

    /// The date with a day number.
    @inlinable
    package static func date(dayNumber: Int) -> (year: Int, month: Int, day: Int) {
        let days = dayNumber + 730_791
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// A Boolean value that indicates whether the date exists, in the years 1 to 9999.
    @inlinable
    package static func isValid(year: Int, month: Int, day: Int) -> Bool {
        (1...9999).contains(year) && (1...12).contains(month) && day >= 1
            && day <= length(ofMonth: month, year: year)
    }

    /// The seconds from 2001-01-01 00:00:00 to a local time.
    @inlinable @inline(__always)
    package static func second(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0
    ) -> Int {
        dayNumber(year: year, month: month, day: day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    /// The day number of a local time in seconds since 2001-01-01 00:00:00, and the seconds since that day began.
    @inlinable @inline(__always)
    package static func split(_ second: Int) -> (day: Int, second: Int) {
        let day = second >= 0 ? second / 86_400 : (second + 1) / 86_400 - 1
        return (day, second - day * 86_400)
    }

    @usableFromInline
    static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}
