import Foundation
import HealthEngine
import HealthModel
import HealthStorage

/// Records → objects: what queries hand out. The way there is ``RecordEncoder``.
///
/// Nothing is validated again: the store holds only what was valid when it was written. Units, source
/// revisions and devices are made once for a selection and shared by its samples.
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

    /// What is left of deleted objects, in the order of `tombstones`.
    static func deletedObjects(_ tombstones: [StoredTombstone]) -> [HKDeletedObject] {
        tombstones.map { HKDeletedObject($0) }
    }

    /// The selection's results as objects, in its order. Objects that are no samples (activity
    /// summaries) are left out.
    func samples() -> [HKSample] {
        let batches = selection.batches.map {
            SampleBatchDecoder($0, decoder: self, identities: selection.identities)
        }
        var samples: [HKSample] = []
        samples.reserveCapacity(selection.order.count)
        for reference in selection.order {
            if reference.batch >= 0 {
                if let sample = batches[Int(reference.batch)].sample(at: Int(reference.row)) {
                    samples.append(sample)
                }
            } else if let sample = sample(selection.objects[Int(reference.row)]) {
                samples.append(sample)
            }
        }
        return samples
    }

    /// The object of one record; `nil` when it is no sample.
    func sample(_ record: ObjectRecord) -> HKSample? {
        guard let type = type(record.type) else { return nil }
        let identity = record.uuid ?? selection.identities.uuid(for: record.sequence)
        let context = ObjectContext(
            type: type, revision: revision(record.revision), device: device(record.device),
            metadata: record.metadata)
        switch record.body {
        case .workout(let body) where type is HKWorkoutType:
            return HKWorkout(
                identity: identity, context: context, start: record.start, end: record.end, body: body,
                members: record.members)
        case _ where type is HKCorrelationType:
            return HKCorrelation(
                identity: identity, context: context, start: record.start, end: record.end,
                members: Set(record.members.compactMap { sample($0) }))
        default:
            return .document(
                identity: identity, context: context, start: record.start, end: record.end, body: record.body)
        }
    }

    /// The object of one page sample's record; `nil` when its type is no quantity or category type.
    func sample(_ record: SampleRecord) -> HKSample? {
        guard let type = type(record.type) else { return nil }
        return Self.sample(
            record, identity: record.uuid ?? selection.identities.uuid(for: record.sequence),
            context: ObjectContext(
                type: type, revision: revision(record.revision), device: device(record.device),
                metadata: record.metadata))
    }

    /// A quantity or category sample in its class; `nil` when the context's type is neither.
    static func sample(_ record: SampleRecord, identity: UUID, context: ObjectContext) -> HKSample? {
        switch context.type {
        case let type as HKQuantityType:
            let unit = HKUnit.parsed(record.unit) ?? .count()
            return type.aggregationStyle == .cumulative
                ? HKCumulativeQuantitySample(
                    identity: identity, context: context, start: record.start, end: record.end,
                    unit: unit, value: record.value)
                : HKDiscreteQuantitySample(
                    identity: identity, context: context, start: record.start, end: record.end,
                    unit: unit, value: record.value)
        case is HKCategoryType:
            return HKCategorySample(
                identity: identity, context: context, start: record.start, end: record.end,
                value: Int(exactly: record.value.rounded()) ?? 0)
        default:
            return nil
        }
    }

    // MARK: Shared parts, each made once

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
        // A store can hold a unit string only a later version parses; the number is still worth giving.
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
