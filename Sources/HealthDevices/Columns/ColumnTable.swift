import Foundation
import HealthFiles
import HealthJSON
import HealthModel

/// A mapping with the places that its columns have in a table.
struct ColumnTable {
    /// A problem with a row: the column, and what is required of it.
    struct Problem: Error {
        let column: String
        let reason: String
    }

    let mapping: ColumnMapping
    /// The places of the columns, by their names in lowercase.
    private let places: [String: Int]
    private let count: Int
    /// The places of all columns of the mapping that the table has.
    private let found: [ColumnMapping.Column: Int]
    /// The samples whose columns the table has.
    private let samples: [ColumnMapping.Sample]

    /// - Throws: ``ColumnMappingError`` if a column is missing.
    init(_ mapping: ColumnMapping, header: [String]) throws {
        self.mapping = mapping
        var places: [String: Int] = [:]
        for (place, name) in header.enumerated() where places[Self.key(name)] == nil { places[Self.key(name)] = place }
        let count = header.count
        (self.places, self.count) = (places, count)
        var found: [ColumnMapping.Column: Int] = [:]
        for column in Self.columns(of: mapping) { found[column] = Self.place(column, places, count) }
        self.found = found
        func place(_ column: ColumnMapping.Column) -> Int? { Self.place(column, places, count) }
        if mapping.required.isEmpty {
            samples = mapping.samples
            for column in Self.columns(of: mapping, mapping.samples) where place(column) == nil {
                let names = header.map { "“\($0)”" }.joined(separator: ", ")
                throw ColumnMappingError(
                    "it has no column “\(column.title)”"
                        + (header.isEmpty ? "" : "; line \(mapping.headerLine) has \(names)"))
            }
        } else {
            if let column = mapping.required.first(where: { place($0) == nil }) {
                throw ColumnMappingError("it has no column “\(column.title)”")
            }
            samples = mapping.samples.filter { sample in
                Self.columns(of: mapping, [sample]).allSatisfy { place($0) != nil }
            }
        }
    }

    /// The number of columns that the mapping doesn't name.
    var unnamedCount: Int {
        guard mapping.required.isEmpty, mapping.headerLine > 0 else { return 0 }
        let named = Self.columns(of: mapping, samples) + mapping.rest.flatMap(\.columns)
        return count - Set(named.compactMap { Self.place($0, places, count) }).count
    }

    private static func key(_ name: String) -> String {
        name.lowercased().replacing("’", with: "'").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func place(_ column: ColumnMapping.Column, _ places: [String: Int], _ count: Int) -> Int? {
        if let number = column.number { return count == 0 || number <= count ? number - 1 : nil }
        return column.names.lazy.compactMap { places[key($0)] }.first
    }

    /// All columns of a mapping, of which some may be missing.
    static func columns(of mapping: ColumnMapping) -> [ColumnMapping.Column] {
        columns(of: mapping, mapping.samples, isEvery: true) + mapping.rest.flatMap(\.columns) + mapping.required
            + [mapping.devices].compactMap(\.self)
    }

    /// The columns without which some samples can't be made.
    ///
    /// - Parameter isEvery: Whether those are included that may be missing.
    private static func columns(
        of mapping: ColumnMapping, _ samples: [ColumnMapping.Sample], isEvery: Bool = false
    ) -> [ColumnMapping.Column] {
        func column(_ text: ColumnMapping.Text?) -> [ColumnMapping.Column] {
            if case .column(let column) = text { [column] } else { [] }
        }
        func columns(_ number: ColumnMapping.Number?) -> [ColumnMapping.Column] {
            guard let number else { return [] }
            return column(number.text) + column(number.unit) + [number.divisor].compactMap(\.self)
        }
        func columns(_ time: ColumnMapping.Time?) -> [ColumnMapping.Column] {
            // Not every version of a service's files has the zone.
            (time?.columns ?? []) + (mapping.required.isEmpty || isEvery ? column(time?.zone) : [])
        }
        var all = mapping.conditions.map(\.column)
        for sample in samples {
            all += columns(sample.start ?? mapping.start)
            let hasOwnEnd = sample.end != nil || sample.duration != nil
            if hasOwnEnd || isEvery { all += columns(sample.end) + columns(sample.duration) }
            if !hasOwnEnd || isEvery { all += columns(mapping.end) + columns(mapping.duration) }
            if mapping.required.isEmpty || isEvery { all += sample.conditions.map(\.column) }
            switch sample.kind {
            case .quantity(_, let number): all += columns(number)
            case .category(_, let text, _): all += column(text)
            case .bloodPressure(let systolic, let diastolic): all += columns(systolic) + columns(diastolic)
            case .workout(let workout):
                all += column(workout.activity)
                // Of a service's table, each total may be missing.
                if mapping.required.isEmpty || isEvery { all += workout.totals.values.flatMap { columns($0) } }
            }
        }
        return all
    }

    // MARK: - Rows

    /// Reads a row.
    ///
    /// - Parameter offset: The byte at which the row of JSON ends, which has no lines.
    func read(
        _ row: CSVReader.Row, at offset: Int? = nil, _ context: ImportContext, into reading: inout FileContent
    ) {
        let cells = MappedRow(row: row, mapping: mapping, places: found)
        guard mapping.conditions.allSatisfy({ cells.meets($0) }) else {
            return reading.leaveOut("row that the mapping excludes")
        }
        for rest in mapping.rest where rest.columns.contains(where: { cells.text($0) != nil }) {
            reading.leaveOut(rest.title)
        }
        var problem: Problem?
        for sample in samples where sample.conditions.allSatisfy({ cells.meets($0) }) {
            do {
                try read(sample, cells, context, into: &reading)
            } catch {
                problem = problem ?? error
            }
        }
        guard let problem else { return }
        reading.damages.append(
            .init(
                offset: offset ?? 0, line: offset == nil ? row.line : nil,
                reason: "\(offset == nil ? "column" : "member") “\(problem.column)”: \(problem.reason)"))
    }

    private func read(
        _ sample: ColumnMapping.Sample, _ cells: MappedRow, _ context: ImportContext,
        into content: inout FileContent
    ) throws(Problem) {
        let samples = SampleOrigin(
            revision: SourceRevisionRecord(
                source: mapping.source(ofDevice: mapping.devices.flatMap { cells.text($0) })),
            device: mapping.device)
        switch sample.kind {
        case .quantity(let type, let number):
            for (value, start, end) in try cells.values(of: number, type, sample, context) {
                guard let quantity = try cells.quantity(value, of: number, type) else { continue }
                add(
                    SampleRecord(
                        type: type.code, start: start, end: end, value: quantity.value, unit: quantity.unit,
                        revision: samples.revision, device: samples.device, metadata: sample.metadata),
                    sample, &content)
            }
        case .category(let type, let text, let names):
            for (value, start, end) in try cells.values(of: text, names, sample, context) {
                add(
                    SampleRecord(
                        type: type.code, start: start, end: end, value: Double(value), revision: samples.revision,
                        device: samples.device, metadata: sample.metadata),
                    sample, &content)
            }
        case .bloodPressure(let systolic, let diastolic):
            guard let upper = try cells.number(systolic), let lower = try cells.number(diastolic) else { return }
            let (start, end) = try cells.interval(sample, context)
            content.objects.append(
                samples.object(
                    "HKCorrelationTypeIdentifierBloodPressure", start, end, metadata: sample.metadata, .none,
                    members: [
                        samples.quantity(.systolic, try cells.value(upper, of: systolic, in: "mmHg"), start, end),
                        samples.quantity(.diastolic, try cells.value(lower, of: diastolic, in: "mmHg"), start, end),
                    ]))
        case .workout(let workout):
            guard let name = cells.text(workout.activity) else { return }
            let (start, end) = try cells.interval(sample, context)
            guard end > start else { return content.leaveOut("workout without a length") }
            let track = SportNames.track(called: workout.names[name.lowercased()] ?? name)
            var totals = ActivityTotals(activity: track.activity, isIndoor: track.isIndoor, start: start, end: end)
            for (figure, number) in workout.totals {
                guard let value = try cells.number(number, like: figure.unit) else { continue }
                totals.figures[figure] = try cells.value(value, of: number, in: figure.unit)
            }
            totals.metadata = sample.metadata.entries
            let counted: Set<MeasuredType> = sample.isTotal ? [.activeEnergy, .distanceOnFoot] : []
            if sample.isSummary { content.summaries.insert(content.objects.count) }
            content.objects.append(totals.object(samples, counted: counted))
        }
    }

    private func add(
        _ record: SampleRecord, _ sample: ColumnMapping.Sample, _ content: inout FileContent
    ) {
        guard sample.isTotal else { return content.samples.append(record) }
        content.totals.append(record)
        // A service's archive has one total of a type for a day, which grows until the day is over.
        if !mapping.required.isEmpty, case .quantity(let type, _) = sample.kind, type.aggregationStyle == .cumulative {
            content.growing.insert(record.type)
        }
    }
}
