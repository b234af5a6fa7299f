import Foundation
import HealthJSON

/// The columns of Strava's list of activities, whose names are in the language of the account.
///
/// Strava has two layouts: that before July 2019 with ten columns in English, and that of today, whose columns have the
/// same order in every language. Columns without a known name are found by their distance from that with the name of the
/// file, which is recognized by its content.
struct StravaColumns: Sendable {
    private var places: [Name: Int] = [:]
    /// Whether all columns that there are were found.
    private(set) var isComplete = false

    /// The place of a column.
    subscript(name: Name) -> Int? { places[name] }

    /// `nil` for a table that isn't Strava's.
    ///
    /// - Parameter row: A row of it, if there is one.
    init?(header: [String], row: [String]?) {
        let keys = header.map {
            $0.trimmingCharacters(in: .whitespaces).lowercased().replacing("’", with: "'")
        }
        if keys.starts(with: ["id", "date", "name", "type", "description", "elapsed_time", "distance"]) {
            for (place, key) in keys.enumerated() {
                if let name = Self.early[key] { places[name] = place }
            }
            isComplete = true
            return
        }
        for (name, names) in Self.names {
            let wanted = names.split(separator: "|").map(String.init)
            let found = keys.indices.filter { wanted.contains(keys[$0]) }
            places[name] = found.first
            // The second column with a name has the exact figure.
            if name == .distance, found.count > 1 { places[.meters] = found[1] }
            if name == .elapsed, found.count > 1 { places[.elapsed] = found[1] }
            if name == .maximumHeartRate { places[name] = found.last }
        }
        let isNamed = places[.id] != nil && places[.date] != nil && places[.type] != nil
        isComplete = isNamed && places[.file] != nil && (keys.count < 30 || places[.energy] != nil)
        if isComplete { return }
        guard isNamed || Self.isActivity(row, keys.count) else { return nil }
        complete(with: row, keys.count)
    }

    /// Whether a row is one of an activity: a number, a date, a name and a type.
    private static func isActivity(_ row: [String]?, _ count: Int) -> Bool {
        guard let row, count >= 10, row.count >= 10, row[0].count > 4, row[0].allSatisfy({ $0.isASCII && $0.isNumber }),
            LocalizedDate(row[1]) != nil, !row[3].isEmpty
        else { return false }
        return file(in: row) != nil
    }

    /// The column with the name of a file.
    private static func file(in row: [String]) -> Int? {
        row.firstIndex { $0.hasPrefix("activities/") }
    }

    /// Finds the columns that have no known name by their order.
    private mutating func complete(with row: [String]?, _ count: Int) {
        func set(_ name: Name, _ place: Int) {
            if places[name] == nil, place < count { places[name] = place }
        }
        for (place, name) in [Name.id, .date, .title, .type, .notes, .elapsed, .distance].enumerated() {
            set(name, place)
        }
        guard let file = places[.file] ?? row.flatMap(Self.file) else { return }
        places[.file] = file
        isComplete = true
        set(.gear, file - 1)
        guard count > file + 22 else { return }
        if places[.elapsed] == 5 { places[.elapsed] = file + 3 }
        for (name, distance) in Self.distances { set(name, file + distance) }
    }
}
