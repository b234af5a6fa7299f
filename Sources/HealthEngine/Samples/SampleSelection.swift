import Foundation
package import HealthModel

/// The result of a sample request: samples in columns, objects as records, and the order of both.
package struct SampleSelection: Sendable {
    /// Identifies one result. Indexes are of 32 bits, because there is one for each result.
    package enum Reference: Hashable, Sendable {
        /// A row of one of ``batches``.
        case sample(batch: Int32, row: Int32)
        /// One of ``objects``.
        case object(Int32)
    }

    /// Matching page samples, one or several batches for each type.
    package var batches: [SampleColumns]
    /// Matching objects with their members. `ObjectRecord.uuid` is always set.
    package var objects: [ObjectRecord]
    /// The results in the order requested.
    package var order: [Reference]
    /// The sources, devices and units that the numbers in the batches refer to.
    package var dictionaries: StoreDictionaries
    /// Derives the UUIDs of samples that were saved without one.
    package var identities: DerivedIdentities

    /// Creates a selection. Every reference must refer to a row or an object.
    package init(
        batches: [SampleColumns] = [], objects: [ObjectRecord] = [], order: [Reference] = [],
        dictionaries: StoreDictionaries, identities: DerivedIdentities
    ) {
        self.batches = batches
        self.objects = objects
        self.order = order
        self.dictionaries = dictionaries
        self.identities = identities
    }

    /// The number of results.
    package var count: Int { order.count }
}

extension SampleSelection {
    /// Removes the rows and objects that are not among the results because of a limit.
    mutating func releaseUnreferenced() {
        var rows = [[Int]](repeating: [], count: batches.count)
        var places: [Int] = []
        for reference in order {
            switch reference {
            case .sample(let batch, let row): rows[Int(batch)].append(Int(row))
            case .object(let index): places.append(Int(index))
            }
        }
        let moved = batches.indices.map { batch -> [Int32]? in
            guard rows[batch].count < batches[batch].count else { return nil }
            let retained = rows[batch].sorted()
            var smaller = SampleColumns(type: batches[batch].type)
            smaller.append(batches[batch], rows: retained)
            var targets = [Int32](repeating: -1, count: batches[batch].count)
            for (target, row) in retained.enumerated() { targets[row] = Int32(target) }
            batches[batch] = smaller
            return targets
        }
        let objectTargets = releaseObjects(except: places.sorted())
        for index in order.indices {
            switch order[index] {
            case .sample(let batch, let row):
                if let targets = moved[Int(batch)] { order[index] = .sample(batch: batch, row: targets[Int(row)]) }
            case .object(let place):
                order[index] = .object(objectTargets[Int(place)])
            }
        }
    }

    /// Keeps only some objects. Returns the new index of each.
    private mutating func releaseObjects(except retained: [Int]) -> [Int32] {
        var targets = [Int32](repeating: -1, count: objects.count)
        for (target, place) in retained.enumerated() { targets[place] = Int32(target) }
        objects = retained.map { objects[$0] }
        return targets
    }
}

extension SampleColumns {
    /// Returns one row as a record.
    package func record(
        at row: Int, dictionaries: StoreDictionaries, identities: DerivedIdentities
    ) -> SampleRecord {
        SampleRecord(
            uuid: uuid(at: row) ?? identities.uuid(for: sequences[row]), type: type, start: starts[row], end: ends[row],
            value: values[row], unit: dictionaries.unit(units.isEmpty ? 0 : units[row]),
            revision: dictionaries.revision(revisions[row]),
            device: dictionaries.device(devices.isEmpty ? 0 : devices[row]),
            metadata: metadata(at: row), creation: creation(at: row), sequence: sequences[row])
    }
}
