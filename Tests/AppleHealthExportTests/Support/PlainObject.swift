import HealthModel

@testable import AppleHealthExport

/// An object with its nouns spelled out and without its place in a store, for comparing.
struct PlainObject: Hashable, CustomStringConvertible {
    var type: String
    var start: Double
    var end: Double
    var revision: SourceRevisionRecord?
    var device: DeviceRecord?
    var metadata: Metadata
    var creation: Double?
    var body: ObjectBody
    /// In no particular order: an archive has one of its own.
    var members: [PlainSample: Int]

    init(_ object: ObjectRecord, _ dictionaries: StoreDictionaries) {
        func name(_ type: TypeCode) -> String { dictionaries.type(type)?.identifier ?? "unknown" }
        type = name(object.type)
        start = object.start
        end = object.end
        revision = object.revision
        device = object.device
        metadata = object.metadata
        creation = object.creation
        body = object.body
        members = [:]
        for member in object.members {
            let plain = PlainSample(
                type: name(member.type), start: member.start, end: member.end, value: member.value,
                unit: member.unit, revision: member.revision, device: member.device, metadata: member.metadata,
                creation: member.creation)
            members[plain, default: 0] += 1
        }
    }

    var description: String {
        "\(type) \(start)–\(end) by \(revision?.source.name ?? "nobody") \(metadata.entries.map { "\($0.key)=\($0.value)" }) \(body) \(members.keys)"
    }
}
