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
    private let preceding = PrecedingTimes()

    /// - Throws: ``ColumnMappingError`` if a column is missing.
    init(_ mapping: ColumnMapping, header: [String]) throws {
        self.mapping = mapping
        let (places, count) = (Self.places(header), header.count)
        (self.places, self.count) = (places, count)
        var found: [ColumnMapping.Column: Int] = [:]
        for column in Self.allColumns(of: mapping) { found[column] = Self.place(column, places, count) }
        self.found = found
        func place(_ column: ColumnMapping.Column) -> Int? { Self.place(column, places, count) }
        var samples = mapping.samples
        if mapping.required.isEmpty {
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
        self.samples = try samples.map { try Self.withUnits($0, header, found) }
    }

    /// The number of columns that the mapping doesn't name.
    var unnamedCount: Int {
        guard mapping.required.isEmpty, mapping.headerLine > 0 else { return 0 }
        let named = Self.columns(of: mapping, samples) + mapping.rest.flatMap(\.columns)
        return count - Set(named.compactMap { Self.place($0, places, count) }).count
    }

    /// The places of columns by their names in lowercase.
    static func places(_ header: [String]) -> [String: Int] {
        Dictionary(header.enumerated().map { (key($1), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether a table has the columns by which it is recognized.
    static func hasRequired(_ mapping: ColumnMapping, _ places: [String: Int], _ count: Int) -> Bool {
        mapping.required.allSatisfy { place($0, places, count) != nil }
    }

    /// A sample with the units that the names of its columns have.
    private static func withUnits(
        _ sample: ColumnMapping.Sample, _ header: [String], _ places: [ColumnMapping.Column: Int]
    ) throws -> ColumnMapping.Sample {
        func number(
            _ number: ColumnMapping.Number, like unit: String, _ type: TypeDescription? = nil
        ) throws -> ColumnMapping.Number {
            guard number.unit == nil, let column = number.text.column, let place = places[column],
                let text = column.names.lazy.compactMap({ star(of: $0, in: header[place]) }).first
            else { return number }
            guard let unit = ColumnUnit.string(text, like: unit, of: type) else {
                throw ColumnMappingError(
                    "the unit in the name of its column “\(column.title)” must be one like “\(unit)”")
            }
            var number = number
            number.unit = .constant(unit)
            return number
        }
        var sample = sample
        switch sample.kind {
        case .quantity(let type, let amount):
            sample.kind = .quantity(type, try number(amount, like: type.canonicalUnit ?? "count", type))
        case .bloodPressure(let upper, let lower):
            sample.kind = .bloodPressure(
                systolic: try number(upper, like: "mmHg"), diastolic: try number(lower, like: "mmHg"))
        case .food(let name, var nutrients):
            nutrients = nutrients.compactMap { nutrient in
                // Of a vitamin in units of its own, nothing is known.
                (try? number(nutrient.amount, like: nutrient.type.canonicalUnit ?? "g", nutrient.type))
                    .map { ColumnMapping.Nutrient(type: nutrient.type, amount: $0) }
            }
            sample.kind = .food(name: name, nutrients)
        case .workout(var workout):
            workout.totals = try Dictionary(
                uniqueKeysWithValues: workout.totals.map { ($0, try number($1, like: $0.unit)) })
            sample.kind = .workout(workout)
        case .category: break
        }
        return sample
    }

    /// The text in a name in the place of the `*` of a pattern.
    private static func star(of pattern: String, in name: String) -> String? {
        let (pattern, plain) = (key(pattern), name.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        guard let star = pattern.firstIndex(of: "*") else { return nil }
        let (start, end) = (pattern[..<star], pattern[pattern.index(after: star)...])
        guard plain.count > start.count + end.count, key(plain).hasPrefix(start), key(plain).hasSuffix(end)
        else { return nil }
        return String(plain.dropFirst(start.count).dropLast(end.count))
    }

    private static func key(_ name: String) -> String {
        name.lowercased().replacing("’", with: "'").replacing("μ", with: "µ").split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
    }

    /// The place of a column among `count` ones, by the places of their names.
    static func place(_ column: ColumnMapping.Column, _ places: [String: Int], _ count: Int) -> Int? {
        if let number = column.number { return count == 0 || number <= count ? number - 1 : nil }
        return column.names.lazy.compactMap { name in
            name.contains("*")
                ? places.filter { star(of: name, in: $0.key) != nil }.values.min() : places[key(name)]
        }.first
    }

    /// All columns that a mapping names, each once.
    static func allColumns(of mapping: ColumnMapping) -> [ColumnMapping.Column] {
        var known: Set<ColumnMapping.Column> = []
        return columns(of: mapping).filter { known.insert($0).inserted }
    }

    /// All columns of a mapping, of which some may be missing.
    static func columns(of mapping: ColumnMapping) -> [ColumnMapping.Column] {
        columns(of: mapping, mapping.samples, isEvery: true) + mapping.rest.flatMap(\.columns) + mapping.required
            + mapping.mirror.map(\.column) + [mapping.devices].compactMap(\.self)
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
            return column(number.text) + column(number.unit) + [number.divisor, number.multiplier].compactMap(\.self)
        }
        func columns(_ time: ColumnMapping.Time?) -> [ColumnMapping.Column] {
            // Not every version of a service's files has the zone, or the time of a day.
            mapping.required.isEmpty || isEvery
                ? (time?.columns ?? []) + column(time?.zone) : Array(time?.columns.prefix(1) ?? [])
        }
        // A row of a service's table without a column has none of the texts that are excepted.
        let conditions = mapping.conditions.filter { mapping.required.isEmpty || isEvery || !$0.isNegated }
        var all = conditions.map(\.column) + (isEvery ? mapping.deviceColumns.map(\.column) : [])
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
            case .food(let name, let nutrients):
                guard mapping.required.isEmpty || isEvery else { break }
                all += column(name) + nutrients.flatMap { columns($0.amount) }
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
    /// - Parameter offset: The byte at which the element of JSON begins, which has no lines.
    func read(
        _ row: CSVReader.Row, at offset: Int? = nil, _ context: ImportContext, into reading: inout FileContent
    ) {
        let cells = MappedRow(row.fields, mapping: mapping, places: found, after: preceding)
        guard mapping.conditions.allSatisfy({ cells.meets($0) }) else {
            return reading.leaveOut("row that the mapping excludes")
        }
        var isKnown = samples.isEmpty || mapping.required.isEmpty
        for rest in mapping.rest where rest.columns.contains(where: { cells.text($0) != nil }) {
            reading.leaveOut(rest.title)
            isKnown = true
        }
        let (before, objects) = (reading.samples.count, reading.objects.count)
        var problem: Problem?
        // What is excepted, such as a minute with zero steps, isn’t of another kind.
        for sample in samples where sample.conditions.allSatisfy({ $0.isNegated || cells.meets($0) }) {
            isKnown = true
            guard sample.conditions.allSatisfy({ cells.meets($0) }) else { continue }
            do {
                try read(sample, cells, context, into: &reading)
            } catch {
                problem = problem ?? error
            }
        }
        if !mapping.mirror.isEmpty {
            reading.hasMirrors = true
            if mapping.mirror.allSatisfy({ cells.meets($0) }) { reading.mirror(after: before, objects) }
        }
        if !isKnown { reading.leaveOut("entry of another kind") }
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
                source: sample.source ?? mapping.source(ofDevice: mapping.devices.flatMap { cells.text($0) })),
            device: cells.device)
        switch sample.kind {
        case .quantity(_, let number) where cells.isOutside(number):
            content.leaveOut("reading outside of what the sensor measures")
        case .quantity(let type, let number):
            for (value, start, end) in try cells.values(of: number, type, sample, context) {
                // Services write a measurement that isn’t there as zero.
                guard let quantity = try cells.quantity(value, of: number, type),
                    quantity.value != 0 || mapping.required.isEmpty || type.aggregationStyle == .cumulative
                else { continue }
                let record = samples.sample(
                    type.code, quantity.value, start, end, unit: quantity.unit, metadata: sample.metadata)
                add(record, sample, &content)
            }
        case .category(let type, let text, let names):
            for (value, start, end) in try cells.values(of: text, names, sample, context) {
                let record = samples.sample(type.code, Double(value), start, end, metadata: sample.metadata)
                add(record, sample, &content)
            }
        case .bloodPressure(let systolic, let diastolic):
            guard let upper = try cells.number(systolic), let lower = try cells.number(diastolic) else { return }
            let (start, end) = try cells.interval(sample, context)
            content.objects.append(
                samples.bloodPressure(
                    try cells.value(upper, of: systolic, in: "mmHg"), try cells.value(lower, of: diastolic, in: "mmHg"),
                    start, end, metadata: sample.metadata))
        case .food(let name, let nutrients):
            let (start, end) = try cells.interval(sample, context)
            var (members, metadata) = ([SampleRecord](), sample.metadata)
            for nutrient in nutrients {
                guard let amount = try cells.number(nutrient.amount, like: nutrient.type.canonicalUnit ?? "g"),
                    let quantity = try cells.quantity(amount, of: nutrient.amount, nutrient.type), quantity.value > 0
                else { continue }
                members.append(
                    samples.sample(
                        nutrient.type.code, quantity.value, start, end, unit: quantity.unit, metadata: metadata))
            }
            let title = name.flatMap { cells.text($0) }
            guard !members.isEmpty else {
                if title != nil { content.leaveOut("food without nutrients") }
                return
            }
            if let title { metadata.entries.append(.init(key: "HKFoodType", value: .string(title))) }
            content.objects.append(
                samples.object(
                    "HKCorrelationTypeIdentifierFood", start, end, metadata: metadata, .none, members: members))
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
