import Foundation
import HealthFiles
import HealthModel

/// The columns of a table: the type, unit and time of each.
struct ColumnMapping: Sendable {
    /// A column by its names, of which the table has one, or by its number from 1. In a name, `*` is the unit.
    struct Column: Hashable, Sendable {
        var names: [String] = []
        var number: Int?
        /// The member of a JSON object in the cell.
        var member: String?
        /// The part of a cell such as `120/80`, from 1.
        var part: Int?

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
        /// A column by which the number is divided, and one by which it is multiplied.
        var divisor, multiplier: Column?
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
        /// Nutrients of a meal or of one food, which has a name.
        case food(name: Text?, [Nutrient])
        case workout(Workout)
    }

    struct Nutrient: Sendable {
        var type: TypeDescription
        var amount: Number
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
        /// Whether this is a workout by totals, which gives way to a recording of the same time.
        var isSummary = false
        /// Whether each day from the beginning to the end has a sample, whose value the cell has by the day's number.
        var isDaily = false
        /// The source, if it isn't that of the other samples.
        var source: SourceRecord?
        var metadata = Metadata.empty
    }

    /// Columns that HealthKit has no type for, with the name by which they are counted.
    struct Rest: Sendable {
        var title: String
        var columns: [Column]
    }

    var source = SourceRecord(bundleIdentifier: "csv.csv file", name: "CSV file")
    var device: DeviceRecord?
    /// The columns that have properties of the device.
    var deviceColumns: [(property: any WritableKeyPath<DeviceRecord, String?> & Sendable, column: Column)] = []
    /// The paths of the arrays of a JSON file that are read element by element, such as `data.entries`.
    var elements: [String] = []
    /// Patterns of the names of files that the mapping is for; of every file if empty.
    var files: [String] = []
    var separator: UInt8?
    /// That of the table if `nil`, which is a comma where semicolons separate.
    var decimal: Character?
    /// In the place of ``decimal``: a point or a comma, where nothing groups thousands.
    static let eitherDecimal: Character = "*"
    /// The line with the names of the columns, from 1; 0 if there is none.
    var headerLine = 1
    var conditions: [Condition] = []
    /// The conditions of a row that the service has from another one, and which may be in other rows, too.
    var mirror: [Condition] = []
    var start: Time?
    var end: Time?
    var duration: Number?
    var samples: [Sample] = []
    var rest: [Rest] = []
    /// Texts in the place of a number that say that it is outside of what a sensor measures, in lowercase.
    var outside: Set<String> = []
    /// The columns by which a table is recognized. All others may be missing then: a service's files change.
    var required: [Column] = []
    /// The members that lead from each element, or from the whole, to the objects that are rows.
    var rows: [String]?
    /// The column of a table whose cells have that JSON.
    var cell: Column?
    /// The column that distinguishes devices, each of which is a separate source: several may count the same steps.
    var devices: Column?
    /// The names of devices, by what their column has.
    var deviceNames: [String: String] = [:]

    /// The source of a row.
    func source(ofDevice device: String?) -> SourceRecord {
        guard let device else { return source }
        return SourceRecord(
            bundleIdentifier: "\(source.bundleIdentifier).\(device.lowercased())",
            name: "\(source.name) (\(deviceNames[device] ?? "device " + device.prefix(4)))")
    }

    /// Whether the mapping is one of JSON instead of a table.
    var isJSON: Bool { !elements.isEmpty || rows != nil && cell == nil }

    /// Whether there are totals, which are read after what has detail.
    var isTotals: Bool { samples.contains { $0.isTotal || $0.isSummary } }

    /// Whether a file has the columns by which its tables are recognized: in its header, or as members at the beginning
    /// of JSON.
    func fits(_ file: CandidateFile) -> Bool {
        if isJSON { return JSONTables.fits(file, self) }
        let header = file.header(line: headerLine)
        return !header.isEmpty && (try? ColumnTable(self, header: header)) != nil
    }

    /// Whether the mapping is for a file of this name. A pattern with a slash is one of a path.
    func isFor(_ name: String) -> Bool {
        var path = name.lowercased()
        if path.hasSuffix(".gz") { path.removeLast(3) }
        let last = path.split(separator: "/").last ?? ""
        return files.isEmpty
            || files.contains { Self.matches($0.contains("/") ? path[...] : last, $0.lowercased()[...]) }
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
