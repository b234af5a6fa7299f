import Foundation
import HealthEngine
import HealthModel
import HealthStorage

/// Reads what came into a store for a live builder.
struct LiveCollection: Sendable {
    /// How far each type has been read, by identifier.
    private var positions: [String: Int64] = [:]
    /// Where collection began in the store's sequence.
    let beginning: Int64
    /// Sequences of the samples it found.
    private(set) var found: Set<Int64> = []

    init(beginning: Int64) {
        self.beginning = beginning
    }

    /// One sample that is stored.
    struct Found {
        var sample: SampleRecord
        var place: StoredIdentity
    }

    /// What is new of some types, from an instant on. Types the application may not read bring nothing.
    mutating func advance(
        _ parts: [QueryPart], in engine: HealthEngine, as caller: Caller, from start: Double
    ) -> [Found] {
        var new: [Found] = []
        for part in parts {
            let after = positions[part.identifier] ?? beginning
            // A type that cannot be read now, or was never asked for, is tried again after the next commit.
            guard let resolved = try? part.resolved(in: engine),
                let result = try? engine.changes(
                    ChangesRequest(parts: [resolved], after: after), as: caller)
            else { continue }
            positions[part.identifier] = result.sequence
            new += Self.samples(result.added, part).filter { $0.sample.start >= start }
        }
        found.formUnion(new.map(\.place.sequence))
        return new
    }

    /// Takes over what another reading found, which began where this one did.
    mutating func merge(_ other: LiveCollection) {
        positions.merge(other.positions) { max($0, $1) }
        found.formUnion(other.found)
    }

    private static func samples(_ selection: SampleSelection, _ part: QueryPart) -> [Found] {
        let samples = RecordDecoder.samples(selection)
        guard samples.count == selection.order.count else { return [] }
        return zip(samples, selection.order).compactMap { sample, reference in
            guard reference.batch >= 0, part.residual?(sample) ?? true,
                case .sample(let record) = RecordEncoder.item(sample)
            else { return nil }
            let sequence = selection.batches[Int(reference.batch)].sequences[Int(reference.row)]
            return Found(sample: record, place: StoredIdentity(type: record.type, sequence: sequence))
        }
    }
}
