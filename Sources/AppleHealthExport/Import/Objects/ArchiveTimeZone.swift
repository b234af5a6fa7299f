package import Foundation
package import HealthEngine
import HealthImport
import HealthModel

/// Evidence of the time zone in which the person of an archive lives.
///
/// All dates of an archive have the offset of the iPhone when it exported, so one date doesn't show what a day of the person
/// is. The zone is that of samples that name one, or of the region of the archive's locale, if it fits the dates; or the
/// only one that has the offsets of a year.
package struct ArchiveTimeZone {
    /// The language and region of the iPhone.
    var locale: String?
    /// The text of the export date.
    var exportDate: String?
    /// Dates with their offsets from UTC in seconds.
    package var dates: [(instant: Double, offset: Int)] = []
    /// How often samples name a zone.
    private var names: [String: Int] = [:]

    private static let key = "HKTimeZone"
    /// The zones of each region, in the order of their importance.
    private static let table = "/usr/share/zoneinfo/zone.tab"
    private static let maximumNames = 1_000

    package init(locale: String? = nil, exportDate: String? = nil) {
        (self.locale, self.exportDate) = (locale, exportDate)
    }

    /// Takes note of the zones that objects and samples name.
    mutating func add(_ batch: BulkBatch) {
        for object in batch.objects { add(object.metadata) }
        for column in batch.columns {
            for metadata in column.metadata.table { add(metadata) }
        }
    }

    private mutating func add(_ metadata: Metadata) {
        guard !metadata.isEmpty, case .string(let name)? = metadata[Self.key],
            names[name] != nil || names.count < Self.maximumNames
        else { return }
        names[name, default: 0] += 1
    }

    /// The date of the export; without one, the last date.
    private var export: (instant: Double, offset: Int)? {
        guard let exportDate else { return dates.max { $0.instant < $1.instant } }
        guard let date = DateText(exportDate), let offset = date.offset else { return nil }
        return (date.instant(offset: offset), offset)
    }

    /// The zone for a person without one, and what a report says of it; `nil` if the person has one, or the dates are those
    /// of the zone in which days begin otherwise.
    ///
    /// - Parameters:
    ///   - what: What has the dates, such as “archive”.
    ///   - own: The zone in which days begin otherwise.
    ///   - isTaken: Whether the caller is going to set the zone.
    package func conclusion(
        _ what: String, for engine: HealthEngine, own: TimeZone = .current, isTaken: Bool = true
    ) throws -> (zone: String?, remark: String)? {
        guard let export, try engine.imports.metadata(ImportHistory.timeZoneKey) == nil else { return nil }
        let zone = zone
        if zone.map({ hasSameTime($0, own) }) ?? fits(own) { return nil }
        if let zone = zone?.identifier, isTaken {
            return (
                zone, "Days begin at midnight in \(zone), the \(what)’s time zone; “hk profile --time-zone” changes it."
            )
        }
        let offset = ArchiveDate.print(0, offset: export.offset).suffix(5)
        return (
            nil,
            "Days begin at midnight in \(own.identifier), but the \(what)’s dates have the offset \(offset); “hk profile --time-zone” sets the person’s time zone."
        )
    }

    /// Whether all dates have the offsets that they have in a zone. An archive with one offset has that of its export.
    func fits(_ zone: TimeZone) -> Bool {
        let isOne = Set(dates.map(\.offset)).count < 2
        let dates = (isOne ? [] : dates) + (export.map { [$0] } ?? [])
        return !dates.isEmpty
            && dates.allSatisfy {
                zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: $0.instant)) == $0.offset
            }
    }

    /// The person's zone; `nil` if nothing shows it.
    var zone: TimeZone? {
        let named = names.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.compactMap { TimeZone(identifier: $0.key) }
        if let zone = named.first(where: fits) { return zone }
        var found = region.map { region in Self.zones { $0 == region }.filter(fits) } ?? []
        if found.isEmpty, Set(dates.map(\.offset)).count > 1 { found = Self.zones { _ in true }.filter(fits) }
        // Of zones with the same time, the one that an abbreviation such as CET stands for is known best.
        let known = Set(TimeZone.abbreviationDictionary.values)
        let first = found.first { known.contains($0.identifier) } ?? found.first
        guard let first, found.allSatisfy({ hasSameTime($0, first) }) else { return nil }
        return first
    }

    /// Whether two zones had the same time in the year before the export, which makes them the same for the person.
    func hasSameTime(_ zone: TimeZone, _ other: TimeZone) -> Bool {
        (0..<24).allSatisfy { part in
            let date = Date(timeIntervalSinceReferenceDate: (export?.instant ?? 0) - Double(part) * 365 * 3_600)
            return zone.secondsFromGMT(for: date) == other.secondsFromGMT(for: date)
        }
    }

    private var region: Substring? {
        locale?.split { $0 == "_" || $0 == "-" || $0 == "@" }.dropFirst().first { $0.count == 2 }
    }

    private static func zones(in isWanted: (Substring) -> Bool) -> [TimeZone] {
        let text = (try? String(contentsOfFile: table, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t")
            guard fields.count > 2, isWanted(fields[0]) else { return nil }
            return TimeZone(identifier: String(fields[2]))
        }
    }
}
