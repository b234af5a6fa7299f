import Foundation
import HealthModel

/// The columns of a table: the type, unit and time of each.
struct ColumnMapping: Sendable {
    /// A column by its names, of which the table has one, or by its number from 1.
    struct Column: Hashable, Sendable {
        var names: [String] = []
        var number: Int?
        /// The member of a JSON object in the cell.
        var member: String?

        /// The name in messages.
        var title: String { names.first ?? number.map { "number \($0)" } ?? "" }
    }

    /// A column, or the same value in every row.
    enum Text: Hashable, Sendable {
        case constant(String)
        case column(Column)
    }

    /// A condition that a row meets: a column has one of some texts, or none of them.
    struct Condition: Sendable {
        var column: Column
        var texts: Set<String>
        var isNegated: Bool
    }

    struct Time: Sendable {
        /// The columns that together have the date, such as one with the day and one with the time.
        var columns: [Column]
        var formats: [ColumnTimeFormat]
        /// The time zone; that of the person if `nil`.
        var zone: Text?
    }

    /// A number in a column or in every row.
    struct Number: Sendable {
        var text: Text
        /// The unit, or the column that has it; empty for the type's own unit.
        var unit: Text?
        /// The factor by which the number is multiplied.
        var factor = 1.0
        /// A column by which the number is divided.
        var divisor: Column?
    }

    struct Workout: Sendable {
        var activity: Text
        /// Names of HealthKit's or of common speech, by what the table writes.
        var names: [String: String] = [:]
        var totals: [ActivityTotals.Figure: Number] = [:]
    }

    enum Kind: Sendable {
        case quantity(TypeDescription, Number)
        /// Raw values by what the table writes, in lowercase.
        case category(TypeDescription, Text, [String: Int])
        case bloodPressure(systolic: Number, diastolic: Number)
        case workout(Workout)
    }

    struct Sample: Sendable {
        var kind: Kind
        /// The place in the mapping, such as `samples[2]`.
        var place: String
        var conditions: [Condition] = []
        /// The beginning and the end, where they differ from those of the row.
        var start: Time?
        var end: Time?
        var duration: Number?
        /// Whether this is a total, which is left out of a day with measurements in detail.
        var isTotal = false
        var metadata = Metadata.empty
    }

    /// Columns that HealthKit has no type for, with the name by which they are counted.
    struct Rest: Sendable {
        var title: String
        var columns: [Column]
    }

    var source = SourceRecord(bundleIdentifier: "csv.csv file", name: "CSV file")
    var device: DeviceRecord?
    /// Patterns of the names of files that the mapping is for; of every file if empty.
    var files: [String] = []
    var separator: UInt8?
    /// That of the table if `nil`, which is a comma where semicolons separate.
    var decimal: Character?
    /// The line with the names of the columns, from 1; 0 if there is none.
    var headerLine = 1
    var conditions: [Condition] = []
    var start: Time?
    var end: Time?
    var duration: Number?
    var samples: [Sample] = []
    var rest: [Rest] = []
    /// The columns by which a table is recognized. All others may be missing then: a service's files change.
    var required: [Column] = []

    /// Whether the mapping is for a file of this name.
    func isFor(_ name: String) -> Bool {
        var last = name.split(separator: "/").last.map { $0.lowercased() } ?? ""
        if last.hasSuffix(".gz") { last.removeLast(3) }
        return files.isEmpty || files.contains { Self.matches(last[...], $0.lowercased()[...]) }
    }

    /// Whether a name has the form of a pattern, in which `*` is any text.
    private static func matches(_ name: Substring, _ pattern: Substring) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, name.hasPrefix(first) else { return false }
        guard parts.count > 1 else { return name.count == first.count }
        var rest = name.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}

/// Why a mapping or a table can't be used, worded as a sentence.
struct ColumnMappingError: Error, Hashable {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
