import Foundation
import HealthEngine
import HealthFiles
import HealthFormats
import HealthModel
import HealthStorage

/// Writes the samples and objects of a store as records of Health Connect, as ``HealthConnectReader`` reads them.
///
/// A record has the UUID of what it was, also as its client's identifier. By the two equal ones the reader recognizes
/// it, even if Android has imported and exported it since.
struct HealthConnectWriter {
    typealias Column = (name: String, value: HealthConnectDatabase.Value)

    /// The properties that every record has.
    struct Frame {
        let uuid: UUID
        var start: Double
        var end: Double
        let revision: SourceRevisionRecord?
        let device: DeviceRecord?
        let metadata: Metadata
        /// The end of the client's identifier, after the UUID.
        var suffix = ""
    }

    private struct Device: Hashable {
        let manufacturer: String?
        let model: String?
    }

    let reading: StoreReader
    let selection: ContentsSelection
    let database: HealthConnectDatabase
    var report = FormatReport()
    /// The samples that are in the record of their correlation.
    var members: Set<Int64> = []
    var nights: [SourceRecord?: HealthConnectNight] = [:]
    private let clock: LocalClock
    private var clocks: [String: LocalClock] = [:]
    private var applications: [String: Int64] = [:]
    private var devices: [Device: Int64] = [:]
    private var conversions: [String: UnitConversion?] = [:]
    private let orders: [Int64: [String]]

    /// - Parameter orders: The identifiers of sources, the preferred first, by category of Health Connect.
    init(
        _ reading: StoreReader, _ options: FormatOptions, _ database: HealthConnectDatabase, orders: [Int64: [String]]
    ) {
        (self.reading, self.database, selection, self.orders) = (reading, database, options.selection, orders)
        clock = LocalClock(timeZone: options.timeZone)
    }

    /// Writes everything that is selected, and completes the database.
    mutating func write() throws -> FormatReport {
        let types = try reading.types().filter { selection.includes($0.code) }
        // Correlations first: their samples have no records of their own.
        for type in types where !type.kind.isPaged && type.kind != .characteristic && type.kind != .activitySummary {
            for place in try reading.objects(of: type.code) where selection.includes(start: place.start) {
                guard let object = try reading.object(place.sequence) else { continue }
                if try !write(object, type) { report.leaveOut(type.shortName, 1) }
            }
        }
        for type in types where type.kind.isPaged { try samples(type) }
        try writeOrders()
        try database.finish()
        return report
    }

    // MARK: - Samples

    private static let tables: [TypeCode: HealthConnectTable] = {
        var tables = Dictionary(uniqueKeysWithValues: HealthConnectTable.all.map { ($0.type.code, $0) })
        for type in MeasuredType.distanceTypes { tables[type.code] = tables[MeasuredType.distanceOnFoot.code] }
        return tables
    }()

    private mutating func samples(_ type: TypeDescription) throws {
        if let table = Self.tables[type.code] {
            let columns = HealthConnectSchema.columns(of: table.name)
            return try visit(type) { writer, sample in
                guard let value = writer.value(of: sample, in: table.type.unit) else { return false }
                let row = columns.map { column -> Column in
                    // Others, such as the place of a measurement, are unknown.
                    guard column.name == table.column else { return (column.name, .integer(0)) }
                    return (column.name, .number(value * table.divisor, isWhole: column.isWhole))
                }
                return try writer.add(table.name, table.isPeriod ? .period : .moment, writer.frame(sample), row) != nil
            }
        }
        if let series = HealthConnectTable.series.first(where: { $0.types.contains { $0.code == type.code } }) {
            let isWhole = HealthConnectSchema.columns(of: series.name).contains {
                $0.name == series.column && $0.isWhole
            }
            let sequences = try reading.seriesSequences(of: type.code)
            return try visit(type) { writer, sample in
                var quantities = QuantitySeries(starts: [sample.start], ends: [sample.end], values: [sample.value])
                if sequences.contains(sample.sequence) {
                    let place = StoredIdentity(type: type.code, sequence: sample.sequence)
                    quantities = try writer.reading.quantitySeries(of: place) ?? quantities
                }
                return try writer.add(series, quantities, of: sample, isWhole: isWhole)
            }
        }
        if type.identifier == HealthConnectTable.sleep {
            try visit(type) { try $0.addSleep($1) }
            for night in nights.values.sorted(by: { $0.start < $1.start }) { try add(night) }
            return nights = [:]
        }
        if HealthConnectTable.nutrient(type.code) != nil {
            return try visit(type) { writer, sample in
                try writer.members.contains(sample.sequence) || writer.addFood(writer.frame(sample), [sample])
            }
        }
        if type.code == MeasuredType.systolic.code || type.code == MeasuredType.diastolic.code {
            return try visit(type) { writer, sample in writer.members.contains(sample.sequence) }
        }
        var cycle: (frame: Frame, end: Double)?
        try visit(type) { writer, sample in try writer.addCategory(sample, type, &cycle) }
        if let cycle { try addPeriod(cycle) }
    }

    /// Visits the selected samples in ascending order of their start.
    ///
    /// - Parameter body: Returns whether there is a record with the sample.
    private mutating func visit(
        _ type: TypeDescription, _ body: (inout HealthConnectWriter, SampleRecord) throws -> Bool
    ) throws {
        for page in try reading.pages(of: type.code, matching: selection.filter) {
            let rows = try reading.rows(of: page, columns: .all)
            for row in 0..<rows.count {
                let sample = rows.record(at: row, dictionaries: reading.dictionaries, identities: reading.identities)
                guard try body(&self, sample) else {
                    report.leaveOut(type.shortName, 1)
                    continue
                }
                report.add(type.shortName)
            }
        }
    }

    private mutating func add(
        _ table: HealthConnectTable.Series, _ quantities: QuantitySeries, of sample: SampleRecord, isWhole: Bool
    ) throws -> Bool {
        guard let conversion = conversion(from: sample.unit, to: table.types[0].unit),
            let first = quantities.starts.first,
            let last = quantities.starts.last
        else { return false }
        var frame = frame(sample)
        (frame.start, frame.end) = (first, max(last, sample.end))
        guard let record = try add(table.record, .period, frame, []) else { return false }
        for (start, value) in zip(quantities.starts, quantities.values) {
            let value = conversion(value)
            try database.insert(
                into: table.name,
                [
                    ("parent_key", .integer(record)), ("epoch_millis", .integer(Self.milliseconds(start) ?? 0)),
                    (table.column, .number(value, isWhole: isWhole)),
                ])
        }
        return true
    }

    // MARK: - Records

    /// Adds a record.
    ///
    /// - Returns: Its number; `nil` if its time is none of Health Connect's.
    @discardableResult
    mutating func add(
        _ table: String, _ span: HealthConnectSchema.Span, _ frame: Frame, _ columns: [Column]
    ) throws -> Int64? {
        guard let start = Self.milliseconds(frame.start), let end = Self.milliseconds(frame.end) else { return nil }
        let offset = offset(at: frame.start, frame.metadata)
        let local = Int64((Double(start + 1_000 * offset) / 86_400_000).rounded(.down))
        let uuid = withUnsafeBytes(of: frame.uuid.uuid) { [UInt8]($0) }
        var row: [Column] = [
            ("uuid", .bytes(uuid)), ("last_modified_time", .integer(end)),
            ("client_record_id", .text(frame.uuid.uuidString + frame.suffix)), ("client_record_version", .text("0")),
            ("device_info_id", .integer(try device(frame.device))),
            ("app_info_id", .integer(try application(frame.revision?.source))),
            ("recording_method", .integer(frame.metadata[MetadataKey.wasUserEntered]?.number == 1 ? 3 : 0)),
            ("local_date", .integer(local)),
        ]
        switch span {
        case .moment: row += [("time", .integer(start)), ("zone_offset", .integer(offset))]
        case .period:
            row += [
                ("start_time", .integer(start)), ("start_zone_offset", .integer(offset)),
                // Applications refuse a period without a length.
                ("end_time", .integer(max(end, start + 1))),
                ("end_zone_offset", .integer(self.offset(at: frame.end, frame.metadata))),
            ]
        }
        return try database.insert(into: table, row + columns)
    }

    func frame(_ sample: SampleRecord) -> Frame {
        Frame(
            uuid: sample.uuid ?? reading.identities.uuid(for: sample.sequence), start: sample.start, end: sample.end,
            revision: sample.revision, device: sample.device, metadata: sample.metadata)
    }

    func frame(_ object: ObjectRecord) -> Frame {
        Frame(
            uuid: object.uuid ?? reading.identities.uuid(for: object.sequence), start: object.start, end: object.end,
            revision: object.revision, device: object.device, metadata: object.metadata)
    }

    /// Milliseconds since 1970; `nil` for a time that ``HealthConnectReader/date(_:)`` doesn't know.
    static func milliseconds(_ date: Double) -> Int64? {
        let time = (date * 1_000 + 978_307_200_000).rounded()
        return time > 0 && time < 2.5e14 ? Int64(time) : nil
    }

    /// The seconds by which local time is ahead, in the sample's time zone or that of the export.
    private mutating func offset(at date: Double, _ metadata: Metadata) -> Int64 {
        var clock = clock
        if case .string(let name)? = metadata[MetadataKey.timeZone] {
            if clocks[name] == nil { clocks[name] = TimeZone(identifier: name).map { LocalClock(timeZone: $0) } }
            clock = clocks[name] ?? clock
        }
        return Int64(clock.offset(at: LocalClock.wholeSecond(date)))
    }

    /// The value of a sample in a unit; `nil` if it has another dimension.
    mutating func value(of sample: SampleRecord, in unit: String) -> Double? {
        conversion(from: sample.unit, to: unit).map { $0(sample.value) }
    }

    private mutating func conversion(from written: String, to unit: String) -> UnitConversion? {
        let key = written + " " + unit
        if let known = conversions[key] { return known }
        let conversion = UnitConversion(between: written, and: unit)
        conversions[key] = .some(conversion)
        return conversion
    }

    private mutating func application(_ source: SourceRecord?) throws -> Int64 {
        let source = source ?? HealthConnectReader.unknownSource
        if let known = applications[source.bundleIdentifier] { return known }
        let columns: [Column] = [("package_name", .text(source.bundleIdentifier)), ("app_name", .text(source.name))]
        let number = try database.insert(into: "application_info_table", columns)
        applications[source.bundleIdentifier] = number
        return number
    }

    private mutating func device(_ device: DeviceRecord?) throws -> Int64 {
        let key = Device(manufacturer: device?.manufacturer, model: device?.model ?? device?.name)
        if let known = devices[key] { return known }
        // A watch, a phone, or unknown.
        let name = key.model?.lowercased() ?? ""
        let kind: Int64 = name.contains("watch") ? 1 : name.contains("phone") ? 2 : 0
        let number = try database.insert(
            into: "device_info_table",
            [
                ("manufacturer", .optional(key.manufacturer)), ("model", .optional(key.model)),
                ("device_type", .integer(kind)),
            ])
        devices[key] = number
        return number
    }

    /// Writes which application is preferred where several have counted the same: Android counts no others.
    private mutating func writeOrders() throws {
        for (category, identifiers) in orders.sorted(by: { $0.key < $1.key }) {
            let numbers = (identifiers + applications.keys.sorted()).compactMap { applications[$0] }
            var known: Set<Int64> = []
            let order = numbers.filter { known.insert($0).inserted }.map(String.init).joined(separator: ",")
            guard !order.isEmpty else { continue }
            try database.insert(
                into: "health_data_category_priority_table",
                [("health_data_category", .integer(category)), ("app_id_priority_order", .text(order))])
        }
    }
}
