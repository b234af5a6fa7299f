public import HealthEngine
import HealthModel

/// A selection of a store's contents as conditions of SQL.
public struct RowSelection: Sendable {
    private let names: [String]?
    private let times: [String]

    /// Makes the conditions of a selection.
    ///
    /// - Parameter dictionaries: those of the store, for types only it knows.
    public init(_ selection: ContentsSelection, in reading: StoreReading) {
        names = selection.types?.compactMap { reading.dictionaries.type($0)?.shortName }.sorted()
        times = [
            selection.since.map { "start_time >= \($0 + unixToReference)" },
            selection.until.map { "start_time < \($0 + unixToReference)" },
        ].compactMap { $0 }
    }

    /// The condition rows of a table must meet, with `WHERE` in front; empty where all are wanted, `nil` where none
    /// can be.
    ///
    /// - Parameter type: only samples of this type, by its short name.
    public func condition(on table: SchemaListing.Table, type: String? = nil) -> String? {
        switch table.rows {
        case .samples, .objects:
            return Self.joined(own(type))
        case .parts:
            let inner = own(type)
            guard !inner.isEmpty, let owner = table.columns.first?.name else { return "" }
            return " WHERE \(owner) IN (SELECT sequence FROM objects\(Self.joined(inner)))"
        case .list:
            if table.name == "types" || table.name == "daily", let names { return Self.joined([Self.among(names)]) }
            if table.name == "activity_summaries", let names, !names.contains("activitySummary") { return nil }
            if table.name == "characteristics", names != nil { return nil }
            return ""
        case .view: return nil
        }
    }

    private func own(_ type: String?) -> [String] {
        (type.map { ["type = \(SchemaCatalog.literal($0))"] } ?? names.map { [Self.among($0)] } ?? []) + times
    }

    private static func among(_ names: [String]) -> String {
        "type IN (" + names.map(SchemaCatalog.literal).joined(separator: ", ") + ")"
    }

    private static func joined(_ conditions: [String]) -> String {
        conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    }
}
