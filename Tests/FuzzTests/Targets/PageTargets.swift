import Foundation
import HealthModel

@testable import HealthPages

/// Pages of samples and payloads of objects. Their checksums are made right first, so that the damage reaches the
/// decoders.
enum PageTargets {
    static let all = [
        FuzzTarget(name: "page", examples: pages, words: []) { try page($0) },
        FuzzTarget(name: "object", examples: objects, words: []) { try object($0) },
    ]

    // MARK: Pages

    /// An input has the length of the header in two bytes, the header and the body.
    private static func input(_ page: EncodedPage) -> [UInt8] {
        [UInt8(page.headerBytes.count & 255), UInt8(page.headerBytes.count >> 8)] + page.headerBytes + page.body
    }

    private static func page(_ input: [UInt8]) throws {
        guard input.count > 2 else { return }
        let length = min(Int(input[0]) | Int(input[1]) << 8, input.count - 2)
        var head = Array(input[2..<(2 + length)])
        let body = Array(input[(2 + length)...])
        if head.count >= PageHeader.fixedLength {
            let checksum =
                UInt32(truncatingIfNeeded: Checksum.of(Array(head[PageHeader.fixedLength...]))) ^ UInt32(head[3])
                &* 0x9E37_79B1
            for place in 0..<4 { head[4 + place] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * place)) }
        }
        guard var header = try? PageHeader(decoding: head) else { return }
        try FuzzFailure.unless(
            header.encode() == head || (try? PageHeader(decoding: header.encode())) != nil,
            "a header is written as none")
        header.bodyLength = body.count
        header.bodyChecksum = Checksum.of(body)
        guard let columns = try? columns(header, body) else { return }
        try FuzzFailure.unless(columns.starts.count == header.count, "columns without the length in the header")
        try FuzzFailure.unless(
            columns.metadata.numbers.allSatisfy { $0 <= columns.metadata.table.count }, "metadata outside the table")
        // Rows out of order, which no writer makes, are refused by it.
        guard let page = try? PageWriter.write(columns, rows: 0..<columns.starts.count) else { return }
        let again = try HealthPagesFailure.none { () throws(PageError) in try Self.columns(page.header, page.body) }
        try FuzzFailure.unless(same(columns.starts, again.starts) && same(columns.ends, again.ends), "dates changed")
        try FuzzFailure.unless(same(columns.values, again.values), "values changed")
        try FuzzFailure.unless(columns.sequences == again.sequences, "sequence numbers changed")
        try FuzzFailure.unless(
            filled(columns.units, 0) == filled(again.units, 0)
                && filled(columns.revisions, 0) == filled(again.revisions, 0)
                && filled(columns.devices, 0) == filled(again.devices, 0), "identifiers changed")
        for row in 0..<columns.starts.count {
            try FuzzFailure.unless(
                columns.metadata(at: row).entries.count == again.metadata(at: row).entries.count, "metadata changed")
            try FuzzFailure.unless(
                columns.uuids.entry(at: row) == again.uuids.entry(at: row), "a UUID changed")
        }
    }

    private static func columns(_ header: PageHeader, _ body: [UInt8]) throws(PageError) -> SampleColumns {
        try ByteReader.lending(body) { raw throws(PageError) in try PageReader(header: header, body: raw).read(.all) }
    }

    private static func same(_ left: [Double], _ right: [Double]) -> Bool {
        left.map(\.bitPattern) == right.map(\.bitPattern)
    }

    /// A column without its default: an empty one has the default in every row.
    private static func filled(_ column: [UInt32], _ missing: UInt32) -> [UInt32] {
        column.allSatisfy { $0 == missing } ? [] : column
    }

    /// Pages with every column, with odd numbers, and a regular one.
    @Sendable private static func pages() throws -> [[UInt8]] {
        var odd = SampleColumns(type: TypeCode(rawValue: 5))
        var full = SampleColumns(type: TypeCode(rawValue: 1_000_007))
        var regular = SampleColumns(type: TypeCode(rawValue: 7))
        let values: [Double] = [-0.0, .infinity, 1.0 / 3, 0x1p-1074, 1e300, 0.1, .nan, -12.5]
        for row in 0..<8 {
            odd.starts.append(Double(row) / 3)
            odd.ends.append(Double(row) / 3 + 1.0 / 7)
            odd.values.append(values[row])
            odd.revisions.append(3)
            odd.sequences.append(row == 4 ? .max : .min + Int64(row))
        }
        for row in 0..<12 {
            let start = 650_000_000 + Double(row * row * 60)
            full.starts.append(start)
            full.ends.append(start + Double(row % 4) * 0.125)
            full.values.append(Double(row * 37 % 11) / 100)
            full.units.append(row % 3 == 0 ? 2 : 4)
            full.revisions.append(row % 2 == 0 ? 1 : 70_000)
            full.devices.append(UInt32(row / 4))
            full.metadata.numbers.append(UInt32(row % 3))
            full.sequences.append(Int64(500 + row * 7 % 12))
            full.uuids.append(row == 5 ? UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)) : nil)
            full.creations.append(row % 5 == 0 ? .nan : start + 100)
        }
        full.metadata.table = [Metadata([.init(key: MetadataKey.wasUserEntered, value: .bool(true))]), metadata]
        for row in 0..<40 {
            regular.starts.append(700_000_000 + Double(row) * 300)
            regular.ends.append(700_000_300 + Double(row) * 300)
            regular.values.append(Double(row % 17))
            regular.revisions.append(1)
            regular.sequences.append(Int64(row + 1))
        }
        return try [odd, full, regular].map { input(try PageWriter.write($0, rows: 0..<$0.starts.count)) }
    }

    // MARK: Objects

    private static func object(_ input: [UInt8]) throws {
        var bytes = ObjectCoder.magic + [ObjectCoder.currentVersion, 0, 0, 0, 0] + input
        let checksum = UInt32(truncatingIfNeeded: Checksum.of(input))
        for place in 0..<4 { bytes[3 + place] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * place)) }
        guard let decoded = try? ObjectCoder.decode(bytes) else { return }
        let written = ObjectCoder.encode(metadata: decoded.metadata, creation: decoded.creation, body: decoded.body)
        let again = try HealthPagesFailure.none { () throws(PageError) in try ObjectCoder.decode(written) }
        // By bytes, as a NaN isn't equal to itself.
        let twice = ObjectCoder.encode(metadata: again.metadata, creation: again.creation, body: again.body)
        try FuzzFailure.unless(twice == written, "an object changed")
    }

    private static let metadata = Metadata([
        .init(key: "a", value: .string("text"), archivedText: "Text"), .init(key: "b", value: .bool(true)),
        .init(key: "d", value: .integer(-5)), .init(key: "e", value: .double(0.25)),
        .init(key: "f", value: .date(650_000_000)), .init(key: "g", value: .quantity(418, unit: "cm")),
    ])

    @Sendable private static func objects() -> [[UInt8]] {
        var workout = WorkoutBody(activityType: 37, duration: 1800)
        workout.events = [.init(type: 1, start: 650_000_300, end: 650_000_360, metadata: metadata)]
        var summary = ActivitySummaryBody(year: 2024, month: 2, day: 29, moveMode: 1, isPaused: true)
        summary.activeEnergyBurned = QuantityRecord(612.25, unit: "kcal")
        let archived = ArchivedElement(
            name: "Audiogram", attributes: [.init(name: "type", value: "a"), .init(name: "note", value: "é")],
            children: [ArchivedElement(name: "SensitivityPoint", attributes: [.init(name: "type", value: "b")])])
        let fields: [String: FieldValue] = [
            "flag": .bool(true), "whole": .integer(-42), "number": .double(0.1), "text": .string("é"),
            "date": .date(764_000_000.25), "bytes": .data([0, 255, 7]),
            "size": .quantity(QuantityRecord(512, unit: "Hz")),
            "list": .list([.integer(1), .record(["x": .double(.infinity)])]), "record": .record(["y": .date(-1)]),
        ]
        let voltage = (0..<20).map { (row: Int) -> Double in Double(row * row % 37 - 18) / 1000 }
        let document = DocumentBody(fields: fields, series: ["odd": [1.0 / 3, -0.0], "voltage": voltage])
        let bodies: [ObjectBody] = [
            .none, .workout(workout), .activitySummary(summary), .archived(archived), .document(document),
        ]
        return bodies.map {
            Array(ObjectCoder.encode(metadata: metadata, creation: 650_000_000, body: $0).dropFirst(7))
        }
    }
}

/// Failures of reading values again that were written.
private enum HealthPagesFailure {
    static func none<Value>(_ body: () throws(PageError) -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw FuzzFailure("what was written can’t be read: \(error)")
        }
    }
}
