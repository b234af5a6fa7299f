package import Foundation
package import HealthModel
package import HealthStorage

extension HealthEngine {
    /// Saves a series sample together with its quantities.
    ///
    /// Statistics count the quantities in place of the sample. A sample whose sync identifier is stored in the same or
    /// a newer version is ignored, and so are its quantities.
    ///
    /// - Throws: The errors of ``save(_:as:)``; ``EngineError/invalidArgument(_:)`` for quantities that are not ordered
    ///   by start or extend beyond the sample.
    package func save(_ sample: SampleRecord, series: QuantitySeries, as caller: Caller) throws {
        try validate([.sample(sample)])
        guard series.isConsistent, series.count > 0, series.starts[0] >= sample.start,
            series.ends.allSatisfy({ $0 <= sample.end })
        else {
            throw EngineError.invalidArgument("The quantities of a series must lie within their sample.")
        }
        try commit { transaction, pending in
            try checkShare(sample.type, as: caller, in: transaction)
            var plan = SavePlan(caller: caller, finder: finder(in: transaction))
            try plan.add(.sample(sample))
            let run = try write(plan, as: caller, in: transaction, pending: &pending)
            if !plan.entries.isEmpty, let place = run.identity(of: .planned(0), in: plan) {
                try QuantitySeriesTable.write(series, of: place, in: transaction)
            }
        }
    }

    /// Returns the quantities of series samples of one type by the samples' identities, without samples that have no
    /// series.
    ///
    /// - Throws: ``EngineError/authorizationNotDetermined(_:)`` if the caller never asked for the type; errors of
    ///   the storage.
    package func quantitySeries(
        of samples: [UUID], type: TypeCode, as caller: Caller
    ) throws -> [UUID: QuantitySeries] {
        try storage.read { snapshot in
            let scope = try checkRead(type, as: caller, in: snapshot)
            guard scope != .nothing else { return [:] }
            var readable: Set<Int64>?
            if case .picked = scope {
                let selection = try select(
                    SampleRequest(parts: [.init(type: type, filter: .uuid(Set(samples)))], columns: .sequences),
                    scope: [type: scope], caller: caller, in: snapshot)
                readable = Set(selection.batches.flatMap(\.sequences))
            }
            let finder = finder(in: snapshot)
            var found: [UUID: QuantitySeries] = [:]
            for uuid in samples {
                guard let identity = try finder.locate(uuid), identity.type == type,
                    readable?.contains(identity.sequence) ?? true
                else { continue }
                found[uuid] = try QuantitySeriesTable.read(of: identity, in: snapshot)
            }
            return found
        }
    }

    /// Returns the quantities of series samples by the samples' sequences, without samples that have no series.
    ///
    /// - Throws: Errors of the storage.
    package func quantitySeries(at places: [StoredIdentity]) throws -> [Int64: QuantitySeries] {
        guard !places.isEmpty else { return [:] }
        return try storage.read { snapshot in
            var found: [Int64: QuantitySeries] = [:]
            for place in places { found[place.sequence] = try QuantitySeriesTable.read(of: place, in: snapshot) }
            return found
        }
    }
}
