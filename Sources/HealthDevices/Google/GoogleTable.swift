import Foundation
import HealthJSON
import HealthModel

/// A table of samples in an archive of Google's, by the beginning of its file's name.
struct GoogleTable: Hashable, Sendable {
    /// How long a sample lasts.
    enum Span: Hashable, Sendable {
        case moment, minute
        /// Until the time in another column.
        case until(String)
        /// The local day that the time names.
        case day
    }

    let name: String
    let type: DeviceType
    /// The column of the value, or how its name begins; `nil` for a value of 1 in every line.
    let value: String?
    /// The number by which a value is divided.
    let divisor: Double
    let span: Span
    let stage: GoogleFile.Stage
    /// The column of the time, which is local if it has no zone.
    let time: String
    /// A value that represents one that could not be measured.
    let unmeasured: Double?

    private init(
        _ name: String, _ type: DeviceType, _ value: String?, by divisor: Double = 1, _ span: Span = .moment,
        _ stage: GoogleFile.Stage = .precise, time: String = "timestamp", unmeasured: Double? = nil
    ) {
        (self.name, self.type, self.value, self.divisor) = (name, type, value, divisor)
        (self.span, self.stage, self.time, self.unmeasured) = (span, stage, time, unmeasured)
    }

    static let all: [GoogleTable] = [
        .init("heart_rate", .heartRate, "beats per minute"),
        .init("steps", .steps, "steps", .minute),
        .init("distance", .distanceOnFoot, "distance", .minute),
        .init("floors", .flights, "floors", .minute),
        .init("active_energy_burned", .activeEnergy, "", .minute),
        .init("active_zone_minutes", .exerciseTime, nil, .minute),
        .init("active zone minutes", .exerciseTime, nil, .minute, .minute, time: "date_time"),
        .init("oxygen_saturation", .oxygenSaturation, "oxygen saturation percentage", by: 100),
        .init("minute spo", .oxygenSaturation, "value", by: 100, .moment, .minute, unmeasured: 50),
        .init("daily_oxygen_saturation", .oxygenSaturation, "average percentage", by: 100, .day, .derived),
        .init("daily spo", .oxygenSaturation, "average_value", by: 100, .day, .derived),
        .init("heart_rate_variability", .variability, "root mean square"),
        .init("heart rate variability details", .variability, "rmssd", .moment, .minute),
        .init("daily_heart_rate_variability", .variability, "average heart rate variability", .day, .derived),
        .init("daily heart rate variability summary", .variability, "rmssd", .day, .derived),
        .init("respiratory rate summary", .respiratoryRate, "full_sleep_breathing_rate", .moment, .minute),
        .init("daily_respiratory_rate", .respiratoryRate, "breaths per minute", .day, .derived),
        .init("daily respiratory rate summary", .respiratoryRate, "daily_respiratory_rate", .day, .derived),
        .init("daily_resting_heart_rate", .restingHeartRate, "beats per minute", .day),
        .init("weight", .bodyMass, "weight grams", by: 1_000),
        .init("body_fat", .bodyFat, "", by: 100),
        .init("height", .height, "height millimeters", by: 1_000),
        .init("core_body_temperature", .bodyTemperature, "temperature celsius"),
        .init(
            "pixel body temperatures", .bodyTemperature, "body_temperature_celsius", time: "measurement_timestamp"),
        .init(
            "computed temperature", .wristTemperature, "nightly_temperature", .until("sleep_end"), .minute,
            time: "sleep_start"),
        .init(
            "daily_sleep_temperature_derivations", .wristTemperature, "nightly temperature celsius", .day, .derived),
    ]

    /// Whether the columns identify the table.
    var isDistinct: Bool { name == "active zone minutes" || !["", "value", nil].contains(value) }

    /// The columns of a file.
    struct Columns {
        let time: Int
        let end: Int?
        let value: Int?
        let source: Int?
    }

    /// Finds the columns by their names; `nil` if one is missing.
    func columns(_ names: [String]) -> Columns? {
        guard let time = names.firstIndex(of: time) else { return nil }
        let source = names.firstIndex(of: "data source")
        var (column, end): (Int?, Int?)
        if let value {
            column = names.indices.first { $0 != time && $0 != source && names[$0].hasPrefix(value) }
            guard column != nil else { return nil }
        }
        if case .until(let name) = span {
            end = names.firstIndex(of: name)
            guard end != nil else { return nil }
        }
        return Columns(time: time, end: end, value: column, source: source)
    }
}

extension GoogleArchive {
    /// Reads a table of samples. Its columns are found by name.
    mutating func readTable(_ table: GoogleTable, _ bytes: DeviceBytes, into content: inout DeviceContent) throws {
        let instants = InstantReader(timeZone: timeZone)
        let clock = LocalClock(timeZone: timeZone)
        // The sources of the file, of which the lines mostly name the same.
        var series: [(name: [UInt8], series: DeviceSeries)] = []
        var (last, minutes) = (0, GoogleMinutes(table.type, at: table.stage))
        // Also of a file that is damaged further on.
        defer { minutes.finish(&coverage) }
        var (unreadable, unmeasured, known) = (0, 0, 0)
        var isUnknown = false
        try CSVTable.forEachRow(of: bytes) { names in
            let columns = table.columns(names)
            // A file without data has a line that says so.
            isUnknown = columns == nil && names.count > 1
            return columns
        } _: { fields, columns, _ in
            guard var start = instants.instant(of: fields.bytes(columns.time)) else { return unreadable += 1 }
            var value = 1.0
            if let column = columns.value {
                guard let number = DecimalText.value(fields.bytes(column)) else {
                    return fields.bytes(column).isEmpty ? () : (unreadable += 1)
                }
                value = number
            }
            // What wasn't measured or didn't happen is zero.
            guard value > 0 else { return }
            if let sign = table.unmeasured, value == sign { return unmeasured += 1 }
            value /= table.divisor
            var end = start
            switch table.span {
            case .moment: break
            case .minute: end = start + 60
            case .until:
                guard let time = columns.end.flatMap({ instants.instant(of: fields.bytes($0)) }), time >= start else {
                    return unreadable += 1
                }
                end = time
            case .day:
                guard let day = Self.day(fields.bytes(columns.time), start, clock) else { return unreadable += 1 }
                (start, end) = (Double(clock.start(ofDay: day)), Double(clock.start(ofDay: day + 1)))
            }
            let isCovered =
                table.span == .day && coverage.has(table.type, from: start, to: end, before: table.stage)
            guard !isCovered, minutes.take(start, &coverage) else { return known += 1 }
            let name = columns.source.map { fields.bytes($0) } ?? UnsafeBufferPointer(start: nil, count: 0)
            if series.isEmpty || !series[last].name.elementsEqual(name) {
                if let found = series.firstIndex(where: { $0.name.elementsEqual(name) }) {
                    last = found
                } else {
                    last = series.count
                    let source = GoogleOrigin.source(named: String(decoding: name, as: UTF8.self))
                    series.append((Array(name), DeviceSeries(table.type, source)))
                }
            }
            series[last].series.append(value, start, end)
        }
        content.series += series.map(\.series)
        if isUnknown { content.leaveOut("table with other columns than it should have") }
        if unreadable > 0 { content.leaveOut("line without a readable time or value", count: unreadable) }
        if unmeasured > 0 { content.leaveOut("value that represents a missing one", count: unmeasured) }
        if known > 0 { content.leaveOut(Self.lessPrecise, count: known) }
    }

    static let lessPrecise = "value of which something finer exists"

    /// The local day of a value of a day: midnight and a date without a time name the day itself, also with a zone.
    private static func day(_ text: UnsafeBufferPointer<UInt8>, _ instant: Double, _ clock: LocalClock) -> Int? {
        let midnight = "T00:00:00".utf8
        guard text.count == 10 || text.count >= 19 && text[10..<19].elementsEqual(midnight) else {
            return clock.dayNumber(at: instant)
        }
        let numbers = [0..<4, 5..<7, 8..<10].map { DecimalText.value(UnsafeBufferPointer(rebasing: text[$0])) }
        guard let year = numbers[0], let month = numbers[1], let day = numbers[2],
            CivilDate.isValid(year: Int(year), month: Int(month), day: Int(day))
        else { return nil }
        return CivilDate.dayNumber(year: Int(year), month: Int(month), day: Int(day))
    }
}
