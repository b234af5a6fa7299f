import Foundation
import HealthEngine
import HealthModel
import HealthStorage

/// Reads from one engine on behalf of one application: predicates in, objects out.
///
/// Both the callback and the async forms of a query end here.
struct QueryReader: Sendable {
    let engine: HealthEngine
    let caller: Caller
    /// Determines the days of activity summaries, and intervals without a calendar of their own.
    let calendar: Calendar

    /// Returns the samples of all parts, each once, in the given order; a limit of 0 returns all.
    ///
    /// - Throws: ``EngineError`` and storage errors.
    func samples(_ parts: [QueryPart], sort: [SampleSort] = [], limit: Int = 0) throws -> [HKSample] {
        let resolved = try parts.compactMap { try resolve($0) }
        guard !resolved.isEmpty else { return [] }
        let residuals = Self.residuals(parts)
        let request = SampleRequest(parts: resolved, sort: sort, limit: residuals.isEmpty ? max(0, limit) : 0)
        let selection = try engine.samples(request, as: caller)
        var samples = RecordDecoder.samples(selection)
        guard !residuals.isEmpty else { return samples }
        samples = Self.matching(samples, residuals)
        return limit > 0 ? Array(samples.prefix(limit)) : samples
    }

    /// Returns whether there is a matching sample.
    func hasSamples(_ part: QueryPart) throws -> Bool {
        guard part.residual == nil else { return try !samples([part]).isEmpty }
        guard let resolved = try resolve(part) else { return false }
        return try engine.extent(of: resolved.type, matching: resolved.filter, as: caller) != nil
    }

    /// Returns the object as the store holds it, for its inner series.
    ///
    /// - Throws: ``HKError/errorNoData`` if the object was never saved, was deleted, or may not be read.
    func stored<Sample: HKSample>(_ sample: Sample) throws -> Sample {
        let part = QueryPart(identifier: sample.sampleType.identifier, filter: .uuid([sample.uuid]))
        guard let found = try samples([part]).first as? Sample else {
            throw HKError.make(.errorNoData, "The object is not in the store.")
        }
        return found
    }

    /// Returns the sources of matching samples.
    func sources(_ part: QueryPart) throws -> Set<HKSource> {
        guard part.residual == nil else {
            return Set(try samples([part]).map { $0.sourceRevision.source })
        }
        guard let resolved = try resolve(part) else { return [] }
        let records = try engine.sources.list(of: resolved.type, matching: resolved.filter, as: caller)
        return Set(records.map { HKSource($0) })
    }

    // MARK: Filters

    /// Returns the part with the type's code in this store; `nil` if the store does not know the type.
    func resolve(_ part: QueryPart) throws -> SampleRequest.Part? {
        guard let code = try engine.code(of: part.identifier) else { return nil }
        return SampleRequest.Part(type: code, filter: part.filter)
    }

    /// Returns the residual predicates by type identifier.
    static func residuals(_ parts: [QueryPart]) -> [String: @Sendable (Any) -> Bool] {
        var residuals: [String: @Sendable (Any) -> Bool] = [:]
        for part in parts {
            residuals[part.identifier] = part.residual
        }
        return residuals
    }

    /// Returns the samples that match the residual predicates of their types.
    static func matching(
        _ samples: [HKSample], _ residuals: [String: @Sendable (Any) -> Bool]
    ) -> [HKSample] {
        guard !residuals.isEmpty else { return samples }
        return samples.filter { residuals[$0.sampleType.identifier]?($0) ?? true }
    }

    /// Returns a filter that the engine can evaluate alone, for reads that make no objects: what a residual
    /// predicate excludes is excluded by identity.
    func exactFilter(_ part: QueryPart) throws -> SampleFilter {
        guard part.residual != nil else { return part.filter }
        let identities = try samples([part]).map(\.uuid)
        return .and([part.filter, .uuid(Set(identities))])
    }
}

/// One type of a query with its predicate, translated for the engine.
struct QueryPart: Sendable {
    /// The type's identifier.
    let identifier: String
    var filter = SampleFilter.all
    /// The condition that the engine cannot evaluate, applied to objects after the filter; `nil` if there is nothing left.
    var residual: (@Sendable (Any) -> Bool)?
}

extension QueryPart {
    /// Translates a predicate.
    ///
    /// - Throws: an error if the predicate does not fit the type.
    init(type: HKObjectType, predicate: NSPredicate?) throws {
        let translated = try PredicateTranslation.translate(predicate, for: type)
        self.init(identifier: type.identifier, filter: translated.filter, residual: translated.residual)
    }

    /// A Boolean value that indicates whether every sample of the type matches.
    var isWholeType: Bool { filter == .all && residual == nil }

    /// Translates descriptors; those of one type become one part, so that each sample is tested once.
    static func parts(of descriptors: [HKQueryDescriptor]) throws -> [QueryPart] {
        var order: [String] = []
        var groups: [String: [QueryPart]] = [:]
        for descriptor in descriptors {
            let part = try QueryPart(type: descriptor.sampleType, predicate: descriptor.predicate)
            if groups[part.identifier] == nil {
                order.append(part.identifier)
            }
            groups[part.identifier, default: []].append(part)
        }
        return order.map { identifier in
            let group = groups[identifier] ?? []
            guard group.count > 1 else { return group[0] }
            guard group.contains(where: { $0.residual != nil }) else {
                return QueryPart(identifier: identifier, filter: .or(group.map(\.filter)))
            }
            // A sample may match the filter of one part and the residual of another, but none of them
            // completely, so the whole predicates are evaluated.
            let alternatives = descriptors.filter { $0.sampleType.identifier == identifier }
            return QueryPart(identifier: identifier, filter: .or(group.map(\.filter))) { sample in
                alternatives.contains { $0.predicate?.evaluate(with: sample) ?? true }
            }
        }
    }
}

extension HealthEngine {
    /// Returns the code of a type in this store; `nil` if neither the catalog nor the store knows the identifier.
    func code(of identifier: String) throws -> TypeCode? {
        if let known = TypeCatalog.description(for: identifier) { return known.code }
        return try dictionaries().type(identifier: identifier)?.code
    }
}
