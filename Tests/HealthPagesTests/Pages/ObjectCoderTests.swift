import Foundation
import HealthModel
@testable import HealthPages
import HealthPages
import Testing

@Suite struct ObjectCoderTests {
    static func roundTrip(_ metadata: Metadata, _ creation: Double?, _ body: ObjectBody) throws {
        let bytes = ObjectCoder.encode(metadata: metadata, creation: creation, body: body)
        let read = try ObjectCoder.decode(bytes)
        #expect(Identical.check(read.metadata, metadata))
        #expect(read.creation?.bitPattern == creation?.bitPattern)
        #expect(read.body == body)
        #expect(ObjectCoder.encode(metadata: read.metadata, creation: read.creation, body: read.body) == bytes)
        let neighbours: [UInt8] = [0xFF, 0xFF, 0xFF]
        try ByteReader.lending(neighbours + bytes + neighbours) { raw throws(PageError) in
            let inner = UnsafeRawBufferPointer(rebasing: raw[3..<raw.count - 3])
            #expect(try ObjectCoder.decode(inner).body == body)
        }
    }

    @Test func emptyObjectsAreSmall() throws {
        try Self.roundTrip(.empty, nil, .none)
        #expect(ObjectCoder.encode(metadata: .empty, creation: nil, body: .none).count == 11)
    }

    @Test func creationsKeepTheirBits() throws {
        for creation in [0, -0.0, 650_000_000, 650_000_000.123, .infinity, .nan] {
            try Self.roundTrip(.empty, creation, .none)
        }
    }

    @Test func everyFieldOfAWorkoutRoundTrips() throws {
        try Self.roundTrip(RandomObjects.fullMetadata, 1, .workout(RandomObjects.fullWorkout))
    }

    @Test func everyFieldOfASummaryRoundTrips() throws {
        var summary = ActivitySummaryBody(year: 2024, month: 2, day: 29, moveMode: 2, isPaused: true)
        try Self.roundTrip(.empty, nil, .activitySummary(summary))
        let paths: [WritableKeyPath<ActivitySummaryBody, QuantityRecord?>] = [
            \.activeEnergyBurned, \.activeEnergyBurnedGoal, \.appleMoveTime, \.appleMoveTimeGoal,
            \.appleExerciseTime, \.appleExerciseTimeGoal, \.appleStandHours, \.appleStandHoursGoal,
        ]
        for (place, path) in paths.enumerated() {
            var one = ActivitySummaryBody(year: -4, month: 0, day: 99)
            one[keyPath: path] = QuantityRecord(Double(place) + 0.5, unit: "kcal")
            summary[keyPath: path] = QuantityRecord(Double(place), unit: "min")
            try Self.roundTrip(.empty, nil, .activitySummary(one))
            try Self.roundTrip(.empty, nil, .activitySummary(summary))
        }
    }

    @Test func archivedElementsNest() throws {
        var element = ArchivedElement(name: "Leaf", attributes: [.init(name: "a", value: "é&<")])
        for level in 1..<ObjectCoder.maximumDepth {
            element = ArchivedElement(
                name: "N\(level % 3)", attributes: [.init(name: "a", value: ""), .init(name: "a", value: "2")],
                children: level % 50 == 0 ? [element, ArchivedElement(name: "Leaf")] : [element])
        }
        try Self.roundTrip(.empty, nil, .archived(element))
    }

    @Test func deeperNestingThrows() {
        // Elements with empty names, no attributes and one child each, deeper than a writer allows.
        var writer = ByteWriter()
        writer.raw([1, 2, 0x61])  // pool: "a"
        writer.raw([0, 0, 3])  // no metadata, no creation, archived
        for _ in 0..<100_000 { writer.raw([0, 0, 1]) }
        writer.raw([0, 0, 0])
        #expect(throws: PageError.self) { try ObjectCoder.decode(Self.vouched(writer.bytes)) }
    }

    @Test(arguments: 0..<150 as Range<UInt64>)
    func objectsRoundTrip(seed: UInt64) throws {
        var random = SeededRandom(seed)
        try Self.roundTrip(
            RandomColumns.metadata(&random), random.chance(2) ? RandomColumns.anyDouble(&random) : nil,
            RandomObjects.body(&random))
    }

    @Test func everyTruncationAndFlippedBitThrows() throws {
        let bytes = ObjectCoder.encode(
            metadata: RandomObjects.fullMetadata, creation: 5, body: .workout(RandomObjects.fullWorkout))
        for length in 0..<bytes.count {
            #expect(throws: PageError.self) { try ObjectCoder.decode(Array(bytes[..<length])) }
            if length > 7 {
                #expect(throws: PageError.self) { try ObjectCoder.decode(Self.vouched(Array(bytes[7..<length]))) }
            }
        }
        #expect(throws: PageError.self) { try ObjectCoder.decode(bytes + [0]) }
        for bit in 0..<bytes.count * 8 {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: PageError.self, "bit \(bit)") { try ObjectCoder.decode(damaged) }
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func mutatedObjectsNeverTrap(seed: UInt64) {
        var random = SeededRandom(seed)
        let bytes = ObjectCoder.encode(
            metadata: RandomColumns.metadata(&random), creation: nil, body: RandomObjects.body(&random))
        for _ in 0..<30 {
            var content = Array(bytes[7...])
            for _ in 0..<random.int(1...3) {
                content[random.int(0...content.count - 1)] = UInt8(random.int(0...255))
            }
            _ = try? ObjectCoder.decode(Self.vouched(content))
        }
    }

    /// Content after a fixed part with a valid checksum.
    static func vouched(_ content: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw([0x48, 0x4F, 1])
        writer.fixed32(UInt32(truncatingIfNeeded: Checksum.of(content)))
        writer.raw(content)
        return writer.bytes
    }
}

@Suite("Documents as bytes")
struct DocumentBodyTests {
    private let document = DocumentBody(
        fields: [
            "flag": .bool(true), "off": .bool(false), "whole": .integer(-42), "number": .double(0.1),
            "text": .string("“ж”"),
            "date": .date(764_000_000.25), "id": .uuid(UUID(uuidString: "0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F9")!),
            "bytes": .data([0, 255, 7]), "size": .quantity(QuantityRecord(512, unit: "Hz")),
            "list": .list([.integer(1), .list([.string("a")]), .record(["x": .double(.infinity)])]),
            "record": .record(["y": .date(-1)]),
        ],
        series: [
            "voltage": (0..<15_360).map { Double($0 % 811 - 400) / 1_000 }, "empty": [], "odd": [.nan, -0.0, 1e300],
        ])

    private func encode(_ body: DocumentBody) -> [UInt8] {
        ObjectCoder.encode(metadata: .empty, creation: nil, body: .document(body))
    }

    @Test("Every kind of field and long series round-trip bit for bit")
    func roundTrip() throws {
        let bytes = encode(document)
        guard case .document(let found) = try ObjectCoder.decode(bytes).body else {
            Issue.record("not a document")
            return
        }
        #expect(found.fields == document.fields)
        #expect(Set(found.series.keys) == Set(document.series.keys))
        for (name, numbers) in document.series {
            #expect(found.series[name]?.map(\.bitPattern) == numbers.map(\.bitPattern))
        }
        // Thousandths with a span of 811 steps need ten bits each.
        #expect(bytes.count < 15_360 * 2 + 500)
    }

    @Test("Equal documents have equal bytes")
    func deterministic() {
        let again = DocumentBody(
            fields: Dictionary(uniqueKeysWithValues: document.fields.shuffled()), series: document.series)
        #expect(encode(document) == encode(again))
    }

    @Test("Truncated bytes are rejected")
    func truncated() {
        let bytes = encode(DocumentBody(fields: document.fields, series: ["odd": [1, 2, 3.5]]))
        for length in bytes.indices {
            #expect(throws: PageError.self) { try ObjectCoder.decode(Array(bytes[..<length])) }
        }
    }
}
