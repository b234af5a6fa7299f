import HealthFiles
import HealthModel

/// The order of day and month in the dates of a table, which a single date may not tell, but all of a file’s.
enum DateOrder {
    /// The formats of a mapping’s times, without those that can’t read every date of the table.
    ///
    /// - Parameter open: Begins to read the table, from its first line on.
    /// - Throws: ``FileReadingError`` if the dates can be read in both orders.
    static func formats(
        of mapping: ColumnMapping, _ context: ImportContext, _ open: () throws -> CSVReader
    ) throws -> [ColumnTimeFormat] {
        guard let time = mapping.start, time.formats.count > 1, let clock = context.clock(of: nil) else {
            return mapping.start?.formats ?? []
        }
        // Formats that only differ in the order of their fields, with the sums of what they have read.
        var groups: [Set<ColumnTimeField>: [(format: ColumnTimeFormat, sum: Double)]] = [:]
        for format in time.formats {
            guard case .pattern(let fields) = format, !fields.contains(.monthName) else { continue }
            groups[Set(fields), default: []].append((format, 0))
        }
        groups = groups.filter { $0.value.count > 1 }
        guard !groups.isEmpty else { return time.formats }
        let all = groups.values.joined().map(\.format)
        var reader = try open()
        var places: [Int] = []
        while let row = try? reader.next() {
            if row.line == mapping.headerLine {
                let names = ColumnTable.places(row.fields)
                places = time.columns.compactMap { ColumnTable.place($0, names, row.fields.count) }
            }
            guard row.line > mapping.headerLine, places.allSatisfy({ $0 < row.fields.count }) else { continue }
            let text = places.map { row.fields[$0] }.joined(separator: " ").drop(while: \.isWhitespace)
            for (fields, formats) in groups {
                let read = formats.compactMap { format, sum in
                    format.parse(String(text), clock).map { (format, sum + $0) }
                }
                if !read.isEmpty { groups[fields] = read }
            }
        }
        guard groups.values.allSatisfy({ Set($0.map(\.sum)).count == 1 }) else {
            throw FileReadingError(
                "its dates can be read with the day or with the month first. Say which in the “format” of a mapping, with --columns"
            )
        }
        let kept = groups.values.joined().map(\.format)
        return time.formats.filter { !all.contains($0) || kept.contains($0) }
    }
}
