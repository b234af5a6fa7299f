import Foundation
import HealthFiles
import HealthModel

/// Strava's list of activities, `activities.csv`.
struct StravaList {
    private(set) var activities: [StravaActivity] = []
    /// The rows that can't be read.
    private(set) var damages: [FileDamage] = []

    /// `nil` for a table that isn't Strava's list.
    init?(_ open: TableFile.Opening) throws {
        var reader = try CSVReader(open())
        var columns: StravaColumns?
        do {
            guard let header = try reader.next() else { return nil }
            var rows: [CSVReader.Row] = []
            columns = StravaColumns(header: header.fields, row: nil)
            // A language that isn't known is recognized by a row whose activity has a file.
            while columns?.isComplete != true, rows.count < 1_000, let row = try reader.next() {
                rows.append(row)
                columns = StravaColumns(header: header.fields, row: row.fields) ?? columns
            }
            guard let columns else { return nil }
            let clock = LocalClock(timeZone: .gmt)
            for row in rows { add(row, columns, clock) }
            while let row = try reader.next() { add(row, columns, clock) }
        } catch let failure as CSVReader.Failure {
            guard columns != nil else { return nil }
            damages.append(.init(offset: 0, line: failure.line, reason: failure.reason))
        }
    }

    private mutating func add(_ row: CSVReader.Row, _ columns: StravaColumns, _ clock: LocalClock) {
        do {
            activities.append(try StravaActivity(row, columns, clock))
        } catch {
            damages.append(
                .init(offset: 0, line: row.line, reason: "column “\(error.column)”: \(error.reason)"))
        }
    }
}
