import Foundation
import HealthEngine
import HealthModel

/// Converts objects to the records that the engine saves. The counterpart is ``RecordDecoder``.
enum RecordEncoder {
    /// The items to save, in the order of `objects`. Source revisions are omitted: the engine assigns the
    /// caller's to every saved object.
    ///
    /// - Throws: `EngineError.invalidArgument` for an object that cannot be stored.
    static func items(_ objects: [HKObject]) throws(EngineError) -> [SaveItem] {
        var items: [SaveItem] = []
        items.reserveCapacity(objects.count)
        for object in objects {
            guard let item = item(object, includingRevision: false) else {
                throw .invalidArgument("Objects of class \(Swift.type(of: object)) cannot be saved.")
            }
            items.append(item)
        }
        return items
    }

    /// The record of one object; `nil` for a class that cannot be stored.
    static func item(_ object: HKObject, includingRevision: Bool = true) -> SaveItem? {
        if let record = sampleRecord(object, includingRevision: includingRevision) { return .sample(record) }
        return switch object {
        case let correlation as HKCorrelation:
            .object(
                record(
                    correlation, includingRevision,
                    members: members(correlation.objects, includingRevision: includingRevision)))
        case let sample as HKSample:
            .object(record(sample, includingRevision, body: sample.recordBody))
        default: nil
        }
    }

    /// The record of a quantity or category sample; `nil` for any other object.
    static func sampleRecord(_ object: HKObject, includingRevision: Bool) -> SampleRecord? {
        switch object {
        case let sample as HKQuantitySample: record(sample, includingRevision: includingRevision)
        case let sample as HKCategorySample:
            record(sample, value: Double(sample.categoryValue), unit: "", includingRevision)
        default: nil
        }
    }

    /// The record of a quantity sample.
    static func record(_ sample: HKQuantitySample, includingRevision: Bool) -> SampleRecord {
        record(sample, value: sample.value, unit: sample.unit.unitString, includingRevision)
    }

    private static func record(
        _ sample: HKSample, value: Double, unit: String, _ includingRevision: Bool
    ) -> SampleRecord {
        SampleRecord(
            uuid: sample.identity, type: sample.context.type.code, start: sample.start, end: sample.end, value: value,
            unit: unit, revision: includingRevision ? sample.context.revision?.record : nil,
            device: sample.context.device?.record, metadata: sample.context.metadata)
    }

    private static func record(
        _ sample: HKSample, _ includingRevision: Bool, body: ObjectBody = .none, members: [SampleRecord] = []
    ) -> ObjectRecord {
        ObjectRecord(
            uuid: sample.identity, type: sample.context.type.code, start: sample.start, end: sample.end,
            revision: includingRevision ? sample.context.revision?.record : nil, device: sample.context.device?.record,
            metadata: sample.context.metadata, body: body, members: members)
    }

    /// The quantity and category samples among `samples`, in an order that does not depend on the set's.
    static func members(_ samples: Set<HKSample>, includingRevision: Bool = true) -> [SampleRecord] {
        var records: [SampleRecord] = []
        records.reserveCapacity(samples.count)
        for sample in samples {
            if let record = sampleRecord(sample, includingRevision: includingRevision) { records.append(record) }
        }
        return records.sorted {
            ($0.start, $0.type.rawValue, $0.uuid?.uuidString ?? "")
                < ($1.start, $1.type.rawValue, $1.uuid?.uuidString ?? "")
        }
    }
}
