import Foundation
import HealthEngine
import HealthModel
import HealthStorage

/// Reads samples that are saved to a store while a live builder collects.
struct LiveCollection: Sendable {
    /// The sequence number read last, by type identifier.
    private var positions: [String: Int64] = [:]
    /// The store's sequence number when collection began.
    let beginning: Int64
    /// The sequence numbers of the samples found.
    private(set) var found: Set<Int64> = []

    init(beginning: Int64) {
        self.beginning = beginning
    }

    /// Returns the new samples of some types that start at or after an instant. Types that the application may
    /// not read have none.
    mutating func advance(
        _ parts: [QueryPart], _ reader: QueryReader, from start: Double
    ) -> StoredSamples {
        var new = StoredSamples()
        for part in parts {
            let after = positions[part.identifier] ?? beginning
            // A type that cannot be read yet is tried again after the next commit.
            guard let resolved = try? reader.resolve(part),
                let result = try? reader.engine.changes(
                    ChangesRequest(parts: [resolved], after: after), as: reader.caller)
            else { continue }
            positions[part.identifier] = result.sequence
            Self.append(result.added, of: part, from: start, to: &new)
        }
        found.formUnion(new.identities.map(\.sequence))
        return new
    }

    /// Merges another collection with the same beginning.
    mutating func merge(_ other: LiveCollection) {
        positions.merge(other.positions) { max($0, $1) }
        found.formUnion(other.found)
    }

    private static func append(
        _ selection: SampleSelection, of part: QueryPart, from start: Double, to new: inout StoredSamples
    ) {
        let samples = RecordDecoder.samples(selection)
        guard samples.count == selection.order.count else { return }
        for (sample, reference) in zip(samples, selection.order) {
            guard sample.start >= start, let sequence = selection.sequence(of: reference),
                part.residual?(sample) ?? true, case .sample(let record) = RecordEncoder.item(sample)
            else { continue }
            new.records.append(record)
            new.identities.append(StoredIdentity(type: record.type, sequence: sequence))
        }
    }
}

extension SampleSelection {
    /// Returns the sequence number of a quantity or category sample.
    fileprivate func sequence(of reference: Reference) -> Int64? {
        guard case .sample(let batch, let row) = reference else { return nil }
        return batches[Int(batch)].sequences[Int(row)]
    }
}
