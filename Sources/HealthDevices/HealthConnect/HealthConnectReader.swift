import Foundation
import HealthFiles
import HealthModel

/// Reads the database that Android's Health Connect exports.
///
/// Columns are found by name, because a database has those of the version of Android that wrote it.
struct HealthConnectReader {
    typealias Emit = (FileContent) throws -> Void

    let database: UntrustedDatabase
    let tables: [String: Set<String>]
    private let origins: [Int64: SourceRecord]
    private let devices: [Int64: DeviceRecord]
    private let emit: Emit
    var reading = FileContent()
    /// Whether the store had what own records of several samples were written from.
    private var known: [UUID: Bool] = [:]
    private let isKnown: (UUID) throws -> Bool
    var series: [SeriesKey: SampleSeries] = [:]
    private var seriesCount = 0
    var sessions: HealthConnectSessions

    /// Who recorded something, as the last columns of a row tell.
    struct Origin {
        let application: Int64?
        let device: Int64?
        private let method: Int64?
        /// The identity of a record that ``HealthConnectWriter`` has written.
        let own: UUID?
        /// Whether it is one of sleep without a time in bed.
        let isAsleep: Bool

        init(_ row: UntrustedDatabase.Row, at column: Int) {
            (application, device) = (row.integer(column), row.integer(column + 1))
            method = row.integer(column + 2)
            (own, isAsleep) = HealthConnectReader.own(row.uuid(column + 3), row.text(column + 4))
        }

        /// Whether a person has typed it in.
        var isManual: Bool { method == 3 }

        var metadata: Metadata {
            isManual ? Metadata([.init(key: MetadataKey.wasUserEntered, value: .bool(true))]) : .empty
        }
    }

    struct SeriesKey: Hashable {
        let type: TypeCode
        let application: Int64?
        let device: Int64?
    }

    /// The number of samples that are in memory before they are emitted.
    private static let largest = 1 << 18

    /// Reads a database.
    ///
    /// - Parameters:
    ///   - path: Where it is; `nil` for one in a zip file, whose bytes are copied to a file for the time of reading.
    ///   - recovers: Whether to read what is before a place where the zip file is damaged.
    ///   - isInterrupted: Whether to stop.
    ///   - isKnown: Whether the store has a sample or object.
    ///   - emit: Receives what was read when that is much.
    static func read(
        path: String?, _ bytes: FileBytes, recovers: Bool = false, isInterrupted: @escaping () -> Bool = { false },
        isKnown: @escaping (UUID) throws -> Bool = { _ in false }, emit: (FileContent) throws -> Void
    ) throws -> FileContent {
        try withoutActuallyEscaping(emit) { emit in
            let (database, damage) = try UntrustedDatabase.open(
                path: path, bytes, recovers: recovers, isInterrupted: isInterrupted)
            var reader = try HealthConnectReader(database, isKnown, emit: emit)
            if let damage {
                reader.reading.damages.append(.init(offset: bytes.count, reason: "\(damage)", isAnywhere: true))
            }
            try reader.read()
            return reader.reading
        }
    }

    private init(
        _ database: UntrustedDatabase, _ isKnown: @escaping (UUID) throws -> Bool, emit: @escaping Emit
    ) throws {
        (self.database, self.isKnown) = (database, isKnown)
        tables = database.tables
        guard let columns = tables["application_info_table"], columns.isSuperset(of: ["row_id", "package_name"]) else {
            throw FileReadingError("it is a database, but not one of Health Connect")
        }
        self.emit = emit
        var origins: [Int64: SourceRecord] = [:]
        let name = columns.contains("app_name") ? "app_name" : "NULL"
        let applications = "SELECT row_id, package_name, \(name) FROM application_info_table"
        try database.rows(of: "application_info_table", applications) { row in
            guard let number = row.integer(0), let package = row.text(1) else { return }
            origins[number] = SourceRecord(bundleIdentifier: package, name: row.text(2) ?? package)
        }
        self.origins = origins
        var devices: [Int64: DeviceRecord] = [:]
        if tables["device_info_table"]?.isSuperset(of: ["row_id", "manufacturer", "model"]) ?? false {
            let list = "SELECT row_id, manufacturer, model FROM device_info_table"
            try database.rows(of: "device_info_table", list) { row in
                guard let number = row.integer(0) else { return }
                let (maker, model) = (row.text(1), row.text(2))
                let name = [maker, model].compactMap(\.self).joined(separator: " ")
                if !name.isEmpty { devices[number] = DeviceRecord(name: name, manufacturer: maker, model: model) }
            }
        }
        self.devices = devices
        sessions = HealthConnectSessions()
    }

    private mutating func read() throws {
        sessions = try HealthConnectSessions(database, tables)
        for table in HealthConnectTable.all { try read(table) }
        try readSeries()
        try readSleep()
        try readPressure()
        try readOthers()
        try readFood()
        try readCycle()
        countOthers()
        reading.damages += database.damages.map { .init(offset: 0, reason: $0.reason) }
        try flush()
        for (object, parts) in sessions.objects(samples) {
            // Those that the store has are complete there.
            for part in parts where try object.uuid.map({ try !knows($0) }) ?? true {
                reading.parts.append((reading.objects.count, part))
            }
            reading.objects.append(object)
        }
    }

    // MARK: - Reading

    /// The seconds since 2001 of a time in milliseconds since 1970.
    static func date(_ milliseconds: Double?) -> Double? {
        guard let milliseconds, milliseconds > 0, milliseconds < 2.5e14 else { return nil }
        return (milliseconds - 978_307_200_000) / 1_000
    }

    /// The source of a record without an application.
    static let unknownSource = SourceRecord(bundleIdentifier: "healthconnect", name: "Health Connect")

    /// Each device of an application is a separate source: the order of sources decides where a phone and a watch
    /// have counted the same steps. Own records have their sources.
    func samples(_ application: Int64?, _ device: Int64?, isOwn: Bool) -> SampleOrigin {
        var source = application.flatMap { origins[$0] } ?? Self.unknownSource
        let device = device.flatMap { devices[$0] }
        if !isOwn, let device, let name = device.name {
            source = SourceRecord(
                bundleIdentifier: "\(source.bundleIdentifier).\(name.lowercased())",
                name: "\(source.name) (\(device.model ?? name))")
        }
        return SampleOrigin(revision: SourceRevisionRecord(source: source), device: device)
    }

    func samples(_ origin: Origin) -> SampleOrigin {
        samples(origin.application, origin.device, isOwn: origin.own != nil)
    }

    // MARK: - Own records

    /// The end, after the UUID, of the client's identifier of a night without a time in bed.
    static let asleepSuffix = "-asleep"

    /// The identity of a record that was exported from a store, whose UUID is also its client's identifier.
    static func own(_ uuid: UUID?, _ text: String?) -> (UUID?, isAsleep: Bool) {
        guard let uuid, let text, text.hasPrefix(uuid.uuidString) else { return (nil, false) }
        return (uuid, text.hasSuffix(asleepSuffix))
    }

    /// Whether the store had a sample or object when it was first asked for.
    mutating func knows(_ uuid: UUID) throws -> Bool {
        if let known = known[uuid] { return known }
        let isThere = try isKnown(uuid)
        known[uuid] = isThere
        return isThere
    }

    /// Calls `body` with the columns of each row of a table that has them; those after the named ones are application,
    /// device, the method of recording, UUID and the client's identifier.
    ///
    /// - Parameter record: The table of the records to which the rows belong, by default the table itself.
    /// - Returns: Whether there were all rows.
    @discardableResult
    mutating func rows(
        _ table: String, _ columns: [String], of record: String? = nil,
        _ body: (inout Self, UntrustedDatabase.Row) throws -> Void
    ) throws -> Bool {
        let alias = record == nil ? "t" : "r"
        let origin = ["app_info_id", "device_info_id", "recording_method", "uuid", "client_record_id"].map {
            tables[record ?? table]?.contains($0) ?? false ? "\(alias).\($0)" : "NULL"
        }
        let join = record.map { "JOIN \($0) AS r ON r.row_id = t.parent_key" } ?? ""
        let query = "SELECT \((columns + origin).joined(separator: ", ")) FROM \(table) AS t \(join)"
        return try database.rows(of: table, query) { try body(&self, $0) }
    }

    /// Whether there is a table with columns and with those that every record has.
    func has(_ table: String, _ columns: [String]) -> Bool {
        tables[table]?.isSuperset(of: columns + ["row_id", "app_info_id", "device_info_id"]) ?? false
    }

    mutating func append(
        _ type: MeasuredType, _ value: Double, _ start: Double, _ end: Double, _ origin: Origin, uuid: UUID? = nil
    ) throws {
        let (application, device) = (origin.application, origin.device)
        sessions.add(type, value, start, end, application, device)
        guard !origin.isManual, origin.own == nil else {
            let end = Self.end(end, after: start, origin)
            var sample = samples(origin).quantity(type, value, start, end, metadata: origin.metadata)
            sample.uuid = uuid ?? origin.own
            reading.samples.append(sample)
            guard reading.samples.count >= Self.largest / 4 else { return }
            var content = FileContent()
            (content.samples, reading.samples) = (reading.samples, [])
            return try emit(content)
        }
        let key = SeriesKey(type: type.code, application: application, device: device)
        if series[key] == nil { series[key] = SampleSeries(type, samples(origin)) }
        series[key]?.append(value, start, end)
        seriesCount += 1
        if seriesCount >= Self.largest { try flush() }
    }

    /// The end of a sample, which in an own record of a moment is a millisecond later.
    static func end(_ end: Double, after start: Double, _ origin: Origin) -> Double {
        origin.own != nil && end - start < 0.001_5 ? start : end
    }

    /// The types that devices count all day. Of others, two amounts may begin at the same moment.
    private static let growing = Set(
        MeasuredType.distanceTypes.union([.steps, .flights, .pushes, .activeEnergy]).map(\.code))

    private mutating func flush() throws {
        var content = FileContent(growing: Self.growing)
        content.series = series.sorted {
            ($0.key.type, $0.key.application ?? 0, $0.key.device ?? 0)
                < ($1.key.type, $1.key.application ?? 0, $1.key.device ?? 0)
        }.map(\.value)
        (series, seriesCount) = ([:], 0)
        try emit(content)
    }

    private mutating func read(_ table: HealthConnectTable) throws {
        let times = table.isPeriod ? ["start_time", "end_time"] : ["time", "time"]
        guard has(table.name, times + [table.column]) else { return }
        try rows(table.name, (times + [table.column]).map { "t.\"\($0)\"" }) { reader, row in
            guard let start = Self.date(row.number(0)), let end = Self.date(row.number(1)), end >= start,
                let value = row.number(2), value >= 0
            else { return reader.reading.leaveOut("record without a time or value") }
            // A count of nothing says nothing.
            guard value > 0 else { return }
            // A distance is that of the sport that the application recorded meanwhile.
            let origin = Origin(row, at: 3)
            let type =
                table.type == .distanceOnFoot
                ? reader.sessions.distance(from: start, to: end, origin.application) : table.type
            try reader.append(type, value / table.divisor, start, end, origin)
        }
    }

    // MARK: - Series

    private mutating func readSeries() throws {
        for series in HealthConnectTable.series {
            try read(series) { reader, date, application in
                guard series.types.count > 1 else { return series.types[0] }
                guard let activity = reader.sessions.activity(at: date, application) else { return nil }
                let types = [MeasuredType.speed(of: activity), .power(of: activity)].compactMap(\.self)
                return types.first(where: series.types.contains)
            }
        }
    }

    private mutating func read(
        _ series: HealthConnectTable.Series, _ type: (Self, Double, Int64?) -> MeasuredType?
    ) throws {
        guard has(series.record, ["start_time"]),
            tables[series.name]?.isSuperset(of: ["parent_key", "epoch_millis", series.column]) ?? false
        else { return }
        let columns = ["t.epoch_millis", "t.\"\(series.column)\"", "r.start_time"]
        try rows(series.name, columns, of: series.record) { reader, row in
            guard let date = Self.date(row.number(0)), let value = row.number(1), value > 0 else {
                return row.number(1) == 0 ? () : reader.reading.leaveOut("record without a time or value")
            }
            let origin = Origin(row, at: 3)
            guard let type = type(reader, date, origin.application) else {
                return reader.reading.leaveOut("\(series.column) of a sport without a type for it")
            }
            var uuid = origin.own
            if let own = uuid, row.number(0) != row.number(2) {
                // The first one stands for the sample.
                guard try !reader.knows(own) else { return }
                uuid = FileContent.identity("\(own) \(date)")
            }
            try reader.append(type, value, date, date, origin, uuid: uuid)
        }
    }

    /// Counts the records of tables that aren't read.
    private mutating func countOthers() {
        let known = HealthConnectTable.others.union(
            HealthConnectTable.all.map(\.name) + HealthConnectTable.series.map(\.record))
        for table in tables.keys.sorted() where !known.contains(table) {
            // The names of some are written as StepsCadenceRecordTable is.
            let words = table.reduce(into: "") { words, letter in
                words += letter.isUppercase ? " \(letter.lowercased())" : letter == "_" ? " " : "\(letter)"
            }
            // The children of others have a parent.
            guard words.hasSuffix(" record table"), tables[table]?.contains("uuid") ?? false else { continue }
            var count = 0
            _ = try? database.rows(of: table, "SELECT count(*) FROM \(table)") {
                count = $0.integer(0).map(Int.init) ?? 0
            }
            let name = words.dropLast(" record table".count).drop { $0 == " " }
            if count > 0 { reading.leaveOut("record of \(name)", count: count) }
        }
    }
}
