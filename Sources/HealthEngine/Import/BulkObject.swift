import HealthModel
import HealthStorage

/// An object of a batch in the store's numbers.
struct BulkObject {
    /// A sample that belongs to the object, in the store's numbers.
    struct Member {
        var record: SampleRecord
        var type: TypeCode
        var unit: UInt32
        var revision: UInt32
        var device: UInt32
    }

    /// What makes two members the same; source and device by class.
    struct MemberKey: Hashable {
        var type: TypeCode
        var start: Double
        var end: Double
        var value: UInt64
        var unit: UInt32
        var revision: UInt32
        var device: UInt32
    }

    var record: ObjectRecord
    var type: TypeCode
    var isCorrelation: Bool
    var revision: UInt32
    var device: UInt32
    var payload: [UInt8]
    var members: [Member] = []
    /// The object it belongs to, by its index in the batch.
    var owner: Int?
    /// Where it is in the store, as soon as that is known.
    var sequence: Int64?
    /// Whether it needs no more writing.
    var isDone = false

    /// The day of an activity summary, as year · 10000 + month · 100 + day.
    var summaryDay: Int? {
        Self.summaryDay(of: record.body)
    }

    static func summaryDay(of body: ObjectBody) -> Int? {
        guard case .activitySummary(let summary) = body else { return nil }
        return summary.dayNumber
    }

    func stored(sequence: Int64) -> StoredObject {
        StoredObject(
            sequence: sequence, uuid: record.uuid, type: type, start: record.start, end: record.end,
            revision: revision, device: device, payload: payload)
    }

    /// How often each member occurs.
    func memberCounts(_ classes: ContentClasses) -> [MemberKey: Int] {
        var counts: [MemberKey: Int] = [:]
        for member in members {
            let key = MemberKey(
                type: member.type, start: member.record.start, end: member.record.end,
                value: member.record.value.bitPattern, unit: member.unit,
                revision: classes.revisionClass(member.revision),
                device: classes.deviceClass(member.device))
            counts[key, default: 0] += 1
        }
        return counts
    }
}
