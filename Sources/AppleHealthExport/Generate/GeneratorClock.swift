import Foundation
import HealthModel

/// The days of an archive, and its way to write instants: all with the one offset that the telephone had
/// when it exported, whatever the season of the sample.
struct GeneratorClock {
    /// First second of each day in the person's zone, in seconds since 2001; one more than there are days.
    let dayStarts: [Int]
    /// The export, in seconds since 2001.
    let exportSecond: Int
    /// Offset from UTC of every date in the archive, in seconds.
    let offset: Int
    let timeZoneName: String
    private let timeZone: TimeZone
    private let offsetText: [UInt8]

    init(_ options: GeneratorOptions) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = options.timeZone
        let lastDay = calendar.startOfDay(for: options.exportDate)
        let firstDay = calendar.date(byAdding: .day, value: 1 - options.days, to: lastDay) ?? lastDay
        dayStarts = (0...options.days).map { index in
            let day = calendar.date(byAdding: .day, value: index, to: firstDay) ?? lastDay
            return Int(day.timeIntervalSinceReferenceDate.rounded())
        }
        exportSecond = Int(options.exportDate.timeIntervalSinceReferenceDate.rounded(.down))
        offset = options.timeZone.secondsFromGMT(for: options.exportDate)
        timeZoneName = options.timeZone.identifier
        timeZone = options.timeZone
        let minutes = abs(offset) / 60
        offsetText = Array((offset < 0 ? " -" : " +").utf8)
            + [minutes / 600, minutes / 60 % 10, minutes % 60 / 10, minutes % 10].map { UInt8(48 + $0) }
    }

    var dayCount: Int { dayStarts.count - 1 }

    /// Seconds since 2001 by the clock on the wall at that instant, in the season it falls in.
    func localSecond(_ second: Int) -> Int {
        second + timeZone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: Double(second)))
    }

    /// Year, month and day of a local second.
    static func day(_ local: Int) -> (year: Int, month: Int, day: Int) {
        CivilDate.date(dayNumber: Int((Double(local) / 86_400).rounded(.down)))
    }

    /// Appends `yyyy-MM-dd HH:mm:ss ±HHmm`.
    func append(_ second: Int, to buffer: inout [UInt8]) {
        let local = second + offset
        appendDay(local, to: &buffer)
        let inDay = (local % 86_400 + 86_400) % 86_400
        buffer.append(32)
        for (index, part) in [inDay / 3_600, inDay / 60 % 60, inDay % 60].enumerated() {
            if index > 0 { buffer.append(58) }
            buffer.append(UInt8(48 + part / 10))
            buffer.append(UInt8(48 + part % 10))
        }
        buffer += offsetText
    }

    /// Appends `yyyy-MM-dd` of a local second, by Howard Hinnant's days-to-civil algorithm.
    func appendDay(_ local: Int, to buffer: inout [UInt8]) {
        // 2001-01-01 is day 11,323 of the Unix era; the algorithm counts from 0000-03-01.
        let days = Int((Double(local) / 86_400).rounded(.down)) + 11_323 + 719_468
        let era = days / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        for digit in [year / 1_000, year / 100 % 10, year / 10 % 10, year % 10] { buffer.append(UInt8(48 + digit)) }
        buffer.append(45)
        buffer.append(UInt8(48 + month / 10))
        buffer.append(UInt8(48 + month % 10))
        buffer.append(45)
        buffer.append(UInt8(48 + day / 10))
        buffer.append(UInt8(48 + day % 10))
    }
}
