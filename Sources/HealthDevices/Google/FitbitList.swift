import Foundation
import HealthFiles
import HealthJSON
import HealthModel

/// A list of times and values, `[{"dateTime": "05/01/24 07:00:07", "value": {"bpm": 60, "confidence": 2}}]`, by the
/// beginning of its file's name. Times are in UTC, except those of energy.
enum FitbitList: String, CaseIterable, Hashable, Sendable {
    case heartRate = "heart_rate"
    case steps
    /// In centimeters.
    case distance
    /// In feet; a floor has ten of them.
    case altitude
    /// The energy of the minute in kilocalories, at rest included.
    case calories

    fileprivate var type: MeasuredType {
        switch self {
        case .heartRate: .heartRate
        case .steps: .steps
        case .distance: .distanceOnFoot
        case .altitude: .flights
        case .calories: .activeEnergy
        }
    }

    fileprivate var value: String { self == .heartRate ? "value.bpm" : "value" }
    fileprivate var divisor: Double { self == .distance ? 100 : self == .altitude ? 10 : 1 }
}

/// Reads such lists. Most objects have the form of the one before.
struct FitbitRows {
    /// The number of objects without a time or a value that can be read.
    private(set) var unreadable = 0

    /// Calls `body` with the second of each object since 2001, in the zone of the list, and with its value.
    ///
    /// - Parameter other: The name of another value, which may be missing.
    mutating func forEach(
        _ json: inout JSONReader, value: String, other: String, _ body: (Int, Double, Double?) throws -> Void
    ) throws {
        var (rows, times, lost) = (JSONRows(), FitbitTimestamp(), 0)
        defer { unreadable += lost }
        try json.array { json, _ in
            guard try json.read(&rows) else {
                // It has texts with escapes or none of the values.
                try json.skip()
                lost += 1
                return
            }
            guard let time = rows.form.place(of: "dateTime"), let place = rows.form.place(of: value) else {
                lost += rows.count
                return
            }
            let more = rows.form.place(of: other)
            let (bytes, width, count) = (rows.bytes, rows.width, rows.count)
            try rows.withSpans { spans in
                for row in 0..<count {
                    func text(_ place: Int) -> UnsafeBufferPointer<UInt8> {
                        let span = spans[row * width + place]
                        return UnsafeBufferPointer(rebasing: bytes[span.start..<(span.start + span.count)])
                    }
                    guard let second = times.second(text(time)), let number = DecimalText.value(text(place)) else {
                        lost += 1
                        continue
                    }
                    try body(second, number, more.flatMap { DecimalText.value(text($0)) })
                }
            }
        }
        try json.end()
    }
}

extension GoogleTakeoutReader {
    mutating func readList(
        _ list: FitbitList, _ reader: consuming JSONReader, into content: inout FileContent
    ) throws {
        var json = reader
        var rows = FitbitRows()
        // What was read before a place that is damaged counts.
        defer {
            if rows.unreadable > 0 {
                content.leaveOut("value without a time or number that can be read", count: rows.unreadable)
            }
        }
        if list == .calories { return try readEnergy(&json, &rows, into: &content) }
        var series = SampleSeries(list.type, GoogleOrigin.fitbit)
        var (minutes, known, guesses) = (CoverageCursor(list.type, at: .minute), 0, 0)
        defer {
            minutes.finish(coverage)
            content.series.append(series)
            if known > 0 { content.leaveOut(Self.lessPrecise, count: known) }
            if guesses > 0 { content.leaveOut("heart rate that represents a missing one", count: guesses) }
        }
        let (isMoment, divisor) = (list == .heartRate, list.divisor)
        try rows.forEach(&json, value: list.value, other: "value.confidence") { second, value, confidence in
            guard value > 0 else { return }
            // Without a pulse, Fitbit writes 70.
            if isMoment, value == 70, confidence == 0 { return guesses += 1 }
            let start = Double(second)
            guard minutes.take(start, coverage) else { return known += 1 }
            series.append(value / divisor, start, isMoment ? start : start + 60)
        }
    }

    /// Divides the energy of each minute into that at rest, which every minute of a day has at least, and the rest of it.
    private mutating func readEnergy(
        _ json: inout JSONReader, _ rows: inout FitbitRows, into content: inout FileContent
    ) throws {
        var energy = FitbitEnergy(timeZone: timeZone)
        var (minutes, known) = (CoverageCursor(.activeEnergy, at: .minute), 0)
        var resting = CoverageCursor(.basalEnergy, at: .minute)
        defer {
            energy.endDay()
            minutes.finish(coverage)
            resting.finish(coverage)
            content.series += [energy.basal, energy.active]
            // The archive may have been made within an hour.
            content.growing = [MeasuredType.basalEnergy.code]
            if known > 0 { content.leaveOut(Self.lessPrecise, count: known) }
        }
        try rows.forEach(&json, value: "value", other: "") { second, value, _ in
            energy.append(value, second) { start in
                guard resting.take(start, coverage) else {
                    known += 1
                    return nil
                }
                let isOwn = minutes.take(start, coverage)
                if !isOwn { known += 1 }
                return isOwn
            }
        }
    }
}
