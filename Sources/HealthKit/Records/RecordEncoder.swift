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
        switch object {
        case let sample as HKQuantitySample:
            .sample(SampleRecord(sample, includingRevision: includingRevision))
        case let sample as HKCategorySample:
            .sample(SampleRecord(sample, includingRevision: includingRevision))
        case let correlation as HKCorrelation:
            .object(
                ObjectRecord(
                    correlation, includingRevision, body: .none,
                    members: members(correlation.objects, includingRevision: includingRevision)))
        case let workout as HKWorkout:
            .object(ObjectRecord(workout, includingRevision: includingRevision))
        case let sample as any DocumentSample:
            .object(ObjectRecord(sample, includingRevision, body: .document(sample.storedDocument)))
        case let sample as HKSample:
            .object(ObjectRecord(sample, includingRevision, body: .none))
        default: nil
        }
    }

    /// The quantity and category samples among `samples`, in an order that does not depend on the set's.
    static func members(_ samples: Set<HKSample>, includingRevision: Bool = true) -> [SampleRecord] {
        var records: [SampleRecord] = []
        records.reserveCapacity(samples.count)
        for sample in samples {
            if case .sample(let record) = item(sample, includingRevision: includingRevision) { records.append(record) }
        }
        return records.sorted {
            ($0.start, $0.type.rawValue, $0.uuid?.uuidString ?? "")
                < ($1.start, $1.type.rawValue, $1.uuid?.uuidString ?? "")
        }
    }
}

extension SampleRecord {
    init(_ sample: HKQuantitySample, includingRevision: Bool = true) {
        self.init(sample, includingRevision, value: sample.value, unit: sample.unit.unitString)
    }

    init(_ sample: HKCategorySample, includingRevision: Bool = true) {
        self.init(sample, includingRevision, value: Double(sample.value), unit: "")
    }

    private init(_ sample: HKSample, _ includingRevision: Bool, value: Double, unit: String) {
        self.init(
            uuid: sample.identity, type: sample.context.type.code, start: sample.start,
            end: sample.end, value: value, unit: unit,
            revision: includingRevision ? sample.context.revision?.record : nil,
            device: sample.context.device?.record, metadata: sample.context.metadata)
    }
}

extension ObjectRecord {
    /// The workout without its samples, which are saved by themselves and linked to it.
    init(_ workout: HKWorkout, includingRevision: Bool = true) {
        self.init(workout, includingRevision, body: .workout(workout.fields.body))
    }

    fileprivate init(
        _ sample: HKSample, _ includingRevision: Bool, body: ObjectBody, members: [SampleRecord] = []
    ) {
        self.init(
            uuid: sample.identity, type: sample.context.type.code, start: sample.start,
            end: sample.end, revision: includingRevision ? sample.context.revision?.record : nil,
            device: sample.context.device?.record, metadata: sample.context.metadata, body: body,
            members: members)
    }
}
