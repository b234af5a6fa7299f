import Foundation
import HealthFiles
import HealthJSON
import HealthModel

/// An entry of Strava's list of activities.
struct StravaActivity: Sendable {
    /// The path of the activity's file in the archive, if it has one.
    let file: String?
    private let totals: ActivityTotals

    private static let samples = SampleOrigin("strava.export", "Strava")

    /// - Throws: ``ColumnTable/Problem`` for a row without a number, a date or a length.
    ///
    /// - Parameter clock: A clock of UTC, in which the list has its dates.
    init(_ row: CSVReader.Row, _ columns: StravaColumns, _ clock: LocalClock) throws(ColumnTable.Problem) {
        func text(_ name: StravaColumns.Name) -> String? {
            columns[name].flatMap { row.fields.indices.contains($0) ? ColumnNumber.text(row.fields[$0]) : nil }
        }
        func number(_ name: StravaColumns.Name) -> Double? {
            // Some columns have the decimal comma of the account's language, others a point.
            text(name).flatMap { ColumnNumber.parse($0, decimal: $0.contains(",") && !$0.contains(".") ? "," : ".") }
        }
        guard let id = text(.id), id.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            throw ColumnTable.Problem(column: "Activity ID", reason: "the number of an activity is required")
        }
        guard let start = text(.date).flatMap({ clock.instant(of: $0) ?? LocalizedDate($0)?.instant(clock) }) else {
            throw ColumnTable.Problem(column: "Activity Date", reason: "a date with a time is required")
        }
        guard let elapsed = number(.elapsed), elapsed > 0, elapsed < 1e8 else {
            throw ColumnTable.Problem(column: "Elapsed Time", reason: "a number of seconds is required")
        }
        file = text(.file)
        let track = SportNames.track(called: text(.type) ?? "")
        var totals = ActivityTotals(
            activity: track.activity, isIndoor: track.isIndoor, start: start, end: start + elapsed)
        let meters = number(.meters) ?? number(.distance).map { $0 * 1_000 }
        let figures: [(ActivityTotals.Figure, Double?)] = [
            (.duration, number(.moving)), (.distance, meters), (.energy, number(.energy)),
            (.elevation, number(.elevation)), (.averageHeartRate, number(.averageHeartRate)),
            (.maximumHeartRate, number(.maximumHeartRate)), (.averageSpeed, number(.averageSpeed)),
            (.maximumSpeed, number(.maximumSpeed)),
        ]
        for (figure, value) in figures { totals.figures[figure] = value }
        totals.metadata = [.init(key: "HKExternalUUID", value: .string("strava:\(id)"))]
        for (key, name) in [("Title", StravaColumns.Name.title), ("Notes", .notes), ("Gear", .gear)] {
            if let text = text(name) { totals.metadata.append(.init(key: key, value: .string(text))) }
        }
        self.totals = totals
    }

    /// The workout by the figures of the list.
    var workout: ObjectRecord { totals.object(Self.samples) }

    /// Adds to what the activity's file has: its name, notes and gear; the sport, if the file has none. Without a workout
    /// in the file, that of the list.
    func complete(_ content: inout FileContent) {
        let places = content.objects.indices.filter {
            if case .workout = content.objects[$0].body { true } else { false }
        }
        guard let place = places.first else { return content.objects.append(workout) }
        guard places.count == 1, case .workout(var body) = content.objects[place].body else { return }
        let known = Set(content.objects[place].metadata.entries.map(\.key))
        content.objects[place].metadata.entries += totals.metadata.filter { !known.contains($0.key) }
        if body.activityType == Self.unknown, body.activities.count < 2 {
            body.activityType = totals.activity
            for place in body.activities.indices { body.activities[place].activityType = totals.activity }
            content.objects[place].body = .workout(body)
        }
    }

    /// The raw value of another activity.
    private static let unknown: UInt = 3_000
}
