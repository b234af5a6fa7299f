import Foundation

/// One page of what a server says has changed: the answer of `GET …/changes`.
struct SyncChanges: Decodable, Sendable {
    /// A sample or object that was deleted.
    struct Deletion: Decodable, Sendable {
        var uuid: UUID
        var type: String
    }

    /// The additions, in the order of the store. One that this version can't read is left out, so that it blocks
    /// nothing else.
    var added: [ReceivedSample]
    /// The number of additions that can't be read.
    var unreadableCount: Int
    var deleted: [Deletion]
    /// Where the next page begins.
    var anchor: String
    var hasMore: Bool

    private enum CodingKeys: String, CodingKey {
        case added, deleted, anchor, hasMore
    }

    private struct Attempt: Decodable {
        var sample: ReceivedSample?

        init(from decoder: any Decoder) throws {
            sample = try? ReceivedSample(from: decoder)
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let attempts = try container.decode([Attempt].self, forKey: .added)
        added = attempts.compactMap(\.sample)
        unreadableCount = attempts.count - added.count
        deleted = try container.decode([Deletion].self, forKey: .deleted)
        anchor = try container.decode(String.self, forKey: .anchor)
        hasMore = try container.decode(Bool.self, forKey: .hasMore)
    }
}

/// A sample as a server or a seed has it: that of a batch, with its place in the store it comes from.
struct ReceivedSample: Decodable, Sendable {
    var sample: SyncSample
    /// The place in the changes of the store it comes from: what is changed later has a greater one.
    var sequence: Int
    /// Whether the store it comes from knows the value of a category. HealthKit ends a program that gives it another one.
    var isKnownValue: Bool
    /// The objects of a correlation.
    var objects: [ReceivedSample]

    private enum CodingKeys: String, CodingKey {
        case sequence, valueName, objects, fields
    }

    /// An object of a correlation, whose source is that of the correlation.
    private struct Member: Decodable {
        var uuid: UUID
        var type: String
        var startDate: SyncDate
        var endDate: SyncDate
        var quantity: Double?
        var unit: String?
        var value: Int?
        var valueName: String?
        var metadata: [String: SyncValue]?
    }

    init(from decoder: any Decoder) throws {
        sample = try SyncSample(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        sequence = try container.decode(Int.self, forKey: .sequence)
        // Versions are sums of sequences.
        guard (0..<1 << 53).contains(sequence) else {
            throw DecodingError.dataCorruptedError(
                forKey: .sequence, in: container, debugDescription: "A sequence must be from 0 to 2^53.")
        }
        // The name of the properties in answers of the API.
        if let fields = try container.decodeIfPresent([String: SyncValue].self, forKey: .fields) {
            sample.properties = fields
        }
        isKnownValue = container.contains(.valueName)
        objects = []
        for member in try container.decodeIfPresent([Member].self, forKey: .objects) ?? [] {
            objects.append(ReceivedSample(member, of: sample, sequence: sequence))
        }
    }

    private init(_ member: Member, of owner: SyncSample, sequence: Int) {
        sample = SyncSample(
            uuid: member.uuid, type: member.type, startDate: member.startDate, endDate: member.endDate,
            source: owner.source, bundleIdentifier: owner.bundleIdentifier)
        (sample.quantity, sample.unit, sample.value) = (member.quantity, member.unit, member.value)
        (sample.metadata, sample.deviceDetails) = (member.metadata, owner.deviceDetails)
        self.sequence = sequence
        isKnownValue = member.valueName != nil
        objects = []
    }
}
