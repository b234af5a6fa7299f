import Foundation
package import HealthAnswers
import HealthEngine
import HealthJSON
import HealthModel

/// Samples as a table, in batches of whole pages that are filtered and projected before they are decoded.
///
/// Samples are in the order of the types, then of their start.
package struct SampleBatches: ArrowSource {
    static let batchRows = 65_536

    private let engine: HealthEngine
    private let caller: Caller
    let query: SampleQuery
    let columns: [Column]
    /// The units of quantities by type; `nil` for a type that is measured in no known unit.
    var units: [TypeCode: String]
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

    func field(_ column: Column) -> ArrowField {
        let kind: ArrowType =
            switch column {
            case .type, .valueName, .unit, .source, .bundleIdentifier, .device: .dictionary
            case .start, .end, .creation: .timestamp(in: timeZone)
            case .value: hasNames ? .dictionary : .float64
            case .metadata: .map
            case .uuid: .uuid
            }
        let unit = column == .value && units.count == 1 && query.types.count == 1 ? units.first?.value : nil
        return ArrowField(
            column.rawValue, kind, isNullable: ![.type, .start, .end, .uuid].contains(column), unit: unit)
    }

    func batch(_ dictionaries: StoreDictionaries, _ identities: DerivedIdentities) -> SampleBatch {
        SampleBatch(
            fields: zip(columns, columns.map(field)).map { ($0, $1) }, dictionaries, identities,
            instants: InstantWriter(timeZone: timeZone))
    }

    // MARK: Reading

    package func read(to output: any ArrowOutput) throws {
        try output.begin(columns.map(field))
        try engine.withReader(as: caller) { reading in
            let needed = columns.reduce(SampleColumnSet.starts) { $0.union($1.needed) }
            var batch = batch(reading.dictionaries, reading.identities)
            var left = limit
            for type in query.types {
                let values = SampleValues(of: type, in: units[type.code], reading.dictionaries)
                for page in try reading.pages(of: type.code, matching: query.filter) where left > 0 {
                    if batch.count + page.count > Self.batchRows || !batch.hasRoom(for: page.count),
                        let full = batch.next(before: page.count)
                    {
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
