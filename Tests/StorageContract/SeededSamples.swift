package import HealthModel
import HealthTesting

/// Generates reproducible samples: the same seed gives the same samples on every machine.
///
/// The samples resemble a person's data: ascending starts with gaps, short and overlapping intervals, several sources,
/// repeated values and metadata, and occasionally something unusual (a zero-length sample, a given UUID, a string with
/// an emoji).
package struct SeededSamples: Sendable {
    /// The seed. Include it in the messages of failing tests.
    package let seed: UInt64
    /// The start of the first sample, in seconds since 2001-01-01.
    package var firstStart: Double = 600_000_000
    /// The maximum gap between two starts, in seconds.
    package var maximumGap: Double = 600
    /// The average number of samples per sample with a given UUID.
    package var givenUUIDs = 8
    private var random: SplitMix64

    /// Creates a generator. Random values continue from call to call, while starts begin at ``firstStart`` in each
    /// call.
    package init(seed: UInt64) {
        self.seed = seed
        random = SplitMix64(seed: seed)
    }

    /// Returns `count` samples of a quantity or category type, sorted by start and numbered from `firstSequence`.
    package mutating func records(
        of type: TypeCode, count: Int, firstSequence: Int64 = 1
    ) -> [SampleRecord] {
        let description = TypeCatalog.description(for: type)
        var start = firstStart
        return (0..<count).map { index in
            start += random.oneIn(10) ? 0 : Double.random(in: 0...maximumGap, using: &random).rounded()
            let duration = random.oneIn(4) ? 0 : Double.random(in: 0...900, using: &random).rounded()
            return SampleRecord(
                uuid: random.oneIn(givenUUIDs) ? random.uuid() : nil, type: type, start: start, end: start + duration,
                value: value(of: description), unit: description?.canonicalUnit ?? "",
                revision: random.pick(Self.revisions), device: random.pick(Self.devices), metadata: metadata(),
                creation: random.oneIn(3) ? start + duration + 1 : nil, sequence: firstSequence + Int64(index))
        }
    }

    /// Returns the samples as columns. `number` assigns numbers to units, revisions and devices, for example with the
    /// `intern` methods of a transaction.
    package mutating func columns(
        of type: TypeCode, count: Int, firstSequence: Int64 = 1, numberingUnits unit: (String) throws -> UInt32,
        revisions revision: (SourceRevisionRecord) throws -> UInt32, devices device: (DeviceRecord) throws -> UInt32
    ) rethrows -> SampleColumns {
        var columns = SampleColumns(type: type)
        var interner = MetadataInterner()
        for record in records(of: type, count: count, firstSequence: firstSequence) {
            columns.append(
                record, unit: record.unit.isEmpty ? 0 : try unit(record.unit),
                revision: try record.revision.map(revision) ?? 0, device: try record.device.map(device) ?? 0,
                sequence: record.sequence, &interner)
        }
        return columns
    }

    private mutating func value(of description: TypeDescription?) -> Double {
        if let range = description?.categoryValues {
            return Double(Int.random(in: range, using: &random))
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return Double(Int.random(in: 1...300, using: &random))
        case 1: return Double(Int.random(in: 1...5000, using: &random)) / 100
        case 2: return 72
        default: return Double.random(in: 0...1000, using: &random)
        }
    }

    private mutating func metadata() -> Metadata {
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            Metadata([.init(key: MetadataKey.wasUserEntered, value: .bool(true))])
        case 1:
            Metadata([.init(key: MetadataKey.timeZone, value: .string("Europe/Zurich"))])
        case 2:
            Metadata([
                .init(key: "Lunch 🥗\u{a0}", value: .string("salad")),
                .init(key: "HKMetadataKeyHeartRateMotionContext", value: .integer(Int64(random.pick([0, 1, 2])))),
            ])
        default:
            Metadata.empty
        }
    }

    /// The sources of the samples.
    package static let revisions: [SourceRevisionRecord] = [
        SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: "com.apple.health.A1", name: "Anna’s\u{a0}Apple\u{a0}Watch"),
            version: "10.1", productType: "Watch6,7",
            operatingSystemVersion: OperatingSystemVersionRecord(major: 10, minor: 1)),
        SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: "com.apple.health.B2", name: "iPhone"),
            version: "17.0.3", productType: "iPhone14,5",
            operatingSystemVersion: OperatingSystemVersionRecord(major: 17, minor: 0, patch: 3)),
        SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "org.example.journal", name: "Journal \"Ü\" 🍎")),
    ]

    /// The devices of the samples; `nil` represents samples without a device.
    package static let devices: [DeviceRecord?] = [
        DeviceRecord(
            name: "Apple Watch", manufacturer: "Apple Inc.", model: "Watch", hardwareVersion: "Watch6,7",
            softwareVersion: "10.1"), DeviceRecord(name: "iPhone", manufacturer: "Apple Inc.", model: "iPhone"), nil,
    ]
}
