import Foundation
import HealthModel

/// What the tables of an import share.
final class ColumnContext {
    /// The days of which the tables have measurements in detail.
    let days: DetailedDays
    private let clock: LocalClock
    /// The number of bytes that were read since it was taken.
    private var byteCount = 0
    private var clocks: [String: LocalClock] = [:]

    /// - Parameter timeZone: The time zone of dates without one.
    init(timeZone: TimeZone) {
        clock = LocalClock(timeZone: timeZone)
        days = DetailedDays(clock: clock)
    }

    /// The bytes of a file, which are counted.
    func counting(_ source: @escaping () throws -> [UInt8]) -> () throws -> [UInt8] {
        {
            let piece = try source()
            self.count(piece.count)
            return piece
        }
    }

    /// Takes note of bytes that were read.
    func count(_ bytes: Int) { byteCount += bytes }

    /// The number of bytes that were read, from which counting begins again.
    func takeByteCount() -> Int {
        defer { byteCount = 0 }
        return byteCount
    }

    /// The clock of a time zone by its text, or of the person's if `nil`; `nil` for a text that isn't one.
    func clock(of zone: String?) -> LocalClock? {
        guard let zone else { return clock }
        if let known = clocks[zone] { return known }
        guard let found = TimeZoneParser.zone(zone).map(LocalClock.init) else { return nil }
        if clocks.count > 1_000 { clocks = [:] }
        clocks[zone] = found
        return found
    }
}

/// A file with a table, which is read row by row.
struct TableFile {
    /// Begins to read a file: each call of the result returns the next bytes, none at the end.
    typealias Opening = () throws -> () throws -> [UInt8]

    let mapping: ColumnMapping
    private let open: Opening

    init(_ mapping: ColumnMapping, _ open: @escaping Opening) {
        (self.mapping, self.open) = (mapping, open)
    }

    /// Whether the file only has totals, which are read after what has detail.
    var isTotals: Bool { mapping.samples.contains(where: \.isTotal) }

    /// The names of the columns of a table.
    static func header(_ open: Opening, mapping: ColumnMapping? = nil) -> [String]? {
        let line = mapping?.headerLine ?? 1
        guard let source = try? open(),
            var reader = try? CSVReader(separator: mapping?.separator, headerLine: max(1, line), source)
        else { return nil }
        while let row = try? reader.next() {
            if row.line >= line { return row.fields }
        }
        return nil
    }

    /// - Throws: ``ColumnMappingError`` if the mapping isn't one for this file.
    func check() throws {
        let header = mapping.headerLine > 0 ? Self.header(open, mapping: mapping) ?? [] : []
        _ = try ColumnTable(mapping, header: header)
    }

    /// Reads the table in parts.
    ///
    /// - Throws: ``ColumnMappingError``; errors of the source and of `yield`.
    func read(_ context: ColumnContext, _ yield: (DeviceReading) throws -> Void) throws {
        // A checksum is at the end: of a file that is damaged there, nothing is used.
        let whole = try open()
        while !(try whole()).isEmpty {}
        var reader = try CSVReader(
            separator: mapping.separator, headerLine: max(1, mapping.headerLine), context.counting(try open()))
        var mapping = mapping
        // Programs separate by semicolons where the comma is needed for numbers.
        mapping.decimal = mapping.decimal ?? (reader.separator == UInt8(ascii: ";") ? "," : ".")
        var reading = DeviceReading()
        do {
            var table = try mapping.headerLine == 0 ? ColumnTable(mapping, header: []) : nil
            while let row = try reader.next() {
                if let table {
                    table.read(row, context, into: &reading)
                } else if row.line >= mapping.headerLine {
                    let found = try ColumnTable(mapping, header: row.fields)
                    if found.unnamedCount > 0 {
                        reading.content.leaveOut("column that the mapping doesn't name", count: found.unnamedCount)
                    }
                    table = found
                }
                if reading.content.count >= 4_096 || reading.damages.count >= 1_024 {
                    try yield(reading)
                    reading = DeviceReading()
                }
            }
        } catch let failure as CSVReader.Failure {
            reading.damages.append(.init(offset: 0, line: failure.line, reason: failure.reason))
        }
        try yield(reading)
    }
}
