import Foundation
import HealthFiles
import HealthJSON
import HealthModel

/// The last times that were read of the columns of a table, and their order.
final class PrecedingTimes {
    fileprivate typealias Preceding = (time: Double, isDescending: Bool)
    private var times: [[ColumnMapping.Column]: Preceding] = [:]

    fileprivate subscript(columns: [ColumnMapping.Column]) -> Preceding? { times[columns] }

    fileprivate func append(_ time: Double, _ columns: [ColumnMapping.Column]) {
        let last = times[columns]
        guard last?.time != time else { return }
        times[columns] = (time, last.map { time < $0.time } ?? false)
    }
}

/// The cells of one row, as a mapping reads them.
struct MappedRow {
    typealias Problem = ColumnTable.Problem

    private let fields: [String]
    private let mapping: ColumnMapping
    private let places: [ColumnMapping.Column: Int]
    private let preceding: PrecedingTimes

    /// - Parameter places: The places of the columns that the table has.
    init(
        _ fields: [String], mapping: ColumnMapping, places: [ColumnMapping.Column: Int], after preceding: PrecedingTimes
    ) {
        (self.fields, self.mapping, self.places, self.preceding) = (fields, mapping, places, preceding)
    }

    // MARK: - Texts and numbers

    /// The text of a column; `nil` if the cell is empty.
    func text(_ column: ColumnMapping.Column) -> String? {
        guard let place = places[column], fields.indices.contains(place),
            let text = ColumnNumber.text(fields[place])
        else { return nil }
        if let part = column.part {
            let parts = text.split(separator: "/")
            return parts.indices.contains(part - 1) ? ColumnNumber.text(String(parts[part - 1])) : nil
        }
        guard let member = column.member else { return text }
        return JSONValue(Array(text.utf8))?[member].flatMap(ObjectRows.text).flatMap(ColumnNumber.text)
    }

    func text(_ text: ColumnMapping.Text) -> String? {
        switch text {
        case .constant(let text): text
        case .column(let column): self.text(column)
        }
    }

    /// The device with what the row says of it.
    var device: DeviceRecord? {
        mapping.deviceColumns.reduce(into: mapping.device) { device, entry in
            if let text = text(entry.column) { device?[keyPath: entry.property] = text }
        }
    }

    /// Whether a cell says that its number is outside of what a sensor measures.
    func isOutside(_ number: ColumnMapping.Number) -> Bool {
        !mapping.outside.isEmpty && text(number.text).map { mapping.outside.contains($0.lowercased()) } ?? false
    }

    func meets(_ condition: ColumnMapping.Condition) -> Bool {
        condition.texts.contains(text(condition.column)?.lowercased() ?? "") != condition.isNegated
    }

    /// The number of a cell as it is in the table; `nil` if the cell is empty.
    ///
    /// - Parameter canonical: The unit of a number without one.
    func number(_ number: ColumnMapping.Number, like canonical: String = "count") throws(Problem) -> Double? {
        guard let text = self.text(number.text) else { return nil }
        return try parse(text, number, like: canonical)
    }

    private func parse(
        _ text: String, _ number: ColumnMapping.Number, like canonical: String
    ) throws(Problem) -> Double {
        let decimal = decimal(of: number, in: text)
        // A length of time such as 1:30:05.
        if text.contains(":"), case let unit = try unit(of: number, like: canonical, nil),
            let size = UnitConversion(between: unit, and: "s")?(1)
        {
            guard let seconds = ColumnNumber.duration(text, unit: size, decimal: decimal) else {
                throw problem(number.text, Self.duration)
            }
            return seconds / size
        }
        guard let value = ColumnNumber.parse(text, decimal: decimal) else {
            throw problem(number.text, "a number with a decimal \(decimal == "," ? "comma" : "point") is required")
        }
        return value
    }

    /// The decimal separator: a member of a JSON object and a number of the mapping itself have a point.
    private func decimal(of number: ColumnMapping.Number, in text: String) -> Character {
        let isPlain = number.text.column.map { $0.member != nil } ?? true
        if mapping.decimal == ColumnMapping.eitherDecimal { return text.contains(",") ? "," : "." }
        return isPlain ? "." : mapping.decimal ?? "."
    }

    /// A value in a unit.
    func value(_ value: Double, of number: ColumnMapping.Number, in unit: String) throws(Problem) -> Double {
        let own = try self.unit(of: number, like: unit, nil)
        guard let conversion = UnitConversion(between: own, and: unit) else {
            throw problem(number.text, "its unit must be one like “\(unit)”")
        }
        return conversion(value * number.factor)
    }

    /// A value with its unit as HealthKit has it: a percentage as a part of one; `nil` without a divisor or multiplier.
    func quantity(
        _ value: Double, of number: ColumnMapping.Number, _ type: TypeDescription
    ) throws(Problem) -> (value: Double, unit: String)? {
        var value = value * number.factor
        if let divisor = number.divisor {
            guard let by = try self.number(.init(text: .column(divisor))), by != 0 else { return nil }
            value /= by
        }
        if let multiplier = number.multiplier {
            guard let by = try self.number(.init(text: .column(multiplier))) else { return nil }
            value *= by
        }
        let unit = try self.unit(of: number, like: Self.unit(of: type), type)
        return (unit == "%" ? value / 100 : value, unit)
    }

    /// The unit of numbers without one: heart rates and breaths are by the minute, not by the second as HealthKit has
    /// them.
    private static func unit(of type: TypeDescription) -> String {
        UnitRegion.unitEverywhere(of: type.identifier) ?? type.canonicalUnit ?? "count"
    }

    private func unit(
        of number: ColumnMapping.Number, like canonical: String, _ type: TypeDescription?
    ) throws(Problem) -> String {
        switch number.unit {
        case nil: return canonical
        case .constant(let unit): return unit
        case .column(let column):
            guard let unit = self.text(column).flatMap({ ColumnUnit.string($0, like: canonical, of: type) }) else {
                throw Problem(column: column.title, reason: "a unit such as “\(canonical)” is required")
            }
            return unit
        }
    }

    private func problem(_ text: ColumnMapping.Text, _ reason: String) -> Problem {
        Problem(column: text.column?.title ?? "", reason: reason)
    }

    // MARK: - Times

    /// A time zone whose clocks no place on earth has.
    private static let farZone = TimeZone(secondsFromGMT: 17 * 3_600) ?? .gmt

    /// The beginning and the end of a sample.
    func interval(
        _ sample: ColumnMapping.Sample, _ context: ImportContext
    ) throws(Problem) -> (start: Double, end: Double) {
        guard let time = sample.start ?? mapping.start else { throw Problem(column: "", reason: "a time is required") }
        let clock = try self.clock(of: time, context)
        let start = try self.instant(time, clock, after: preceding[time.columns])
        preceding.append(start, time.columns)
        let isOwn = sample.end != nil || sample.duration != nil
        let (last, duration) = isOwn ? (sample.end, sample.duration) : (mapping.end, mapping.duration)
        if let last, !sample.isDaily || self.text(last.columns[0]) != nil {
            let end = try instant(last, self.clock(of: last, context), after: (start, false))
            guard end >= start else {
                throw Problem(column: last.columns[0].title, reason: "the end is before the start")
            }
            return (start, end)
        }
        guard let duration else { return (start, start) }
        guard let text = self.text(duration.text) else { throw problem(duration.text, "a length of time is required") }
        // A list belongs to a list of values.
        if text.hasPrefix("[") { return (start, start) }
        if case .constant("d") = duration.unit, let days = Double(text).flatMap({ Int(exactly: $0) }), days < 1_000 {
            // Days have the same time at their ends, even if the clocks were changed.
            return (start, Double(clock.instant(ofWallSecond: clock.wallSecond(at: start) + days * 86_400)))
        }
        return (start, start + (try seconds(text, duration)))
    }

    private func seconds(_ text: String, _ duration: ColumnMapping.Number) throws(Problem) -> Double {
        let unit = try self.unit(of: duration, like: "s", nil)
        let size = UnitConversion(between: unit, and: "s")?(1) ?? 1
        let number = ColumnNumber.duration(text, unit: size * duration.factor, decimal: decimal(of: duration, in: text))
        guard let seconds = number else { throw problem(duration.text, Self.duration) }
        return seconds
    }

    /// The message for a text that isn't a length of time.
    private static let duration =
        "a length of time is required, such as a number, or 1:30:05; for 45:30, the mapping’s “unit” must be h or min"

    private func clock(of time: ColumnMapping.Time, _ context: ImportContext) throws(Problem) -> LocalClock {
        var zone = time.zone.map { self.text($0) ?? "" }
        // Not every version of a service's files has the zone.
        if zone == "", !mapping.required.isEmpty { zone = nil }
        guard let clock = context.clock(of: zone) else {
            throw problem(time.zone ?? .constant(""), "a time zone such as “Europe/Berlin” or “+01:00” is required")
        }
        return clock
    }

    private func instant(
        _ time: ColumnMapping.Time, _ clock: LocalClock, after preceding: PrecedingTimes.Preceding?
    ) throws(Problem) -> Double {
        let title = time.columns[0].title
        let parts = time.columns.compactMap { self.text($0) }
        // Of a service's rows, some have the day only.
        guard parts.count == time.columns.count || !mapping.required.isEmpty && text(time.columns[0]) != nil else {
            throw Problem(column: title, reason: "a time is required")
        }
        let text = parts.joined(separator: " ")
        for format in time.formats {
            func parse(_ clock: LocalClock) -> Double? { format.parse(text, clock, decimal: mapping.decimal ?? ".") }
            guard let instant = parse(clock), abs(instant) < 1e11 else { continue }
            let occurrence = clock.occurrence(
                of: instant, after: preceding?.time, isDescending: preceding?.isDescending ?? false)
            // A text that states its offset from UTC means the same instant on every clock.
            return occurrence == instant || parse(LocalClock(timeZone: Self.farZone)) == instant ? instant : occurrence
        }
        throw Problem(
            column: title,
            reason: time.formats == [.iso]
                ? "a time is required; use a form like 2025-05-01 08:00:00, or give its “format” in the mapping"
                : "a time in the format of the mapping is required")
    }

    // MARK: - Values with their times

    /// The largest number of days of a period of which each has a value.
    private static let longestPeriod = 31

    /// The values of a quantity: one, or the parts of a list that follow each other.
    func values(
        of number: ColumnMapping.Number, _ type: TypeDescription, _ sample: ColumnMapping.Sample,
        _ context: ImportContext
    ) throws(Problem) -> [(value: Double, start: Double, end: Double)] {
        guard let text = self.text(number.text) else { return [] }
        let (start, end) = try interval(sample, context)
        guard text.hasPrefix("[") else { return [(try parse(text, number, like: Self.unit(of: type)), start, end)] }
        return try list(text, number.text, from: start, sample)
    }

    /// The raw values of a category, likewise. Parts of a list with the same value are one sample.
    func values(
        of text: ColumnMapping.Text, _ names: [String: Int], _ sample: ColumnMapping.Sample, _ context: ImportContext
    ) throws(Problem) -> [(value: Int, start: Double, end: Double)] {
        guard var given = self.text(text) ?? (sample.isDaily ? "{}" : nil) else { return [] }
        let (start, end) = try interval(sample, context)
        func raw(_ name: String) throws(Problem) -> Int {
            // A constant of the mapping is a raw value.
            guard let value = names[name.lowercased()] ?? (names.isEmpty ? Int(name) : nil) else {
                throw problem(text, "the mapping's “values” don't have this text")
            }
            return value
        }
        if sample.isDaily {
            guard let time = sample.start ?? mapping.start else { return [] }
            let (clock, json) = (try clock(of: time, context), JSONValue(Array(given.utf8)))
            var days: [(value: Int, start: Double, end: Double)] = []
            for number in 0..<Self.longestPeriod {
                let day = Double(clock.instant(ofWallSecond: clock.wallSecond(at: start) + number * 86_400))
                guard day <= end else { break }
                let value = json?["\(number)"]?.number.flatMap { Int(exactly: $0) }
                days.append((try raw(value.map(String.init) ?? ""), day, day))
            }
            return days
        }
        // A digit for each part, as of a night.
        if given.count > 1, names[given] == nil, given.allSatisfy({ $0.isNumber && names[String($0)] != nil }) {
            given = "[\(given.map(String.init).joined(separator: ","))]"
        }
        guard given.hasPrefix("[") else { return [(try raw(given), start, end)] }
        var merged: [(value: Int, start: Double, end: Double)] = []
        for (number, start, end) in try list(given, text, from: start, sample) {
            let value = try raw(Int(exactly: number).map(String.init) ?? "")
            if let last = merged.last, last.value == value, last.end == start {
                merged[merged.count - 1].end = end
            } else {
                merged.append((value, start, end))
            }
        }
        return merged
    }

    /// The parts of a list, each of which begins where the one before it ends.
    private func list(
        _ text: String, _ source: ColumnMapping.Text, from start: Double, _ sample: ColumnMapping.Sample
    ) throws(Problem) -> [(value: Double, start: Double, end: Double)] {
        let duration = sample.duration ?? mapping.duration
        let given = duration.flatMap { self.text($0.text) }
        var lengths = given.flatMap(ColumnNumber.list)
        // A single measurement of no length.
        if lengths == nil, let values = ColumnNumber.list(text), values.count == 1, given == nil {
            return [(values[0], start, start)]
        }
        // A number is the length of each part.
        if lengths == nil, let duration, let given, let values = ColumnNumber.list(text) {
            lengths = [Double](repeating: try seconds(given, duration), count: values.count)
        }
        guard let values = ColumnNumber.list(text), let lengths, values.count == lengths.count,
            lengths.allSatisfy({ (0...1e7).contains($0) })
        else { throw problem(source, "a list of numbers with as many lengths of time is required") }
        var place = start
        return zip(values, lengths).compactMap { value, length in
            defer { place += length }
            return value.isNaN ? nil : (value, place, place + length)
        }
    }
}

extension ColumnMapping.Text {
    /// The column, if it is one.
    var column: ColumnMapping.Column? {
        if case .column(let column) = self { column } else { nil }
    }
}
