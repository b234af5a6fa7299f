import Foundation
import HealthEngine
import HealthModel

/// Objects → records: what the engine saves. The way back is ``RecordDecoder``.
enum RecordEncoder {
    /// What to save for `objects`, in their order. Source revisions are left out: the engine gives
    /// every saved object the caller's.
    ///
    /// - Throws: `EngineError.invalidArgument` for an object that no store takes.
    static func items(_ objects: [HKObject]) throws(EngineError) -> [SaveItem] {
        var items: [SaveItem] = []
        items.reserveCapacity(objects.count)
        for object in objects {
            switch item(object) {
            case .sample(var record):
                record.revision = nil
                items.append(.sample(record))
            case .object(var record):
                record.revision = nil
                for index in record.members.indices { record.members[index].revision = nil }
                items.append(.object(record))
            case nil:
                throw .invalidArgument("Objects of class \(Swift.type(of: object)) cannot be saved.")
            }
        }
        return items
    }

    /// The record of one object, its source revision included; `nil` for a class that has none.
    static func item(_ object: HKObject) -> SaveItem? {
        switch object {
        case let sample as HKQuantitySample: .sample(SampleRecord(sample))
        case let sample as HKCategorySample: .sample(SampleRecord(sample))
        case let correlation as HKCorrelation: .object(ObjectRecord(correlation))
        case let workout as HKWorkout: .object(ObjectRecord(workout))
        case let sample as HKCDADocumentSample: .object(ObjectRecord(sample, body: .document(sample.stored)))
        case let sample as any DocumentBacked: .object(ObjectRecord(sample, body: .document(sample.document)))
        case let sample as HKSample: .object(ObjectRecord(sample, body: .none))
        default: nil
        }
    }

    /// The quantity and category samples among `samples`, in an order that does not depend on the set's.
    static func members(_ samples: Set<HKSample>) -> [SampleRecord] {
        var records: [SampleRecord] = []
        records.reserveCapacity(samples.count)
        for sample in samples {
            if case .sample(let record) = item(sample) { records.append(record) }
        }
        return records.sorted {
            ($0.start, $0.type.rawValue, $0.uuid?.uuidString ?? "")
                < ($1.start, $1.type.rawValue, $1.uuid?.uuidString ?? "")
        }
    }
}
