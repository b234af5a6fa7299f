import HealthFiles
import HealthModel

/// The order of day and month in the dates of a table, which a single date may not tell, but all of a file’s.
enum DateOrder {
    /// A mapping whose times have only the formats that can read every date of the table. Times with the same formats
    /// are written in the same order: a beginning proves that of an end.
    ///
    /// - Parameter open: Begins to read the table, from its first line on.
    /// - Throws: ``FileReadingError`` if the dates can be read in both orders.
    static func decided(
        in mapping: ColumnMapping, _ context: ImportContext, _ open: () throws -> CSVReader
    ) throws -> ColumnMapping {
        guard let clock = context.clock(of: nil) else { return mapping }
        let given = [mapping.start, mapping.end] + mapping.samples.flatMap { [$0.start, $0.end] }
        let times = Dictionary(grouping: given.compactMap(\.self), by: \.formats)
        let kept = try Dictionary(
            uniqueKeysWithValues: times.map { formats, times in
                (formats, try self.formats(formats, of: Set(times.map(\.columns)), in: mapping, clock, open))
            })
        func decide(_ time: inout ColumnMapping.Time?) {
            if let formats = time.flatMap({ kept[$0.formats] }) { time?.formats = formats }
        }
        var mapping = mapping
        decide(&mapping.start)
        decide(&mapping.end)
        for place in mapping.samples.indices {
            decide(&mapping.samples[place].start)
            decide(&mapping.samples[place].end)
        }
        return mapping
    }

    /// The formats of some times without those that can’t read every date of them.
    ///
    /// - Parameter times: The columns of each time.
    private static func formats(
        _ given: [ColumnTimeFormat], of times: Set<[ColumnMapping.Column]>, in mapping: ColumnMapping,
        _ clock: LocalClock, _ open: () throws -> CSVReader
    ) throws -> [ColumnTimeFormat] {
        // Formats that only differ in the order of their fields, with the sums of what they have read.
        var groups: [Set<ColumnTimeField>: [(format: ColumnTimeFormat, sum: Double)]] = [:]
        for format in given {
            guard case .pattern(let fields) = format, !fields.contains(.monthName) else { continue }
            groups[Set(fields), default: []].append((format, 0))
        }
        groups = groups.filter { $0.value.count > 1 }
        guard !groups.isEmpty else { return given }
        let all = groups.values.joined().map(\.format)
        var reader = try open()
        func places(_ header: [String]) -> [[Int]] {
            let names = ColumnTable.places(header)
            return times.map { $0.compactMap { ColumnTable.place($0, names, header.count) } }
        }
        var found = mapping.headerLine == 0 ? places([]) : []
        while let row = try? reader.next() {
            if row.line == mapping.headerLine { found = places(row.fields) }
            guard row.line > mapping.headerLine else { continue }
            for places in found where places.allSatisfy({ $0 < row.fields.count }) {
                let text = places.map { row.fields[$0] }.joined(separator: " ").drop(while: \.isWhitespace)
                for (fields, formats) in groups {
                    let read = formats.compactMap { format, sum in
                        format.parse(String(text), clock).map { (format, sum + $0) }
                    }
                    if !read.isEmpty { groups[fields] = read }
                }
            }
        }
        guard groups.values.allSatisfy({ Set($0.map(\.sum)).count == 1 }) else {
            throw FileReadingError(
                "its dates can be read with the day or with the month first. Say which in the “format” of a mapping, with --columns"
            )
        }
        let kept = groups.values.joined().map(\.format)
        return given.filter { !all.contains($0) || kept.contains($0) }
    }
}
