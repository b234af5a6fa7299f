import Foundation
import HealthModel

/// The days of an archive and the format of its dates, which all have the UTC offset of the export date.
struct GeneratorClock {
    /// The start of each day in the person's time zone, in seconds since 2001, and the end of the last day.
    let dayStarts: [Int]
    /// The export date, in seconds since 2001.
    let exportSecond: Int
    /// The UTC offset of every date in the archive, in seconds.
    let offset: Int
    let timeZoneName: String
    private let timeZone: TimeZone
    private let offsetText: [UInt8]
    /// Whether dates are `yyyyMMddHHmmss±HHmm`, as in the first archives.
    private let isCompact: Bool

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
        isCompact = options.dialect?.hasFirstForm ?? false
        offsetText =
            Array(((isCompact ? "" : " ") + (offset < 0 ? "-" : "+")).utf8)
            + [minutes / 600, minutes / 60 % 10, minutes % 60 / 10, minutes % 10].map { UInt8(48 + $0) }
    }

    var dayCount: Int { dayStarts.count - 1 }

    /// Converts an instant to local time, with the UTC offset at that instant.
    func localSecond(_ second: Int) -> Int {
        second + timeZone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: Double(second)))
    }

    /// The year, month and day of a local second.
    static func day(_ local: Int) -> (year: Int, month: Int, day: Int) {
        CivilDate.date(dayNumber: CivilDate.split(local).day)
    }

    /// Appends `yyyy-MM-dd HH:mm:ss ±HHmm`, without separators in the first archives.
    func append(_ second: Int, to buffer: inout [UInt8]) {
        let local = second + offset
        let begin = buffer.count
        appendDay(local, to: &buffer)
        if isCompact { buffer[begin...].removeAll { $0 == 45 } }
        let inDay = CivilDate.split(local).second
        if !isCompact { buffer.append(32) }
        for (index, part) in [inDay / 3_600, inDay / 60 % 60, inDay % 60].enumerated() {
            if index > 0, !isCompact { buffer.append(58) }
            buffer.append(UInt8(48 + part / 10))
            buffer.append(UInt8(48 + part % 10))
        }
        buffer += offsetText
    }

    /// The instant as `yyyy-MM-dd HH:mm:ss ±HHmm`.
    func text(_ second: Int) -> String {
        var bytes: [UInt8] = []
        append(second, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The instant in UTC as `yyyy-MM-ddTHH:mm:ssZ`.
    func utcText(_ second: Int) -> String {
        String(text(second - offset).prefix(19)).replacing(" ", with: "T") + "Z"
    }

    /// Appends `yyyy-MM-dd` of a local second.
    func appendDay(_ local: Int, to buffer: inout [UInt8]) {
        let (year, month, day) = Self.day(local)
        for digit in [year / 1_000, year / 100 % 10, year / 10 % 10, year % 10] { buffer.append(UInt8(48 + digit)) }
        for part in [month, day] {
            buffer.append(45)
            buffer.append(UInt8(48 + part / 10))
            buffer.append(UInt8(48 + part % 10))
        }
    }
}
