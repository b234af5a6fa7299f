public import HealthModel

/// Makes samples that follow from a seed: the same seed gives the same samples, on every machine.
///
/// The samples look like a person's data: ascending starts with gaps, short and overlapping
/// intervals, several sources, repeated values and metadata, and now and then something rare (a
/// zero-length sample, a given UUID, a text with an emoji).
public struct SeededSamples: Sendable {
    /// The seed, to be named in a failing test's message.
    public let seed: UInt64
    /// Start of the first sample, in seconds since 2001-01-01.
    public var firstStart: Double = 600_000_000
    /// Greatest gap between two starts, in seconds.
    public var greatestGap: Double = 600
    /// One sample in so many has a UUID of its own.
    public var givenUUIDs = 8
    private var random: SplitMix64

    /// Makes a generator of samples. What is random goes on from call to call; starts begin at ``firstStart``
    /// again.
    public init(seed: UInt64) {
        self.seed = seed
        random = SplitMix64(seed: seed)
    }

    /// `count` samples of one quantity or category type, ascending by start, numbered from
    /// `firstSequence`.
    public mutating func records(
        of type: TypeCode, count: Int, firstSequence: Int64 = 1
    ) -> [SampleRecord] {
        let description = TypeCatalog.description(for: type)
        var start = firstStart
        return (0..<count).map { index in
            start += random.oneIn(10) ? 0 : Double.random(in: 0...greatestGap, using: &random).rounded()
            let duration = random.oneIn(4) ? 0 : Double.random(in: 0...900, using: &random).rounded()
            return SampleRecord(
                uuid: random.oneIn(givenUUIDs) ? random.uuid() : nil, type: type, start: start,
                end: start + duration, value: value(of: description),
                unit: description?.canonicalUnit ?? "", revision: random.pick(Self.revisions),
                device: random.pick(Self.devices), metadata: metadata(),
                creation: random.oneIn(3) ? start + duration + 1 : nil,
                sequence: firstSequence + Int64(index))
        }
    }

    /// The same samples as columns, with units, revisions and devices numbered by `number`, such as
    /// the `intern` methods of a transaction.
    public mutating func columns(
        of type: TypeCode, count: Int, firstSequence: Int64 = 1,
        numberingUnits unit: (String) throws -> UInt32,
        revisions revision: (SourceRevisionRecord) throws -> UInt32,
        devices device: (DeviceRecord) throws -> UInt32
    ) rethrows -> SampleColumns {
        var columns = SampleColumns(type: type)
        var tableIndexes: [Metadata: UInt32] = [:]
        for record in records(of: type, count: count, firstSequence: firstSequence) {
            columns.starts.append(record.start)
            columns.ends.append(record.end)
            columns.values.append(record.value)
            columns.units.append(record.unit.isEmpty ? 0 : try unit(record.unit))
            columns.revisions.append(try record.revision.map(revision) ?? 0)
            columns.devices.append(try record.device.map(device) ?? 0)
            if record.metadata.isEmpty {
                columns.metadata.append(0)
            } else {
                if tableIndexes[record.metadata] == nil {
                    columns.metadataTable.append(record.metadata)
                    tableIndexes[record.metadata] = UInt32(columns.metadataTable.count)
                }
                columns.metadata.append(tableIndexes[record.metadata] ?? 0)
            }
            columns.sequences.append(record.sequence)
            columns.uuids.append(record.uuid)
            columns.creations.append(record.creation ?? .nan)
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

    /// The sources the samples come from.
    public static let revisions: [SourceRevisionRecord] = [
        SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: "com.apple.health.A1", name: "Anna’s\u{a0}Apple\u{a0}Watch"),
            version: "10.1", productType: "Watch6,7",
            operatingSystemVersion: OperatingSystemVersionRecord(major: 10, minor: 1)),
        SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: "com.apple.health.B2", name: "iPhone"),
            version: "17.0.3", productType: "iPhone14,5",
            operatingSystemVersion: OperatingSystemVersionRecord(major: 17, minor: 0, patch: 3)),
        SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: "org.example.journal", name: "Journal \"Ü\" 🍎")),
    ]

    /// The devices; `nil` stands for samples without one.
    public static let devices: [DeviceRecord?] = [
        DeviceRecord(
            name: "Apple Watch", manufacturer: "Apple Inc.", model: "Watch",
            hardwareVersion: "Watch6,7", softwareVersion: "10.1"),
        DeviceRecord(name: "iPhone", manufacturer: "Apple Inc.", model: "iPhone"),
        nil,
    ]
}
