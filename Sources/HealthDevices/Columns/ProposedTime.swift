import Foundation
import HealthFiles
import HealthFormats
import HealthJSON
import HealthModel

/// The format in which the cells of a column write dates, found by trying.
struct ProposedTime {
    /// Formats of a mapping; several if the order of day and month isn't known.
    let formats: [String]
    /// Whether the cells have no time of day.
    let isDay: Bool

    /// The years 1970 to 2099, in seconds since 2001.
    private static let years = -978_307_200.0..<3_124_224_000.0

    private static let days = [
        "dd.MM.yyyy", "dd.MM.yy", "dd/MM/yyyy", "MM/dd/yyyy", "dd/MM/yy", "MM/dd/yy", "dd-MM-yyyy", "MM-dd-yyyy",
        "yyyy/MM/dd", "yyyy.MM.dd", "d MMM yyyy", "d. MMM yyyy", "MMM d, yyyy", "MMM d yyyy",
    ]
    static let times = ["HH:mm", "HH:mm:ss", "h:mm a", "h:mm:ss a"]

    /// Whether all texts are dates in a format. The zone stands for that of the person.
    private static func reads(_ format: String, _ texts: [String]) -> Bool {
        let clock = LocalClock(timeZone: .gmt)
        guard let format = ColumnTimeFormat(format) else { return false }
        return texts.allSatisfy { format.parse($0, clock).map(years.contains) ?? false }
    }

    /// `nil` for cells that aren't all dates.
    init?(_ cells: [String]) {
        guard !cells.isEmpty else { return nil }
        func reads(_ format: String) -> Bool { Self.reads(format, cells) }
        if cells.allSatisfy({ Double($0) != nil }) {
            // Numbers below are years or measurements.
            let least = cells.compactMap(Double.init).min() ?? 0
            let units = [(1e17, "nanoseconds"), (1e14, "microseconds"), (1e11, "milliseconds"), (5e8, "seconds")]
            guard let unit = units.first(where: { least >= $0.0 }), reads(unit.1) else { return nil }
            (formats, isDay) = ([unit.1], false)
            return
        }
        if cells.allSatisfy({ $0.contains(/^\d{4}-\d/) }), reads("iso8601") {
            (formats, isDay) = (["iso8601"], !cells.contains { $0.contains(":") })
            return
        }
        let hasTime = cells.contains { $0.contains(":") }
        let endings = hasTime ? Self.times.flatMap { [" \($0)", ", \($0)"] } : [""]
        for ending in endings {
            let found = Self.days.filter { reads($0 + ending) }
            guard let first = found.first else { continue }
            // The other order of day and month, which some dates of the file may rule out.
            let orders = found.filter { $0.sorted() == first.sorted() }
            (formats, isDay) = (orders.map { $0 + ending }, !hasTime)
            return
        }
        guard reads("written") else { return nil }
        (formats, isDay) = (["written"], !hasTime)
    }

    /// The format of the dates of one column with the times of another one.
    init?(_ days: [String], with times: [String]) {
        guard times.allSatisfy({ $0.contains(/^\d{1,2}:\d{2}(:\d{2})?(\s?[AaPp]\.?[Mm]\.?)?$/) }),
            let day = Self(days), day.isDay
        else { return nil }
        let formats = day.formats.flatMap { format in
            Self.times.map { (format == "iso8601" ? "yyyy-MM-dd" : format) + " " + $0 }
        }.filter { Self.reads($0, zip(days, times).map { "\($0) \($1)" }) }
        guard !formats.isEmpty else { return nil }
        (self.formats, isDay) = (formats, false)
    }
}
