import Foundation
import HealthEngine
import HealthJSON
import HealthModel
import HealthSQL

/// The parts of a line that many samples have in common, as bytes: what the store's tables say.
///
/// The lines are byte for byte those of a `RowWriter` over the `samples` table.
struct SampleLineParts: Sendable {
    enum Format: Sendable {
        /// The cells of ``csvColumns(of:)``.
        case csv
        /// One JSON object, without members for missing values.
        case ndjson
    }

    let format: Format
    let identities: DerivedIdentities
    private let units: [[UInt8]]
    private let revisions: [[UInt8]]
    private let devices: [[UInt8]]

    init(_ format: Format, in reading: StoreReader) {
        self.format = format
        identities = reading.identities
        func part(_ members: [(name: String, text: String?)], _ numbered: (name: String, number: Int)?) -> [UInt8] {
            switch format {
            case .csv: return members.flatMap { Self.cell($0.text) + [UInt8(ascii: ",")] }
            case .ndjson:
                var part = members.flatMap { member in member.text.map { Self.member(member.name, $0) } ?? [] }
                if let (name, number) = numbered, number > 0 { part += Array(",\"\(name)\":\(number)".utf8) }
                return part
            }
        }
        let dictionaries = reading.dictionaries
        // Number 0 means no unit, source or device.
        units = [part([("unit", nil)], nil)] + dictionaries.units.map { part([("unit", $0)], nil) }
        revisions =
            [part([("source", nil), ("bundle_identifier", nil)], nil)]
            + dictionaries.revisions.enumerated().map { index, revision in
                part(
                    [("source", revision.source.name), ("bundle_identifier", revision.source.bundleIdentifier)],
                    ("revision_id", index + 1))
            }
        devices =
            [part([("device", nil)], nil)]
            + dictionaries.devices.enumerated().map { index, device in
                part([("device", device.name ?? device.model ?? device.hardwareVersion)], ("device_id", index + 1))
            }
    }

    /// The columns of a type's CSV file. Quantities have no value names, and categories no units.
    static func csvColumns(of kind: TypeKind) -> [String] {
        [
            "start_date", "end_date", "value", kind == .quantity ? "unit" : "value_name", "source",
            "bundle_identifier", "device", "creation_date", "metadata", "uuid", "sequence",
            "start_time",
        ]
    }

    func unit(_ number: UInt32) -> [UInt8] { Self.entry(number, of: units) }
    /// The part for any unit, which no sample needs to have.
    func unit(named text: String) -> [UInt8] {
        format == .csv ? Self.cell(text) + [UInt8(ascii: ",")] : Self.member("unit", text)
    }
    func revision(_ number: UInt32) -> [UInt8] { Self.entry(number, of: revisions) }
    func device(_ number: UInt32) -> [UInt8] { Self.entry(number, of: devices) }

    private static func entry(_ number: UInt32, of list: [[UInt8]]) -> [UInt8] {
        Int(number) < list.count ? list[Int(number)] : list[0]
    }

    /// A cell of CSV; none for a missing text.
    static func cell(_ text: String?) -> [UInt8] {
        guard var text else { return [] }
        var cell: [UInt8] = []
        text.withUTF8 { CSVText.append($0, to: &cell) }
        return cell
    }

    /// A member of a JSON object after others.
    static func member(_ name: String, _ text: String) -> [UInt8] {
        var json = JSONText()
        json.string(text)
        return Array(",\"\(name)\":".utf8) + json.bytes
    }
}

/// Writes samples as lines, directly from columns. The bytes are collected until they are removed.
///
/// A writer is for one thread at a time, because the clock remembers what it looked up.
struct SampleLineWriter {
    /// The lines written.
    private(set) var bytes: [UInt8] = []
    private let clock: LocalClock
    /// The names of category values as parts of a line, by type and value.
    private var valueNames: [TypeCode: [Int: [UInt8]]] = [:]

    init(timeZone: TimeZone) {
        clock = LocalClock(timeZone: timeZone)
    }

    /// Appends all rows, which have every column.
    ///
    /// - Parameter tableUnit: The unit of quantities.
    mutating func write(
        _ rows: SampleColumns, of type: TypeDescription, _ parts: SampleLineParts, in tableUnit: TableUnit?
    ) {
        var metadata = [[UInt8]?](repeating: nil, count: rows.metadata.table.count)
        // A sample without a unit is listed as a category.
        let (quantity, category) = (Self.head("quantity", type), Self.head("category", type))
        let convertedUnit = tableUnit.map { parts.unit(named: $0.unit) } ?? []
        for row in rows.starts.indices {
            let unit: UInt32 = type.kind == .quantity && !rows.units.isEmpty ? rows.units[row] : 0
            let conversion = tableUnit?.conversion(from: unit)
            let isJSON = parts.format == .ndjson
            if isJSON { bytes += unit == 0 ? category : quantity }
            instant(rows.starts[row])
            add(isJSON ? "\",\"end_date\":\"" : ",")
            instant(rows.ends[row])
            add(isJSON ? "\"" : ",")
            value(conversion?(rows.values[row]) ?? rows.values[row], of: type, isJSON: isJSON)
            if type.kind == .quantity { bytes += conversion == nil ? parts.unit(unit) : convertedUnit }
            bytes += parts.revision(rows.revisions[row])
            bytes += parts.device(rows.devices.isEmpty ? 0 : rows.devices[row])
            if let creation = rows.creation(at: row) {
                if isJSON { add(",\"creation_date\":\"") }
                instant(creation)
                if isJSON { add("\"") }
            }
            if !isJSON { add(",") }
            let entry = rows.metadata.number(at: row) - 1
            if entry >= 0 {
                let part = metadata[entry] ?? self.metadata(rows.metadata.table[entry], isJSON: isJSON)
                metadata[entry] = part
                bytes += part
            }
            add(isJSON ? ",\"uuid\":\"" : ",")
            uuid(rows.uuid(at: row) ?? parts.identities.uuid(for: rows.sequences[row]))
            add(isJSON ? "\",\"sequence\":" : ",")
            integer(rows.sequences[row])
            if !isJSON {
                // In UTC, beside the local text.
                add(",")
                number(rows.starts[row] + Self.unixToReference)
            }
            add(isJSON ? "}\n" : "\r\n")
        }
    }

    /// Removes the lines and keeps their memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// The beginning of lines.
    private static func head(_ kind: String, _ type: TypeDescription) -> [UInt8] {
        Array("{\"kind\":\"\(kind)\"".utf8) + SampleLineParts.member("type", type.shortName)
            + SampleLineParts.member("identifier", type.identifier) + Array(",\"start_date\":\"".utf8)
    }

    // MARK: Parts

    private mutating func add(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func value(_ value: Double, of type: TypeDescription, isJSON: Bool) {
        let whole = Int64(exactly: value)
        // NaN is NULL in SQL.
        if !value.isNaN {
            if isJSON { add(",\"value\":") }
            if let whole, type.kind == .category {
                integer(whole)
            } else if value.isFinite {
                number(value)
            } else if isJSON {
                add("null")
            }
        }
        if !isJSON { add(",") }
        guard type.kind == .category else { return }
        if let number = Int(exactly: value) { bytes += valueName(number, of: type, isJSON: isJSON) }
        if !isJSON { add(",") }
    }

    /// A finite number, without a decimal point if it is an integer.
    private mutating func number(_ value: Double) {
        if abs(value) < 1e15, let whole = Int64(exactly: value) { return integer(whole) }
        bytes.append(contentsOf: "\(value)".utf8)
    }

    /// Seconds from 1970 to 2001.
    private static let unixToReference = 978_307_200.0

    private mutating func valueName(_ number: Int, of type: TypeDescription, isJSON: Bool) -> [UInt8] {
        if let known = valueNames[type.code]?[number] { return known }
        let name = ValueNames.name(of: number, of: type)
        let part = isJSON ? name.map { SampleLineParts.member("value_name", $0) } ?? [] : SampleLineParts.cell(name)
        valueNames[type.code, default: [:]][number] = part
        return part
    }

    private func metadata(_ metadata: Metadata, isJSON: Bool) -> [UInt8] {
        guard let text = JSONText.metadata(metadata, InstantWriter(clock: clock)) else { return [] }
        return isJSON ? Array(",\"metadata\":".utf8) + Array(text.utf8) : SampleLineParts.cell(text)
    }

    private mutating func instant(_ instant: Double) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: LocalClock.maximumInstantLength) { buffer in
            guard let start = buffer.baseAddress else { return }
            let length = clock.writeInstant(instant, to: start)
            bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: length))
        }
    }

    private mutating func integer(_ number: Int64) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
            var place = buffer.count
            var rest = number.magnitude
            repeat {
                place -= 1
                buffer[place] = UInt8(48 + rest % 10)
                rest /= 10
            } while rest > 0
            if number < 0 {
                place -= 1
                buffer[place] = UInt8(ascii: "-")
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[place...]))
        }
    }

    private mutating func uuid(_ uuid: UUID) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: UUIDWriter.length) { buffer in
            UUIDWriter.write(uuid, to: buffer.baseAddress!)
            bytes.append(contentsOf: buffer)
        }
    }
}
