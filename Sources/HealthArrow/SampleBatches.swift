import Foundation
package import HealthAnswers
import HealthEngine
import HealthJSON
import HealthModel

/// Samples as a table, in batches of whole pages that are filtered and projected before they are decoded.
///
/// Samples are in the order of the types, then of their start.
package struct SampleBatches: ArrowSource {
    /// The columns that can be asked for.
    package enum Column: String, CaseIterable, Sendable {
        case type
        case start = "start_date"
        case end = "end_date"
        case value
        case valueName = "value_name"
        case unit, source
        case bundleIdentifier = "bundle_identifier"
        case device
        case creation = "creation_date"
        case metadata, uuid

        /// The columns of pages that it is made from.
        fileprivate var needed: SampleColumnSet {
            switch self {
            case .type: []
            case .start: .starts
            case .end: .ends
            case .value, .valueName: [.values, .units]
            case .unit: .units
            case .source, .bundleIdentifier: .revisions
            case .device: .devices
            case .creation: .creations
            case .metadata: .metadata
            case .uuid: [.uuids, .sequences]
            }
        }
    }

    private static let batchRows = 65_536

    private let engine: HealthEngine
    private let caller: Caller
    private let query: SampleQuery
    private let columns: [Column]
    /// The units of quantities by type; `nil` for a type that is measured in no known unit.
    private let units: [TypeCode: String]
    private let limit: Int
    private let timeZone: TimeZone

    /// Reads the parameters: those of the API's samples, `columns` and `limit`.
    ///
    /// - Throws: ``ParameterError``.
    package init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        (engine, caller, timeZone) = (setting.engine, setting.caller, setting.calendar.timeZone)
        let dictionaries = try engine.dictionaries()
        guard let types = try parameters.types("type", dictionaries) else {
            throw ParameterError("type", "This parameter is required.")
        }
        for type in types where !type.kind.isPaged {
            throw QueryParameters.problem(
                "type", type.shortName, "does not have samples with one value. Ask for workouts, or use SQL.")
        }
        query = try SampleQuery(
            &parameters, types: engine.readable(types, as: caller), setting.calendar.timeZone, dictionaries)
        let given = try parameters.text("unit")
        var units: [TypeCode: String] = [:]
        for type in types where type.kind == .quantity && (given != nil || type.canonicalUnit != nil) {
            units[type.code] = try setting.unit(given, of: type)
        }
        self.units = units
        columns =
            try parameters.list("columns")?.map { name in
                guard let column = Column(rawValue: name) else {
                    throw QueryParameters.problem(
                        "columns", name,
                        "is not a column. Use \(Column.allCases.map(\.rawValue).joined(separator: ", ")).")
                }
                return column
            } ?? Self.columns(of: types, units)
        limit = try parameters.integer("limit", in: 0...Int(Int32.max)) ?? .max
    }

    /// The columns of some types, where none are asked for.
    private static func columns(of types: [TypeDescription], _ units: [TypeCode: String]) -> [Column] {
        let kinds = Set(types.map(\.kind))
        var columns: [Column] = [.type, .start, .end, .value]
        if kinds.count > 1 { columns.append(.valueName) }
        if kinds.contains(.quantity), types.count > 1 || units.isEmpty { columns.append(.unit) }
        return columns + [.source, .device, .metadata, .uuid]
    }

    /// Whether values are names.
    private var hasNames: Bool { query.types.allSatisfy { $0.kind == .category } }

    private func field(_ column: Column) -> ArrowField {
        let kind: ArrowType =
            switch column {
            case .type, .valueName, .unit, .source, .bundleIdentifier, .device: .dictionary
            case .start, .end, .creation: .timestamp(timeZone.identifier)
            case .value: hasNames ? .dictionary : .float64
            case .metadata: .map
            case .uuid: .uuid
            }
        let unit = column == .value && units.count == 1 && query.types.count == 1 ? units.first?.value : nil
        return ArrowField(
            column.rawValue, kind, isNullable: ![.type, .start, .end, .uuid].contains(column), unit: unit)
    }

    // MARK: Reading

    package func read(to output: ArrowOutput) throws {
        try output.begin(columns.map(field))
        try engine.withReader(as: caller) { reading in
            let needed = columns.reduce(SampleColumnSet.starts) { $0.union($1.needed) }
            var batch = SampleBatch(
                fields: zip(columns, columns.map(field)).map { ($0, $1) }, reading,
                instants: InstantWriter(timeZone: timeZone))
            var left = limit
            for type in query.types {
                let values = SampleValues(of: type, in: units[type.code], reading.dictionaries)
                for page in try reading.pages(of: type.code, matching: query.filter) where left > 0 {
                    if batch.count + page.count > Self.batchRows || batch.isLong, let full = batch.next() {
                        try output.write(full)
                    }
                    let rows = try reading.rows(of: page, columns: needed)
                    let count = min(rows.starts.count, left)
                    batch.append(rows, count: count, of: type, values)
                    left -= count
                }
            }
            if let last = batch.next() { try output.write(last) }
        }
    }
}

/// How the values of a type become values of a table.
private struct SampleValues {
    let type: TypeDescription
    let unit: String?
    /// By the number of the unit, from 0 for none.
    private let conversions: [UnitConversion?]
    private let units: [String]

    init(of type: TypeDescription, in unit: String?, _ dictionaries: StoreDictionaries) {
        (self.type, self.unit) = (type, unit)
        units = [""] + dictionaries.units
        conversions = units.map { written in
            guard let unit, written != unit else { return .identity }
            return UnitConversion(between: written, and: unit)
        }
    }

    /// The conversion of a value that was written in a unit, by its number; `nil` for one of another kind.
    func conversion(from number: UInt32) -> UnitConversion? {
        number < conversions.count ? conversions[Int(number)] : nil
    }

    /// The unit of a value in the table.
    func unit(ofValueIn number: UInt32) -> String? {
        if let unit { return unit }
        return number > 0 && number < units.count ? units[Int(number)] : nil
    }
}

/// A batch of samples while it is filled.
private struct SampleBatch {
    private let fields: [(column: SampleBatches.Column, field: ArrowField)]
    private let texts: [ArrowTexts?]
    private let reading: StoreReader
    private let instants: InstantWriter
    private var columns: [ArrowColumn] = []
    private(set) var count = 0
    /// The numbers of texts in dictionaries, by the numbers in pages, for each column.
    private var numbers: [[UInt32: Int32]]

    init(
        fields: [(column: SampleBatches.Column, field: ArrowField)], _ reading: StoreReader, instants: InstantWriter
    ) {
        (self.fields, self.reading, self.instants) = (fields, reading, instants)
        texts = fields.map { $0.field.type == .dictionary ? ArrowTexts() : nil }
        numbers = fields.map { _ in [:] }
        begin()
    }

    var isLong: Bool { columns.contains { $0.isLong } }

    private mutating func begin() {
        columns = zip(fields, texts).map { ArrowColumn($0.field.type, texts: $1) }
        count = 0
    }

    /// Returns the batch, if it has rows, and begins another one.
    mutating func next() -> ArrowBatch? {
        guard count > 0 else { return nil }
        defer { begin() }
        return ArrowBatch(columns, count: count)
    }

    /// Appends the first rows of a page.
    mutating func append(_ rows: SampleColumns, count new: Int, of type: TypeDescription, _ values: SampleValues) {
        guard new > 0 else { return }
        for index in columns.indices {
            let column = columns[index]
            switch fields[index].column {
            case .type:
                let number = texts[index]?.number(of: type.shortName) ?? 0
                column.append(new, of: Int32.self) { $0.initialize(repeating: number) }
            case .start: Self.append(rows.starts, new, to: column)
            case .end: Self.append(rows.ends, new, to: column)
            case .value:
                if column.type == .dictionary {
                    name(rows.values, new, of: type, at: index)
                } else {
                    Self.append(rows, new, values, to: column)
                }
            case .valueName:
                if type.kind == .category {
                    name(rows.values, new, of: type, at: index)
                } else {
                    for _ in 0..<new { column.appendNull() }
                }
            case .unit:
                look(up: rows.units, new, at: index) { type.kind == .quantity ? values.unit(ofValueIn: $0) : nil }
            case .source:
                look(up: rows.revisions, new, at: index) { [reading] in
                    reading.dictionaries.revision($0)?.source.name
                }
            case .bundleIdentifier:
                look(up: rows.revisions, new, at: index) { [reading] in
                    reading.dictionaries.revision($0)?.source.bundleIdentifier
                }
            case .device:
                look(up: rows.devices, new, at: index) { [reading] in reading.dictionaries.device($0)?.name }
            case .creation:
                for row in 0..<new {
                    if let creation = rows.creation(at: row) {
                        column.append(instant: creation)
                    } else {
                        column.appendNull()
                    }
                }
            case .metadata: append(rows.metadata, new, to: column)
            case .uuid:
                let identities = reading.identities
                column.append(new, of: uuid_t.self) { target in
                    for row in 0..<new {
                        target[row] = (rows.uuid(at: row) ?? identities.uuid(for: rows.sequences[row])).uuid
                    }
                }
            }
        }
        count += new
    }

    private static func append(_ instants: [Double], _ count: Int, to column: ArrowColumn) {
        column.append(count, of: Int64.self) { target in
            instants.withUnsafeBufferPointer { instants in
                for row in 0..<count { target[row] = ArrowInstant.microseconds(instants[row]) }
            }
        }
    }

    private static func append(_ rows: SampleColumns, _ count: Int, _ values: SampleValues, to column: ArrowColumn) {
        let first = rows.units.first ?? 0
        let isUniform = values.type.kind == .category || rows.units.prefix(count).allSatisfy { $0 == first }
        if isUniform, let conversion = values.conversion(from: first) {
            column.append(count, of: Double.self) { target in
                rows.values.withUnsafeBufferPointer { source in
                    if conversion.isIdentity {
                        _ = target.update(fromContentsOf: source.prefix(count))
                    } else {
                        for row in 0..<count { target[row] = conversion(source[row]) }
                    }
                }
            }
            return
        }
        for row in 0..<count {
            // A value in a unit of another kind means nothing beside the others.
            if let conversion = values.conversion(from: row < rows.units.count ? rows.units[row] : 0) {
                column.append(conversion(rows.values[row]))
            } else {
                column.appendNull()
            }
        }
    }

    /// Appends the texts of numbers in pages; null for an unknown one.
    private mutating func look(up found: [UInt32], _ count: Int, at index: Int, _ text: (UInt32) -> String?) {
        let column = columns[index]
        var (last, place) = (UInt32.max, Int32(-1))
        for row in 0..<count {
            let number = row < found.count ? found[row] : 0
            if number != last {
                last = number
                place = numbers[index][number] ?? text(number).flatMap { texts[index]?.number(of: $0) } ?? -1
                // The number of a unit means another unit for another type.
                if fields[index].column != .unit { numbers[index][number] = place }
            }
            if place < 0 { column.appendNull() } else { column.append(number: place) }
        }
    }

    /// Appends the names of category values; the number as text for a value without one.
    private mutating func name(_ values: [Double], _ count: Int, of type: TypeDescription, at index: Int) {
        let column = columns[index]
        var places: [Double: Int32] = [:]
        for row in 0..<count {
            let value = values[row]
            let place =
                places[value] ?? texts[index]?.number(
                    of: Int(exactly: value).map { ValueNames.name(of: $0, of: type) ?? "\($0)" } ?? "\(value)") ?? 0
            places[value] = place
            column.append(number: place)
        }
    }

    private func append(_ metadata: MetadataColumn, _ count: Int, to column: ArrowColumn) {
        let entries = metadata.table.map { metadata in
            metadata.entries.filter { !$0.key.hasPrefix("_") }.map { ($0.key, text($0.value)) }
        }
        let (keys, values) = (column.children[0].children[0], column.children[0].children[1])
        for row in 0..<count {
            let number = metadata.number(at: row)
            guard number > 0, !entries[number - 1].isEmpty else {
                column.appendNull()
                continue
            }
            for (key, value) in entries[number - 1] {
                keys.append(key)
                values.append(value)
                column.children[0].appendChildren()
            }
            column.appendChildren()
        }
    }

    private func text(_ value: MetadataValue) -> String {
        switch value {
        case .string(let text): text
        case .bool(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .date(let instant): instants.text(instant)
        case .quantity(let value, let unit): "\(value) \(unit)"
        }
    }
}
