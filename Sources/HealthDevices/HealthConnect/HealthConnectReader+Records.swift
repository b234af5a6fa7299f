import Foundation
import HealthFiles
import HealthModel

/// Records with more than a time and a value.
extension HealthConnectReader {
    /// Adds a category sample.
    private mutating func add(
        _ identifier: String, _ value: Int, _ start: Double, _ end: Double, _ origin: Origin,
        uuid: UUID? = nil, metadata: Metadata = .empty
    ) {
        var sample = samples(origin).sample(
            MeasuredType.code("HKCategoryTypeIdentifier" + identifier), Double(value), start,
            Self.end(end, after: start, origin), metadata: Metadata(metadata.entries + origin.metadata.entries))
        sample.uuid = uuid ?? origin.own
        reading.samples.append(sample)
    }

    // MARK: - Sleep

    /// Reads nights and their stages. One without stages becomes sleep of an unknown kind.
    mutating func readSleep() throws {
        let (table, stages) = ("sleep_session_record_table", "sleep_stages_table")
        guard has(table, ["start_time", "end_time"]) else { return }
        // Nights of which a damaged table may have had the stages don't become sleep of an unknown kind.
        var (staged, hasAll) = (Set<Int64>(), true)
        if tables[stages]?.isSuperset(of: ["parent_key", "stage_start_time", "stage_end_time", "stage_type"]) ?? false {
            let columns = [
                "t.stage_start_time", "t.stage_end_time", "t.stage_type", "t.parent_key", "r.start_time",
            ]
            let values = Dictionary(uniqueKeysWithValues: HealthConnectTable.stages.map { ($0.number, $0.value) })
            hasAll = try rows(stages, columns, of: table) { reader, row in
                guard let start = Self.date(row.number(0)), let end = Self.date(row.number(1)), end > start,
                    let value = row.integer(2).flatMap({ values[$0] })
                else { return reader.reading.leaveOut("stage of sleep without times or of an unknown kind") }
                if let night = row.integer(3) { staged.insert(night) }
                let origin = Origin(row, at: 5)
                var uuid = origin.own
                if let own = uuid, !origin.isAsleep || row.number(0) != row.number(4) {
                    // One sample stands for the night.
                    guard try !reader.knows(own) else { return }
                    uuid = FileContent.identity("\(own) \(start)")
                }
                reader.add("SleepAnalysis", value.rawValue, start, end, origin, uuid: uuid)
            }
        }
        try rows(table, ["t.start_time", "t.end_time", "t.row_id"]) { reader, row in
            guard let start = Self.date(row.number(0)), let end = Self.date(row.number(1)), end > start else {
                return reader.reading.leaveOut("night without times")
            }
            let origin = Origin(row, at: 3)
            guard !origin.isAsleep else { return }
            reader.add("SleepAnalysis", SleepValue.inBed.rawValue, start, end, origin)
            if origin.own == nil, hasAll, row.integer(2).map({ !staged.contains($0) }) ?? true {
                reader.add("SleepAnalysis", SleepValue.asleep.rawValue, start, end, origin)
            }
        }
    }

    // MARK: - Measurements

    mutating func readPressure() throws {
        let columns = ["time", "systolic", "diastolic"]
        guard has("blood_pressure_record_table", columns) else { return }
        try rows("blood_pressure_record_table", columns.map { "t.\($0)" }) { reader, row in
            guard let date = Self.date(row.number(0)), let systolic = row.number(1), let diastolic = row.number(2),
                systolic > 0, diastolic > 0
            else { return reader.reading.leaveOut("record without a time or value") }
            let origin = Origin(row, at: 3)
            let samples = reader.samples(origin)
            let values = [(MeasuredType.systolic, systolic), (.diastolic, diastolic)]
            try reader.append(
                samples.object(
                    "HKCorrelationTypeIdentifierBloodPressure", date, date, metadata: origin.metadata, .none,
                    members: values.map { samples.quantity($0, $1, date, metadata: origin.metadata) }), origin)
        }
    }

    /// Adds an object. Of an own one that the store has, only the identity counts.
    private mutating func append(_ object: ObjectRecord, _ origin: Origin) throws {
        var object = object
        object.uuid = origin.own
        if let own = origin.own, try knows(own) { object.members = [] }
        reading.objects.append(object)
    }

    /// Reads skin temperatures, times of exercise and mindful sessions.
    mutating func readOthers() throws {
        let period = ["t.start_time", "t.end_time"]
        let (skin, deltas) = ("skin_temperature_record_table", "skin_temperature_delta_table")
        if has(skin, ["start_time", "end_time", "baseline"]),
            tables[deltas]?.isSuperset(of: ["parent_key", "delta"]) ?? false
        {
            // The average of a night.
            let average = "(SELECT avg(delta) FROM \(deltas) WHERE parent_key = t.row_id)"
            try rows(skin, period + ["t.baseline", average]) { reader, row in
                guard let start = Self.date(row.number(0)), let end = Self.date(row.number(1)), end >= start,
                    let baseline = row.number(2), baseline > 0, let delta = row.number(3)
                else { return reader.reading.leaveOut("skin temperature without a baseline") }
                try reader.append(.wristTemperature, baseline + delta, start, end, Origin(row, at: 4))
            }
        }
        if has("activity_intensity_record_table", ["start_time", "end_time"]) {
            try rows("activity_intensity_record_table", period) { reader, row in
                guard let start = Self.date(row.number(0)), let end = Self.date(row.number(1)), end > start else {
                    return reader.reading.leaveOut("record without a time or value")
                }
                try reader.append(.exerciseTime, (end - start) / 60, start, end, Origin(row, at: 2))
            }
        }
        if has("mindfulness_session_record_table", ["start_time", "end_time"]) {
            try rows("mindfulness_session_record_table", period) { reader, row in
                guard let start = Self.date(row.number(0)), let end = Self.date(row.number(1)), end > start else {
                    return reader.reading.leaveOut("record without a time or value")
                }
                reader.add("MindfulSession", 0, start, end, Origin(row, at: 2))
            }
        }
    }

    // MARK: - Food

    /// Reads meals with their nutrients.
    mutating func readFood() throws {
        let table = "nutrition_record_table"
        guard has(table, ["start_time", "end_time"]) else { return }
        let columns = tables[table] ?? []
        let nutrients = HealthConnectTable.nutrients.filter { columns.contains($0.column) }
        let energy = columns.contains("energy") ? "t.energy" : "NULL"
        let name = columns.contains("meal_name") ? "t.meal_name" : "NULL"
        let names = ["t.start_time", "t.end_time", energy, name] + nutrients.map { "t.\"\($0.column)\"" }
        try rows(table, names) { reader, row in
            guard let start = Self.date(row.number(0)), let last = Self.date(row.number(1)), last >= start else {
                return reader.reading.leaveOut("record without a time or value")
            }
            let origin = Origin(row, at: names.count)
            let (samples, end) = (reader.samples(origin), Self.end(last, after: start, origin))
            var members: [SampleRecord] = []
            func add(_ type: MeasuredType, _ value: Double?) {
                guard let value, value > 0 else { return }
                members.append(samples.quantity(type, value, start, end, metadata: origin.metadata))
            }
            add(HealthConnectTable.foodEnergy, row.number(2).map { $0 / 1_000 })
            for (place, nutrient) in nutrients.enumerated() { add(nutrient.type, row.number(4 + place)) }
            guard !members.isEmpty else { return reader.reading.leaveOut("meal without nutrients") }
            var metadata = origin.metadata
            if let name = row.text(3) { metadata.entries.insert(.init(key: "HKFoodType", value: .string(name)), at: 0) }
            try reader.append(
                samples.object(
                    "HKCorrelationTypeIdentifierFood", start, end, metadata: metadata, .none, members: members), origin)
        }
    }

    // MARK: - Cycle

    mutating func readCycle() throws {
        // A period begins a cycle, whose flow is listed by local day; not every application lists it.
        var beginnings: Set<Int> = []
        var days: [(start: Double, day: Int, origin: Origin)] = []
        func day(_ local: Double) -> Int { Int((local / 86_400).rounded(.down)) }
        let periods = "menstruation_period_record_table"
        if has(periods, ["start_time", "end_time"]) {
            let columns = ["t.start_time", "t.end_time", column("start_zone_offset", of: periods)]
            try rows(periods, columns) { _, row in
                guard let start = Self.date(row.number(0)), let end = Self.date(row.number(1)) else { return }
                let first = day(start + (row.number(2) ?? 0))
                beginnings.insert(first)
                let origin = Origin(row, at: 3)
                // An own period has a flow on each of its days.
                guard origin.own == nil else { return }
                for number in 0..<31 where number == 0 || start + Double(number) * 86_400 < end {
                    days.append((start + Double(number) * 86_400, first + number, origin))
                }
            }
        }
        func metadata(_ day: Int) -> Metadata {
            Metadata([.init(key: "HKMenstrualCycleStart", value: .bool(beginnings.remove(day) != nil))])
        }
        var known: Set<Int> = []
        try readCycle("menstruation_flow_record_table", "flow", "MenstrualFlow") { local, value in
            HealthConnectTable.flow[value].map { value in
                known.insert(day(local))
                return (value, metadata(day(local)))
            }
        }
        for (start, day, origin) in days where known.insert(day).inserted {
            add("MenstrualFlow", 1, start, start, origin, metadata: metadata(day))
        }
        try readCycle("ovulation_test_record_table", "result", "OvulationTestResult") { _, value in
            HealthConnectTable.ovulation[value].map { ($0, .empty) }
        }
        try readCycle("cervical_mucus_record_table", "appearance", "CervicalMucusQuality") { _, value in
            (1...5).contains(value) ? (Int(value), .empty) : nil
        }
        try readCycle("sexual_activity_record_table", "protection_used", "SexualActivity") { _, value in
            guard value == 1 || value == 2 else { return (0, .empty) }
            return (0, Metadata([.init(key: "HKSexualActivityProtectionUsed", value: .bool(value == 1))]))
        }
        try readCycle("intermenstrual_bleeding_record_table", nil, "IntermenstrualBleeding") { _, _ in (0, .empty) }
    }

    /// - Parameter value: The value and metadata of a record, by its local time, in seconds since 2001, and the number
    ///   in its column; `nil` for one of an unknown kind.
    private mutating func readCycle(
        _ table: String, _ column: String?, _ identifier: String,
        _ value: (_ local: Double, Int64) -> (Int, Metadata)?
    ) throws {
        guard has(table, ["time"] + [column].compactMap(\.self)) else { return }
        let columns = ["t.time", column.map { "t.\($0)" } ?? "0", self.column("zone_offset", of: table)]
        try rows(table, columns) { reader, row in
            guard let date = Self.date(row.number(0)), let number = row.integer(1),
                let (value, metadata) = value(date + (row.number(2) ?? 0), number)
            else { return reader.reading.leaveOut("record of the cycle without a time or of an unknown kind") }
            reader.add(identifier, value, date, date, Origin(row, at: 3), metadata: metadata)
        }
    }

    /// A column of a record for a query, which not every version has.
    private func column(_ name: String, of table: String) -> String {
        tables[table]?.contains(name) ?? false ? "t.\(name)" : "NULL"
    }
}
