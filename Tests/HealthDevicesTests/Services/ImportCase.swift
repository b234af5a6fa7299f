import Foundation
import HealthDevices
import HealthEngine
import HealthFiles
import HealthModel
import Testing

/// Files, and everything that is in the store and in the report after their import: a row of a table of tests.
struct ImportCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var files: [(name: String, text: String)]
    var zone = "Europe/Berlin"
    var columns: String?
    /// See ``ArchiveFolder/contents()``.
    var stored: [String] = []
    /// The counts of what was left out, without `, left out`.
    var leftOut: [String: Int] = [:]
    /// The lines of tables that can't be read.
    var skippedLines: [Int] = []

    init(
        _ description: String, _ name: String, _ text: String, zone: String = "Europe/Berlin", columns: String? = nil,
        _ stored: [String], leftOut: [String: Int] = [:], skippedLines: [Int] = []
    ) {
        (testDescription, files, self.zone, self.columns) = (description, [(name, text)], zone, columns)
        (self.stored, self.leftOut, self.skippedLines) = (stored, leftOut, skippedLines)
    }

    /// Imports the files, compares, and imports them again, which adds nothing.
    func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        for file in files { try folder.write(Array(file.text.utf8), file.name) }
        let report = try #require(
            try folder.importing(columns: columns, zone: zone), "nothing known", sourceLocation: sourceLocation)
        let found = try folder.contents()
        #expect(found == stored.sorted(), sourceLocation: sourceLocation)
        let counts = report.irregularities.map { ($0.key.replacing(", left out", with: ""), $0.value) }
        #expect(Dictionary(uniqueKeysWithValues: counts) == leftOut, sourceLocation: sourceLocation)
        #expect(report.skips.map(\.line) == skippedLines, "\(report.skips)", sourceLocation: sourceLocation)
        #expect(report.unread == [], sourceLocation: sourceLocation)
        let again = try folder.importing(columns: columns, zone: zone)
        #expect(again?.addedCount == 0, "\(again?.added ?? [:])", sourceLocation: sourceLocation)
        #expect(try folder.contents() == found, sourceLocation: sourceLocation)
    }
}

extension ArchiveFolder {
    /// Everything in the store as text, sorted: `HeartRate 61 count/min 2024-05-01T07:00:00Z`, with ` +60` for the seconds
    /// that a sample lasts, and metadata in braces. The samples of an object have lines of their own.
    func contents() throws -> [String] {
        try engine.withReader(as: .reader) { reader in
            var lines: [String] = []
            for type in try reader.types() {
                let name = type.identifier.replacing(#/^HK(Quantity|Category|Correlation)?(TypeIdentifier)?/#, with: "")
                    .replacing(#/TypeIdentifier$/#, with: "")
                for page in try reader.pages(of: type.code) {
                    let rows = try reader.rows(of: page, columns: [.starts, .ends, .values, .units, .metadata])
                    for row in rows.starts.indices {
                        let unit = rows.units[row] == 0 ? "" : " \(reader.dictionaries.unit(rows.units[row]))"
                        lines.append(
                            "\(name) \(Self.number(rows.values[row]))\(unit) "
                                + Self.period(rows.starts[row], rows.ends[row]) + Self.text(rows.metadata(at: row)))
                    }
                }
                for outline in try reader.objects(of: type.code) {
                    guard let object = try reader.object(outline.sequence) else { continue }
                    lines.append(
                        name + " " + Self.period(object.start, object.end) + Self.text(object.body)
                            + Self.text(object.metadata))
                }
            }
            return lines.sorted()
        }
    }

    /// The names of the sources in the store.
    func sources() throws -> Set<String> { Set(try engine.dictionaries().sources.map(\.name)) }

    private static func text(_ body: ObjectBody) -> String {
        switch body {
        case .workout(let workout):
            let figures = [workout.totalEnergyBurned, workout.totalDistance].compactMap(\.self)
                .map { " \(number($0.value)) \($0.unit)" }
            let statistics = workout.statistics.filter { $0.sum == nil }.map { entry in
                let parts = [("average", entry.average), ("maximum", entry.maximum)].compactMap { name, value in
                    value.map { " \(name) \(number($0))" }
                }
                return " \(entry.type.replacing("HKQuantityTypeIdentifier", with: ""))\(parts.joined())"
            }
            let events = workout.events.isEmpty ? [] : [" events \(workout.events.map(\.type))"]
            return " activity \(workout.activityType) for \(number(workout.duration))"
                + (figures + statistics.sorted() + events).joined()
        case .document(let document): return " points \(document.series["timestamps"]?.count ?? 0)"
        default: return ""
        }
    }

    private static func text(_ metadata: Metadata) -> String {
        guard !metadata.entries.isEmpty else { return "" }
        let entries = metadata.entries.map { entry in
            let value =
                switch entry.value {
                case .string(let text): text
                case .bool(let flag): "\(flag)"
                case .integer(let number): "\(number)"
                case .double(let value), .date(let value): number(value)
                case .quantity(let value, let unit): "\(number(value)) \(unit)"
                }
            return "\(entry.key): \(value)"
        }
        return " {\(entries.sorted().joined(separator: ", "))}"
    }

    private static func period(_ start: Double, _ end: Double) -> String {
        let whole = start.rounded(.down)
        let date = Date(timeIntervalSinceReferenceDate: whole).ISO8601Format()
        let fraction = start == whole ? "" : String(number(start - whole).dropFirst())
        return date.dropLast() + fraction + "Z" + (end == start ? "" : " +\(number(end - start))")
    }

    /// A number with up to six decimals.
    private static func number(_ value: Double) -> String {
        let rounded = (value * 1e6).rounded() / 1e6
        return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
    }
}
