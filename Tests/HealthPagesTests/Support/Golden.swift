import Foundation
import HealthModel

/// The contents of the files in Fixtures, which must never be changed.
enum Golden {
    /// Bytes as hexadecimal digits; `#` begins a comment.
    static func bytes(_ name: String) throws -> [[UInt8]] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: folder.appendingPathComponent("Fixtures/\(name).hex"), encoding: .utf8)
        return text.split(separator: "# ").map { part in
            let digits = part.drop { $0 != "\n" }.filter { !$0.isWhitespace }
            return stride(from: 0, to: digits.count, by: 2).compactMap { place in
                let start = digits.index(digits.startIndex, offsetBy: place)
                return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
            }
        }
    }

    static let pages: [(name: String, columns: SampleColumns)] = [
        ("page-v1-every-column", everyColumn), ("page-v1-odd-numbers", oddNumbers),
        ("page-v1-long", long), ("page-v1-regular", regular), ("page-v1-single", single),
    ]

    private static let uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))

    static let metadata = Metadata([
        .init(key: "a", value: .string("text"), archivedText: "Text"),
        .init(key: "b", value: .bool(true)), .init(key: "c", value: .bool(false), archivedText: "0"),
        .init(key: "d", value: .integer(-5)), .init(key: "e", value: .double(0.25)),
        .init(key: "f", value: .date(650_000_000)), .init(key: "g", value: .quantity(418, unit: "cm")),
        .init(key: "a", value: .string("0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0")),
    ])

    static let objects: [(name: String, metadata: Metadata, creation: Double?, body: ObjectBody)] = [
        ("object-v1-none", Metadata(), nil, .none),
        ("object-v1-workout", metadata, 650_000_100.5, .workout(RandomObjects.fullWorkout)),
        ("object-v1-summary", Metadata(), 650_000_000, .activitySummary(summary)),
        ("object-v1-archived", Metadata(), nil, .archived(archived)),
        ("object-v1-document", Metadata(), nil, .document(document)),
    ]

    private static let summary: ActivitySummaryBody = {
        var summary = ActivitySummaryBody(year: 2024, month: 2, day: 29, moveMode: 1, isPaused: true)
        summary.activeEnergyBurned = QuantityRecord(612.25, unit: "kcal")
        summary.activeEnergyBurnedGoal = QuantityRecord(500, unit: "kcal")
        summary.appleExerciseTimeGoal = QuantityRecord(30, unit: "min")
        summary.appleStandHours = QuantityRecord(11, unit: "count")
        return summary
    }()

    private static let archived = ArchivedElement(
        name: "Audiogram", attributes: [.init(name: "type", value: "a"), .init(name: "note", value: "é")],
        children: [ArchivedElement(name: "SensitivityPoint", attributes: [.init(name: "type", value: "b")])])

    private static let document: DocumentBody = {
        let fields: [String: FieldValue] = [
            "flag": .bool(true), "off": .bool(false), "whole": .integer(-42), "number": .double(0.1),
            "text": .string("é"), "date": .date(764_000_000.25), "id": .uuid(uuid), "bytes": .data([0, 255, 7]),
            "size": .quantity(QuantityRecord(512, unit: "Hz")),
            "list": .list([.integer(1), .record(["x": .double(.infinity)])]), "record": .record(["y": .date(-1)]),
        ]
        let voltage = (0..<40).map { (row: Int) -> Double in Double(row * row % 37 - 18) / 1000 }
        return DocumentBody(fields: fields, series: ["empty": [], "odd": [1.0 / 3, -0.0], "voltage": voltage])
    }()

    /// Twelve rows, milliseconds, all columns in use.
    private static let everyColumn: SampleColumns = {
        var columns = SampleColumns(type: TypeCode(rawValue: 1_000_007))
        for row in 0..<12 {
            let start = 650_000_000 + Double(row * row * 60)
            columns.starts.append(start)
            columns.ends.append(row % 4 == 0 ? start : (650_000_000_125 + Double(row * row * 60_000)) / 1000)
            columns.values.append(Double(row * 37 % 11) / 100)
            columns.units.append(row % 3 == 0 ? 2 : 4)
            columns.revisions.append(row % 2 == 0 ? 1 : 70_000)
            columns.devices.append(UInt32(row / 4))
            columns.metadata.numbers.append(UInt32(row % 3))
            columns.sequences.append(Int64(500 + row * 7 % 12))
            columns.uuids.append(row == 5 ? uuid : nil)
            columns.creations.append(row % 5 == 0 ? .nan : start + 100)
        }
        columns.metadata.table = [Metadata([.init(key: MetadataKey.wasUserEntered, value: .bool(true))]), metadata]
        return columns
    }()

    /// Instants and values without a decimal form, including special ones.
    private static let oddNumbers: SampleColumns = {
        var columns = SampleColumns(type: TypeCode(rawValue: 5))
        let values: [Double] = [
            -0.0, .infinity, -.infinity, Double(bitPattern: 0x7FF8_0000_0000_1234), 1.0 / 3, 0x1p-1074, 1e300, 0.1,
        ]
        for row in 0..<8 {
            columns.starts.append(row == 0 ? -63_114_076_800 : Double(row) / 3)
            columns.ends.append(row == 7 ? 64_092_211_200 : Double(row) / 3 + 1.0 / 7)
            columns.values.append(values[row])
            columns.revisions.append(3)
            columns.sequences.append(row == 4 ? .max : .min + Int64(row))
            columns.uuids.append(uuid)
            columns.creations.append(Double(bitPattern: 0x7FF8_0000_0000_0000 | UInt64(row)))
        }
        columns.units = Array(repeating: 0, count: 8)
        columns.devices = columns.units
        columns.metadata.numbers = columns.units
        return columns
    }()

    /// Seven hundred rows that require patched, stepped, gap and dictionary encodings and shared creation dates.
    private static let long: SampleColumns = {
        var columns = SampleColumns(type: TypeCode(rawValue: 7))
        let levels = [0.1 + 0.2, 1.0 / 3, 2.0 / 3, 0.7]
        var clock = 600_000_000.0
        for row in 0..<700 {
            columns.starts.append(clock)
            clock += Double(row * row * 7919 % 1009 % 50 + 20)
            columns.ends.append(clock)
            if row % 90 == 89 { clock += 40_000 }
            columns.values.append(levels[row * row * 7919 % 1009 % 4])
            columns.units.append(1)
            columns.revisions.append(row == 350 ? 9 : 2)
            columns.devices.append(6)
            columns.metadata.numbers.append(0)
            columns.sequences.append(Int64(row < 300 ? 100_000 + row : row))
            columns.creations.append(600_400_000 + Double(row / 100 * 1000))
        }
        return columns
    }()

    /// Ten samples, one per minute.
    private static let regular: SampleColumns = {
        var columns = SampleColumns(type: TypeCode(rawValue: 12))
        for row in 0..<10 {
            columns.starts.append(680_000_000 + Double(row * 60))
            columns.ends.append(680_000_060 + Double(row * 60))
            columns.values.append(Double(row) / 2)
            columns.units.append(3)
            columns.revisions.append(4)
            columns.devices.append(5)
            columns.metadata.numbers.append(0)
            columns.sequences.append(Int64(40 + row))
        }
        return columns
    }()

    private static let single: SampleColumns = {
        var columns = SampleColumns(type: TypeCode(rawValue: 3))
        columns.starts = [700_000_000]
        columns.ends = [700_000_060.5]
        columns.values = [72.5]
        columns.units = [1]
        columns.revisions = [2]
        columns.devices = [0]
        columns.metadata.numbers = [0]
        columns.sequences = [9]
        return columns
    }()
}
