import Foundation
import HealthEngine
import HealthModel
import HealthStorage

/// Converts a selection's records to the objects that queries return. The counterpart is ``RecordEncoder``.
///
/// Nothing is validated again: a store contains only what was valid when it was written. Units, source
/// revisions and devices are created once per selection and shared by its samples.
final class RecordDecoder {
    private let selection: SampleSelection
    private var types: [TypeCode: HKSampleType] = [:]
    private var units: [HKUnit?]
    private var revisions: [HKSourceRevision?]
    private var devices: [HKDevice?]
    private var revisionsByRecord: [SourceRevisionRecord: HKSourceRevision] = [:]
    private var devicesByRecord: [DeviceRecord: HKDevice] = [:]

    init(_ selection: SampleSelection) {
        self.selection = selection
        units = Array(repeating: nil, count: selection.dictionaries.units.count + 1)
        revisions = Array(repeating: nil, count: selection.dictionaries.revisions.count + 1)
        devices = Array(repeating: nil, count: selection.dictionaries.devices.count + 1)
    }

    /// A selection's results as objects, in its order. See ``samples()``.
    static func samples(_ selection: SampleSelection) -> [HKSample] {
        RecordDecoder(selection).samples()
    }

    /// The remains of deleted objects, in the order of `tombstones`.
    static func deletedObjects(_ tombstones: [StoredTombstone]) -> [HKDeletedObject] {
        tombstones.map { HKDeletedObject($0) }
    }

    /// The selection's results as objects, in its order. Objects that are not samples (activity summaries)
    /// are omitted.
    func samples() -> [HKSample] {
        let batches = selection.batches.map {
            SampleBatchDecoder($0, decoder: self, identities: selection.identities)
        }
        var samples: [HKSample] = []
        samples.reserveCapacity(selection.order.count)
        for reference in selection.order {
            let sample =
                switch reference {
                case .sample(let batch, let row): batches[Int(batch)].sample(at: Int(row))
                case .object(let index): sample(selection.objects[Int(index)])
                }
            if let sample { samples.append(sample) }
        }
        return samples
    }

    /// The object of one record; `nil` when it is not a sample.
    func sample(_ record: ObjectRecord) -> HKSample? {
        guard let type = type(record.type) else { return nil }
        let identity = record.uuid ?? selection.identities.uuid(for: record.sequence)
        let base = SampleBase(
            identity: identity,
            context: ObjectContext(
                type: type, revision: revision(record.revision), device: device(record.device),
                metadata: record.metadata), start: record.start, end: record.end)
        if type is HKCorrelationType {
            return HKCorrelation(base, members: Set(record.members.compactMap { sample($0) }))
        }
        return HKSample.make(base, record)
    }

    /// The object of one page sample's record; `nil` when its type is neither a quantity nor a category type.
    func sample(_ record: SampleRecord) -> HKSample? {
        guard let type = type(record.type) else { return nil }
        let context = ObjectContext(
            type: type, revision: revision(record.revision), device: device(record.device), metadata: record.metadata)
        return Self.sample(
            record,
            SampleBase(
                identity: record.uuid ?? selection.identities.uuid(for: record.sequence), context: context,
                start: record.start, end: record.end))
    }

    /// A quantity or category sample; `nil` when the base's type is neither.
    static func sample(_ record: SampleRecord, _ base: SampleBase) -> HKSample? {
        switch base.context.type {
        case let type as HKQuantityType:
            HKQuantitySample.make(
                base, isCumulative: type.isCumulative, unit: HKUnit.parsed(record.unit) ?? .count(),
                value: record.value)
        case is HKCategoryType: HKCategorySample(base, value: Int(exactly: record.value.rounded()) ?? 0)
        default: nil
        }
    }

    // MARK: Shared parts, each created once

    /// The sample type with this code; `nil` for an unknown code and for types that have no samples.
    func type(_ code: TypeCode) -> HKSampleType? {
        if let made = types[code] { return made }
        guard let description = selection.dictionaries.type(code),
            let new = HKSampleType.described(by: description)
        else { return nil }
        types[code] = new
        return new
    }

    /// The unit with this number.
    func unit(_ number: UInt32) -> HKUnit {
        guard number < units.count else { return .count() }
        if let made = units[Int(number)] { return made }
        // A store can contain a unit string that only a later version parses; the number is still useful.
        let new = HKUnit.parsed(selection.dictionaries.unit(number)) ?? .count()
        units[Int(number)] = new
        return new
    }

    /// The source revision with this number.
    func revision(_ number: UInt32) -> HKSourceRevision? {
        guard number > 0, number < revisions.count else { return nil }
        if let made = revisions[Int(number)] { return made }
        let new = revision(selection.dictionaries.revision(number))
        revisions[Int(number)] = new
        return new
    }

    /// The device with this number.
    func device(_ number: UInt32) -> HKDevice? {
        guard number > 0, number < devices.count else { return nil }
        if let made = devices[Int(number)] { return made }
        let new = device(selection.dictionaries.device(number))
        devices[Int(number)] = new
        return new
    }

    private func revision(_ record: SourceRevisionRecord?) -> HKSourceRevision? {
        guard let record else { return nil }
        if let made = revisionsByRecord[record] { return made }
        let new = HKSourceRevision(record)
        revisionsByRecord[record] = new
        return new
    }

    private func device(_ record: DeviceRecord?) -> HKDevice? {
        guard let record else { return nil }
        if let made = devicesByRecord[record] { return made }
        let new = HKDevice(record)
        devicesByRecord[record] = new
        return new
    }
}

/// Converts the columns of one batch to samples: the hot half of ``RecordDecoder``.
final class SampleBatchDecoder {
    private enum Family {
        case cumulative
        case discrete
        case category
        case none
    }

    /// The parts of a sample's context besides the type.
    private struct ContextKey: Hashable {
        var revision: UInt32
        var device: UInt32
        var metadata: UInt32
    }

    private let columns: SampleColumns
    private let decoder: RecordDecoder
    private let identities: DerivedIdentities
    private let type: HKSampleType?
    private let family: Family
    // Neighboring samples mostly agree in source, device and metadata, or two sources alternate, so the last two
    // contexts are tried first.
    private var last: (key: ContextKey, context: ObjectContext)?
    private var previous: (key: ContextKey, context: ObjectContext)?
    private var contexts: [ContextKey: ObjectContext] = [:]
    private var lastUnit: (number: UInt32, unit: HKUnit)

    init(_ columns: SampleColumns, decoder: RecordDecoder, identities: DerivedIdentities) {
        self.columns = columns
        self.decoder = decoder
        self.identities = identities
        type = decoder.type(columns.type)
        family =
            switch type {
            case let type as HKQuantityType:
                type.isCumulative ? .cumulative : .discrete
            case is HKCategoryType: .category
            default: .none
            }
        let first = columns.units.first ?? 0
        lastUnit = (first, decoder.unit(first))
    }

    /// The sample of one row; `nil` when the batch's type has no samples. Columns that were not requested
    /// count as empty.
    func sample(at row: Int) -> HKSample? {
        guard let type else { return nil }
        let start = columns.starts[row]
        let end = row < columns.ends.count ? columns.ends[row] : start
        let value = row < columns.values.count ? columns.values[row] : 0
        let identity = columns.uuid(at: row) ?? identities.uuid(for: columns.sequences[row])
        let base = SampleBase(identity: identity, context: context(at: row, type: type), start: start, end: end)
        return switch family {
        case .cumulative: HKCumulativeQuantitySample(base, unit: unit(at: row), value: value)
        case .discrete: HKDiscreteQuantitySample(base, unit: unit(at: row), value: value)
        case .category: HKCategorySample(base, value: Int(exactly: value) ?? 0)
        case .none: nil
        }
    }

    private func unit(at row: Int) -> HKUnit {
        let number = row < columns.units.count ? columns.units[row] : 0
        if number != lastUnit.number { lastUnit = (number, decoder.unit(number)) }
        return lastUnit.unit
    }

    private func context(at row: Int, type: HKSampleType) -> ObjectContext {
        let key = ContextKey(
            revision: row < columns.revisions.count ? columns.revisions[row] : 0,
            device: row < columns.devices.count ? columns.devices[row] : 0,
            metadata: UInt32(columns.metadata.number(at: row)))
        if let last, last.key == key { return last.context }
        swap(&last, &previous)
        if let last, last.key == key { return last.context }
        let context = contexts[key] ?? newContext(key, at: row, type: type)
        last = (key, context)
        return context
    }

    private func newContext(_ key: ContextKey, at row: Int, type: HKSampleType) -> ObjectContext {
        let context = ObjectContext(
            type: type, revision: decoder.revision(key.revision), device: decoder.device(key.device),
            metadata: columns.metadata(at: row))
        contexts[key] = context
        return context
    }
}

extension HKDeletedObject {
    /// Creates the object for the stored record of a deletion.
    convenience init(_ tombstone: StoredTombstone) {
        var metadata = Metadata.empty
        if let identifier = tombstone.syncIdentifier {
            metadata.entries.append(.init(key: MetadataKey.syncIdentifier, value: .string(identifier)))
        }
        if let version = tombstone.syncVersion {
            metadata.entries.append(
                .init(
                    key: MetadataKey.syncVersion,
                    value: Int64(exactly: version).map { .integer($0) } ?? .double(version)))
        }
        self.init(Fields(uuid: tombstone.uuid, metadata: metadata))
    }
}
