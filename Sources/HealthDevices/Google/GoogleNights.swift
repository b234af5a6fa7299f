import HealthFiles
import HealthJSON
import HealthModel

/// A stage of a table, by the number of its night and its beginning.
struct NightStage: Hashable {
    let night: Int64
    let start: Double
}

/// The tables of nights and workouts, which have instants in UTC.
extension GoogleTakeoutReader {
    private struct NightColumns {
        let id: Int
        let start: Int
        let end: Int
        let stage: Int?
        let source: Int?

        init?(_ names: [String], _ start: String, _ end: String, stage: String?) {
            guard let id = names.firstIndex(of: "sleep_id"), let first = names.firstIndex(of: start),
                let last = names.firstIndex(of: end)
            else { return nil }
            (self.id, self.start, self.end) = (id, first, last)
            self.stage = stage.flatMap { names.firstIndex(of: $0) }
            source = names.firstIndex(of: "data_source")
        }
    }

    /// Reads the nights. One without stages, which a table of their own has, becomes sleep of an unknown kind.
    mutating func readNights(_ bytes: FileBytes, into content: inout FileContent) throws {
        let instants = LocalClock(timeZone: timeZone)
        try bytes.table().forEachRow {
            NightColumns($0, "sleep_start", "sleep_end", stage: nil)
        } _: {
            fields, columns in
            guard let start = instants.instant(of: fields.bytes(columns.start)),
                let end = instants.instant(of: fields.bytes(columns.end)), end > start
            else { return content.leaveOut("night without times") }
            let id = Self.number(fields, columns.id)
            guard id == 0 || knownNights.insert(id).inserted else {
                return content.leaveOut("night that another file has, too")
            }
            let samples = GoogleOrigin.source(named: Self.sourceName(fields.text(columns.source)))
            sleeps.add(start, end)
            content.samples.append(samples.sleep(.inBed, start, end))
            if id == 0 || !stagedNights.contains(id) {
                nights[id == 0 ? -Int64(nights.count) - 1 : id] = samples.sleep(.asleep, start, end)
            }
        }
    }

    mutating func readStages(_ bytes: FileBytes, into content: inout FileContent) throws {
        let instants = LocalClock(timeZone: timeZone)
        try bytes.table().forEachRow {
            NightColumns($0, "sleep_stage_start", "sleep_stage_end", stage: "sleep_stage_type")
        } _: { fields, columns in
            guard let start = instants.instant(of: fields.bytes(columns.start)),
                let end = instants.instant(of: fields.bytes(columns.end)), end > start,
                let stage = SleepValue(called: fields.text(columns.stage))
            else { return content.leaveOut("stage of sleep without times or of an unknown kind") }
            let id = Self.number(fields, columns.id)
            guard id == 0 || knownStages.insert(NightStage(night: id, start: start)).inserted else {
                return content.leaveOut("stage of sleep that another file has, too")
            }
            nights[id] = nil
            stagedNights.insert(id)
            let samples = GoogleOrigin.source(named: Self.sourceName(fields.text(columns.source)))
            content.samples.append(samples.sleep(stage, start, end))
        }
    }

    /// The number that nights and their stages share; 0 without one.
    private static func number(_ fields: CSVReader.Fields, _ column: Int) -> Int64 { Int64(fields.text(column)) ?? 0 }

    /// The tables of nights write the names of devices like constants: `CHARGE_5` is Charge 5. `MANUAL` and `DERIVED` aren't
    /// devices.
    private static func sourceName(_ text: String) -> String {
        guard text != "MANUAL", text != "DERIVED" else { return "" }
        guard text.contains("_"), text.uppercased() == text else { return text }
        return text.split(separator: "_").map { $0.prefix(1) + $0.dropFirst().lowercased() }.joined(separator: " ")
    }

    // MARK: - Workouts

    mutating func readExercises(_ bytes: FileBytes, into content: inout FileContent) throws {
        let instants = LocalClock(timeZone: timeZone)
        try bytes.table().forEachRow { names -> [String: Int]? in
            Dictionary(zip(names, 0...), uniquingKeysWith: { first, _ in first })
        } _: { fields, columns in
            func time(_ name: String) -> Double? {
                columns[name].flatMap { instants.instant(of: fields.bytes($0)) }
            }
            func number(_ names: String...) -> Double? {
                names.compactMap { columns[$0].flatMap { DecimalText.value(fields.bytes($0)) } }.first { $0 > 0 }
            }
            guard let start = time("exercise_start"), let end = time("exercise_end"), end > start else {
                return content.leaveOut("workout without times")
            }
            var workout = GoogleWorkout(
                activity: fields.text(columns["activity_name"]), start, end, GoogleOrigin.fitbit)
            workout.energy = number("tracker_total_calories", "manually_logged_total_calories")
            workout.distance = number("tracker_total_distance_mm", "manually_logged_total_distance_mm").map {
                $0 / 1_000
            }
            workout.steps = number("tracker_total_steps", "manually_logged_total_steps")
            workout.heartRate = number("tracker_avg_heart_rate")
            workout.maximumHeartRate = number("tracker_peak_heart_rate")
            workout.ascent = number("tracker_total_altitude_mm").map { $0 / 1_000 }
            workout.isManual = fields.text(columns["log_type"]).uppercased() == "MANUAL"
            workout.zoneOffset = fields.text(columns["utc_offset"])
            content.append(workout)
        }
    }
}
