import HealthEngine
import HealthFiles
import HealthFormats
import HealthModel
import HealthStorage

/// Records with more than a time and a value.
extension HealthConnectWriter {
    /// Writes an object.
    ///
    /// - Returns: Whether there is a record with it.
    mutating func write(_ object: ObjectRecord, _ type: TypeDescription) throws -> Bool {
        if case .workout(let workout) = object.body {
            guard try add(object, workout) else { return false }
        } else if type.kind == .correlation {
            var filled = [object]
            try reading.fillMembers(of: &filled)
            let isFood = type.identifier == "HKCorrelationTypeIdentifierFood"
            guard try isFood ? addFood(frame(object), filled[0].members) : addPressure(object, filled[0].members) else {
                return false
            }
            members.formUnion(filled[0].members.map(\.sequence))
        } else {
            // The points of a route are in its workout's record.
            let owners = try reading.owners(of: object.sequence)
            return type.identifier == "HKWorkoutRouteTypeIdentifier" && !owners.isEmpty
        }
        report.add(type.shortName)
        return true
    }

    private mutating func addPressure(_ object: ObjectRecord, _ members: [SampleRecord]) throws -> Bool {
        let values = [MeasuredType.systolic, .diastolic].compactMap { type in
            members.first { $0.type == type.code }.flatMap { value(of: $0, in: type.unit) }
        }
        guard values.count == 2 else { return false }
        let columns: [Column] = [
            ("measurement_location", .text("0")), ("systolic", .real(values[0])), ("diastolic", .real(values[1])),
            ("body_position", .text("0")),
        ]
        return try add("blood_pressure_record_table", .moment, frame(object), columns) != nil
    }

    /// Adds a meal, or a nutrient on its own.
    mutating func addFood(_ frame: Frame, _ members: [SampleRecord]) throws -> Bool {
        var sums: [String: Double] = [:]
        for member in members {
            guard let (column, type) = HealthConnectTable.nutrient(member.type),
                let value = value(of: member, in: type.unit)
            else { continue }
            // Energy is in calories.
            sums[column, default: 0] += column == "energy" ? value * 1_000 : value
        }
        guard !sums.isEmpty else { return false }
        let name = frame.metadata.text("HKFoodType")
        let row = HealthConnectSchema.columns(of: "nutrition_record_table").map { column -> Column in
            switch column.name {
            case "meal_name": (column.name, .optional(name))
            case "meal_type": (column.name, .integer(0))
            default: (column.name, sums[column.name].map { .real($0) } ?? .lacking)
            }
        }
        return try add("nutrition_record_table", .period, frame, row) != nil
    }

    // MARK: - Categories

    /// Adds a sample of a category.
    ///
    /// - Parameter cycle: The first sample of the open period, and when its last one ends.
    mutating func addCategory(
        _ sample: SampleRecord, _ type: TypeDescription, _ cycle: inout (frame: Frame, end: Double)?
    ) throws -> Bool {
        let (frame, value) = (frame(sample), Int(sample.value))
        func add(_ table: String, _ columns: [Column]) throws -> Bool {
            try self.add(table, .moment, frame, columns) != nil
        }
        switch type.identifier.dropFirst("HKCategoryTypeIdentifier".count) {
        case "MenstrualFlow":
            guard let flow = HealthConnectTable.flow.first(where: { $0.value == value })?.key else { return false }
            if sample.metadata[MetadataKey.menstrualCycleStart]?.number == 1 {
                if let cycle { try addPeriod(cycle) }
                cycle = (frame, sample.end)
            } else if let end = cycle?.end, sample.start < end + 1.5 * 86_400 {
                // The days of a period follow each other.
                cycle?.end = max(end, sample.end)
            }
            return try add("menstruation_flow_record_table", [("flow", .integer(flow))])
        case "OvulationTestResult":
            guard let result = HealthConnectTable.ovulation.first(where: { $0.value == value })?.key else {
                return false
            }
            return try add("ovulation_test_record_table", [("result", .integer(result))])
        case "CervicalMucusQuality":
            let columns: [Column] = [("sensation", .integer(0)), ("appearance", .integer(Int64(value)))]
            return try add("cervical_mucus_record_table", columns)
        case "SexualActivity":
            let isProtected = sample.metadata["HKSexualActivityProtectionUsed"]?.number
            let used: Int64 = isProtected.map { $0 == 1 ? 1 : 2 } ?? 0
            return try add("sexual_activity_record_table", [("protection_used", .integer(used))])
        case "IntermenstrualBleeding": return try add("intermenstrual_bleeding_record_table", [])
        case "MindfulSession":
            let columns: [Column] = [("type", .integer(0)), ("title", .null), ("notes", .null)]
            return try self.add("mindfulness_session_record_table", .period, frame, columns) != nil
        default: return false
        }
    }

    /// Adds the period with which a cycle begins.
    mutating func addPeriod(_ cycle: (frame: Frame, end: Double)) throws {
        let first = cycle.frame
        let frame = Frame(
            uuid: FileContent.identity("\(first.uuid) period"), start: first.start, end: cycle.end,
            revision: first.revision, device: first.device, metadata: first.metadata)
        try add("menstruation_period_record_table", .period, frame, [])
    }

    // MARK: - Workouts

    private mutating func add(_ object: ObjectRecord, _ workout: WorkoutBody) throws -> Bool {
        let points = try points(of: object)
        let title = object.metadata.text(WorkoutCorrection.titleKey)
        let columns: [Column] = [
            ("notes", .null), ("title", .optional(title)),
            ("exercise_type", .integer(HealthConnectTable.exercise(workout.activityType, object.metadata))),
            ("has_route", .integer(points.isEmpty ? 0 : 1)), ("planned_exercise_session_id", .null),
        ]
        guard let record = try add("exercise_session_record_table", .period, frame(object), columns) else {
            return false
        }
        for row in points {
            try database.insert(into: "exercise_route_table", [("parent_key", .integer(record))] + row)
        }
        func events(_ type: Int) -> [Span] {
            workout.events.filter { $0.type == type }.map { Span(start: $0.start, end: $0.end) }
        }
        let pauses = workout.pauses(until: object.end).map {
            Span(start: $0.lowerBound, end: $0.upperBound, kind: HealthConnectTable.pause)
        }
        for (table, prefix, spans) in [
            ("exercise_laps_table", "lap", events(3)), ("exercise_segments_table", "segment", pauses + events(7)),
        ] {
            for span in apart(spans, in: object) {
                guard let start = Self.milliseconds(span.start), let end = Self.milliseconds(span.end) else { continue }
                var row: [Column] = [
                    ("parent_key", .integer(record)), ("\(prefix)_start_time", .integer(start)),
                    ("\(prefix)_end_time", .integer(end)),
                ]
                // Neither the length of a lap nor the kind of a segment is known.
                row +=
                    prefix == "lap"
                    ? [("lap_length", .real(0))]
                    : [("segment_type", .integer(span.kind)), ("repetitions_count", .integer(0))]
                try database.insert(into: table, row)
            }
        }
        return true
    }

    private struct Span {
        var start: Double
        var end: Double
        var kind: Int64 = 0
    }

    /// The spans within a workout that don't overlap, of overlapping ones the first: applications refuse others.
    private mutating func apart(_ spans: [Span], in object: ObjectRecord) -> [Span] {
        var kept: [Span] = []
        for span in spans {
            let part = Span(start: max(span.start, object.start), end: min(span.end, object.end), kind: span.kind)
            guard part.start < part.end, !kept.contains(where: { $0.start < part.end && part.start < $0.end }) else {
                report.leaveOut("lap or segment", 1)
                continue
            }
            kept.append(part)
        }
        return kept.sorted { $0.start < $1.start }
    }

    /// The rows of the points of a workout's routes within its time.
    private mutating func points(of object: ObjectRecord) throws -> [[Column]] {
        var rows: [[Column]] = []
        for member in try reading.members(of: object.sequence) {
            guard reading.dictionaries.type(member.type)?.identifier == "HKWorkoutRouteTypeIdentifier",
                case .document(let document) = try reading.object(member.sequence)?.body
            else { continue }
            func column(_ name: RouteDocument.Column) -> [Double] { document.series[name.rawValue] ?? [] }
            let (latitudes, longitudes) = (column(.latitudes), column(.longitudes))
            let (horizontal, vertical) = (column(.horizontalAccuracies), column(.verticalAccuracies))
            let altitudes = column(.altitudes)
            for (row, date) in column(.timestamps).enumerated() {
                guard date >= object.start, date < object.end, row < latitudes.count, row < longitudes.count,
                    let time = Self.milliseconds(date)
                else {
                    report.leaveOut("location", 1)
                    continue
                }
                func known(_ column: [Double], _ accuracy: [Double]) -> HealthConnectDatabase.Value {
                    row < column.count && row < accuracy.count && accuracy[row] >= 0 ? .real(column[row]) : .lacking
                }
                rows.append([
                    ("timestamp_millis", .integer(time)), ("latitude", .real(latitudes[row])),
                    ("longitude", .real(longitudes[row])), ("altitude", known(altitudes, vertical)),
                    ("horizontal_accuracy", known(horizontal, horizontal)),
                    ("vertical_accuracy", known(vertical, vertical)),
                ])
            }
        }
        return rows
    }
}
