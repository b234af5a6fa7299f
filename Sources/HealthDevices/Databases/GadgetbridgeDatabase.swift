import Foundation
import HealthFiles
import HealthJSON
import HealthModel

/// The contents of a database of Gadgetbridge, in HealthKit's terms.
///
/// Tables and columns are those that Gadgetbridge's own sources define (GBDaoGenerator). What a device means by a kind of
/// activity is only known for some.
struct GadgetbridgeDatabase {
    private let database: UntrustedDatabase
    private let tables: [String: Set<String>]
    private var origins: [Int64: SampleOrigin] = [:]

    private static let unknown = origin(name: "Gadgetbridge", maker: nil, model: nil, number: 0)

    /// - Throws: `FileReadingError` for another database.
    init(_ database: UntrustedDatabase) throws {
        (self.database, tables) = (database, database.tables)
        guard let columns = tables["DEVICE"], columns.isSuperset(of: ["_id", "NAME", "MANUFACTURER", "MODEL"]) else {
            throw FileReadingError("it is a database, but not one of Gadgetbridge")
        }
        // Earlier databases have no aliases and no totals.
        let alias = columns.contains("ALIAS") ? "ALIAS" : "NULL"
        try database.rows(of: "DEVICE", "SELECT _id, \(alias), NAME, MANUFACTURER, MODEL FROM DEVICE") { row in
            guard let number = row.integer(0) else { return }
            origins[number] = Self.origin(
                name: row.text(1) ?? row.text(2) ?? "Gadgetbridge", maker: row.text(3), model: row.text(4),
                number: number)
        }
    }

    /// Each device is a source, also a second one of the same name.
    private static func origin(name: String, maker: String?, model: String?, number: Int64) -> SampleOrigin {
        SampleOrigin(
            "gadgetbridge.\(name.lowercased()).\(number)", name,
            device: DeviceRecord(name: name, manufacturer: maker, model: model))
    }

    /// Reads what was measured.
    ///
    /// - Returns: The workouts.
    func read(_ yield: (FileContent) throws -> Void) throws -> FileContent {
        for table in GadgetbridgeTable.all { try read(table, yield) }
        for (name, seconds, values) in [
            ("CMF_SLEEP_STAGE_SAMPLE", 1.0, [Int64(1): SleepValue.deep, 2: .core, 3: .rem]),
            ("COLMI_SLEEP_STAGE_SAMPLE", 60.0, [2: .core, 3: .deep, 4: .rem, 5: .awake]),
        ] { try readStages(name, seconds, values, yield) }
        try readXiaomiNights(yield)
        return try workouts()
    }

    /// Seconds since 2001 of a time since 1970.
    private static func date(_ time: Double?, milliseconds: Bool = true) -> Double? {
        guard let seconds = time.map({ milliseconds ? $0 / 1_000 : $0 }), seconds > 0, seconds < 2.5e11 else {
            return nil
        }
        return seconds - Date.timeIntervalBetween1970AndReferenceDate
    }

    private func has(_ table: String, _ columns: String...) -> Bool {
        tables[table]?.isSuperset(of: ["TIMESTAMP", "DEVICE_ID"] + columns) ?? false
    }

    private func read(_ table: GadgetbridgeTable, _ yield: (FileContent) throws -> Void) throws {
        guard has(table.name, table.column) else { return }
        var series: [Int64: SampleSeries] = [:]
        let query = "SELECT TIMESTAMP, DEVICE_ID, \(table.column) FROM \(table.name)"
        try database.rows(of: table.name, query) { row in
            // Zero, a negative number and the largest ones stand for nothing.
            guard let start = Self.date(row.number(0), milliseconds: table.isMilliseconds), let device = row.integer(1),
                let value = row.number(2), value > 0, value <= table.maximum
            else { return }
            series[device, default: .init(table.type, origins[device] ?? Self.unknown)]
                .append(value / table.divisor, start, start + table.span)
        }
        var content = FileContent()
        content.series = series.sorted { $0.key < $1.key }.map(\.value)
        try yield(content)
    }

    // MARK: - Nights

    private func readStages(
        _ table: String, _ seconds: Double, _ values: [Int64: SleepValue], _ yield: (FileContent) throws -> Void
    ) throws {
        guard has(table, "DURATION", "STAGE") else { return }
        var content = FileContent()
        try database.rows(of: table, "SELECT TIMESTAMP, DEVICE_ID, DURATION, STAGE FROM \(table)") { row in
            guard let start = Self.date(row.number(0)), let device = row.integer(1), let duration = row.number(2),
                (1..<86_400).contains(duration * seconds), let value = row.integer(3).flatMap({ values[$0] })
            else { return content.leaveOut("stage of sleep without times or of an unknown kind") }
            let samples = origins[device] ?? Self.unknown
            content.samples.append(samples.sleep(value, start, start + duration * seconds))
        }
        try yield(content)
    }

    /// Reads nights whose stages last until the next one, or until the end of the night.
    private func readXiaomiNights(_ yield: (FileContent) throws -> Void) throws {
        let (nights, stages) = ("XIAOMI_SLEEP_TIME_SAMPLE", "XIAOMI_SLEEP_STAGE_SAMPLE")
        guard has(nights, "WAKEUP_TIME") else { return }
        let values: [Int64: SleepValue] = [2: .deep, 3: .core, 4: .rem, 5: .awake]
        var changes: [Int64: [(date: Double, value: SleepValue?)]] = [:]
        if has(stages, "STAGE") {
            try database.rows(of: stages, "SELECT TIMESTAMP, DEVICE_ID, STAGE FROM \(stages)") { row in
                guard let date = Self.date(row.number(0)), let device = row.integer(1) else { return }
                changes[device, default: []].append((date, row.integer(2).flatMap { values[$0] }))
            }
            changes = changes.mapValues { $0.sorted { $0.date < $1.date } }
        }
        var content = FileContent()
        try database.rows(of: nights, "SELECT TIMESTAMP, DEVICE_ID, WAKEUP_TIME FROM \(nights)") { row in
            guard let start = Self.date(row.number(0)), let device = row.integer(1), let end = Self.date(row.number(2)),
                end > start, end - start < 2 * 86_400
            else { return content.leaveOut("night without times") }
            let origin = origins[device] ?? Self.unknown
            content.samples.append(origin.sleep(.inBed, start, end))
            let own = (changes[device] ?? []).filter { $0.date >= start && $0.date < end }
            let ends = own.dropFirst().map(\.date) + [end]
            let parts = zip(own, ends).compactMap { part, last in
                last > part.date ? part.value.map { origin.sleep($0, part.date, last) } : nil
            }
            content.samples += parts.isEmpty ? [origin.sleep(.asleep, start, end)] : parts
        }
        try yield(content)
    }

    // MARK: - Workouts

    /// Reads the list of workouts, whose totals are JSON. The recording of one may be beside the database as a GPX file.
    private func workouts() throws -> FileContent {
        var content = FileContent()
        let table = "BASE_ACTIVITY_SUMMARY"
        let columns = ["START_TIME", "END_TIME", "ACTIVITY_KIND", "DEVICE_ID"]
        guard let found = tables[table], found.isSuperset(of: columns) else { return content }
        let summary = found.contains("SUMMARY_DATA") ? "SUMMARY_DATA" : "NULL"
        try database.rows(of: table, "SELECT \(columns.joined(separator: ", ")), \(summary) FROM \(table)") { row in
            guard let start = Self.date(row.number(0)), let end = Self.date(row.number(1)), end > start,
                end - start < 31 * 86_400
            else { return content.leaveOut("workout without times") }
            let track = SportNames.track(called: row.integer(2).flatMap { Self.activities[$0] } ?? "")
            var totals = ActivityTotals(activity: track.activity, isIndoor: track.isIndoor, start: start, end: end)
            let data = JSONValue(Array((row.text(4) ?? "").utf8))
            for (figure, name) in Self.figures {
                totals.figures[figure] = (data?[name]?["value"]?.number).flatMap { $0 < 1e9 ? $0 : nil }
            }
            let origin = row.integer(3).flatMap { origins[$0] } ?? Self.unknown
            content.summaries.insert(content.objects.count)
            content.objects.append(totals.object(origin))
        }
        return content
    }

    private static let figures: [(ActivityTotals.Figure, String)] = [
        (.distance, "distanceMeters"), (.energy, "caloriesBurnt"), (.duration, "activeSeconds"),
        (.elevation, "ascentMeters"), (.averageHeartRate, "averageHR"), (.maximumHeartRate, "maxHR"),
    ]
}
