import AppleHealthExport
import Foundation
import HealthJSON
import HealthModel

/// A date as Health Auto Export writes it: `2026-02-06 14:30:00 -0800`, in some locales with AM or PM after a narrow
/// no-break space, and `2026-02-06` for a summarized night.
struct AutoExportDate: Hashable, Sendable {
    /// Seconds since 2001-01-01 00:00:00 UTC.
    var instant: Double
    /// The local time, in seconds since 2001-01-01 00:00:00 local time.
    var wallSecond: Int
    /// Seconds east of UTC.
    var offset: Int
    /// Whether the text has a time of day.
    var hasTime: Bool

    /// The local day, where day 0 is 2001-01-01.
    var day: Int { CivilDate.split(wallSecond).day }
    /// The seconds since the local day began.
    var secondOfDay: Int { CivilDate.split(wallSecond).second }
}

/// Reads dates, in a default time zone where they have none. Use from one thread at a time.
struct AutoExportDateReader {
    private let clock: LocalClock
    private let slashed: SlashedDates
    /// The offsets of the dates that have one.
    let offsets = DateOffsets()

    /// - Parameter slashed: The dates of the document.
    init(timeZone: TimeZone, slashed: SlashedDates) {
        clock = LocalClock(timeZone: timeZone)
        self.slashed = slashed
    }

    /// Returns the date in a text; `nil` for anything else.
    func date(_ value: JSONValue?) -> AutoExportDate? {
        guard case .string(let text) = value else { return nil }
        return date(text)
    }

    /// Returns the first instant of the local day after a date, in the default time zone if that is the date's own.
    func nextDay(after date: AutoExportDate, days: Int = 1) -> Double {
        let wall = (date.day + days) * 86_400
        if clock.offset(at: Int(date.instant.rounded(.down))) == date.offset {
            return Double(clock.instant(ofWallSecond: wall))
        }
        return Double(wall - date.offset)
    }

    func date(_ text: String) -> AutoExportDate? {
        if let date = DateText(text) {
            guard date.precision >= .day, Self.seconds.contains(date.wallSecond) else { return nil }
            let instant = clock.instant(date)
            if let offset = date.offset {
                offsets.add(instant, zone: UInt64(bitPattern: Int64(offset)) << 32) { offset }
            }
            return AutoExportDate(
                instant: instant, wallSecond: date.wallSecond,
                offset: date.offset ?? date.wallSecond - Int(instant.rounded(.down)), hasTime: date.precision > .day)
        }
        // Some locales write AM or PM, and digits of their own. Another word means that the text is something else.
        guard text.utf8.count <= 64, text.allSatisfy({ !$0.isLetter || "AMPTZGUC".contains($0.uppercased()) }),
            let date = slashed.dayFirst(text).flatMap({ LocalizedDate($0) }), let wall = date.wallSecond,
            Self.seconds.contains(wall), let instant = date.instant(clock)
        else { return nil }
        return AutoExportDate(
            instant: instant, wallSecond: wall, offset: date.offset ?? wall - Int(instant.rounded(.down)), hasTime: true
        )
    }

    /// The years 1900 to 2200.
    private static let seconds =
        CivilDate.second(year: 1900, month: 1, day: 1)..<CivilDate.second(year: 2201, month: 1, day: 1)
}
