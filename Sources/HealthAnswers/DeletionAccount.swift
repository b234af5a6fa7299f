package import Foundation
package import HealthEngine
package import HealthModel

/// The account of a deletion: samples by type and source. Members of correlations, such as the values of a blood pressure,
/// are deleted with them.
package struct DeletionAccount {
    /// Numbers by type and source, the largest first.
    package private(set) var counts: [(type: TypeDescription, source: String, count: Int)] = []
    /// The identities of all of them.
    package private(set) var uuids: [UUID] = []

    /// The number of samples.
    package var total: Int { uuids.count }

    private struct Key: Hashable {
        var type: TypeCode
        var source: String
    }

    /// Counts what the parts of a request select.
    package init(_ parts: [SampleRequest.Part], in engine: HealthEngine, as caller: Caller) throws {
        let selection = try engine.samples(
            SampleRequest(parts: parts, columns: [.sequences, .uuids, .revisions]), as: caller)
        let dictionaries = selection.dictionaries
        var numbers: [Key: Int] = [:]
        var seen: Set<UUID> = []
        func add(_ uuid: UUID?, _ sequence: Int64, _ type: TypeCode, _ revision: SourceRevisionRecord?) {
            guard seen.insert(uuid ?? selection.identities.uuid(for: sequence)).inserted else { return }
            numbers[Key(type: type, source: revision?.source.name ?? ""), default: 0] += 1
        }
        for batch in selection.batches {
            for row in 0..<batch.count {
                add(
                    batch.uuid(at: row), batch.sequences[row], batch.type, dictionaries.revision(batch.revisions[row]))
            }
        }
        for object in selection.objects {
            add(object.uuid, object.sequence, object.type, object.revision)
            guard dictionaries.type(object.type)?.kind == .correlation else { continue }
            for member in object.members { add(member.uuid, member.sequence, member.type, member.revision) }
        }
        uuids = Array(seen)
        counts = numbers.compactMap { key, count -> (type: TypeDescription, source: String, count: Int)? in
            dictionaries.type(key.type).map { ($0, key.source, count) }
        }.sorted { ($1.count, $0.type.identifier, $0.source) < ($0.count, $1.type.identifier, $1.source) }
    }
}
