import Foundation
import HealthEngine
import HealthModel
import HealthStorage

/// Answers queries from one engine on behalf of one application: parts and filters down, objects up.
/// Both the callback and the async forms of a query end here.
struct QueryReader: Sendable {
    let engine: HealthEngine
    let caller: Caller
    /// Cuts days for activity summaries, and intervals that name no calendar of their own.
    let calendar: Calendar

    /// Samples of all parts, each once, in the order asked for; 0 is no limit.
    ///
    /// - Throws: ``EngineError`` and storage trouble.
    func samples(_ parts: [QueryPart], sort: [SampleSort] = [], limit: Int = 0) throws -> [HKSample] {
        let resolved = try parts.compactMap { try $0.resolved(in: engine) }
        guard !resolved.isEmpty else { return [] }
        let asks = Self.residuals(parts)
        let request = SampleRequest(parts: resolved, sort: sort, limit: asks.isEmpty ? max(0, limit) : 0)
        let selection = try engine.samples(request, as: caller)
        var samples = RecordDecoder.samples(selection)
        guard !asks.isEmpty else { return samples }
        samples = Self.passing(samples, asks)
        return limit > 0 ? Array(samples.prefix(limit)) : samples
    }

    /// Whether there is any sample.
    func hasSamples(_ part: QueryPart) throws -> Bool {
        guard part.residual == nil else { return try !samples([part]).isEmpty }
        guard let resolved = try part.resolved(in: engine) else { return false }
        return try engine.extent(of: resolved.type, matching: resolved.filter, as: caller) != nil
    }

    /// Sources that own matching samples.
    func sources(_ part: QueryPart) throws -> Set<HKSource> {
        guard part.residual == nil else {
            return Set(try samples([part]).map { $0.sourceRevision.source })
        }
        guard let resolved = try part.resolved(in: engine) else { return [] }
        let records = try engine.sources(of: resolved.type, matching: resolved.filter, as: caller)
        return Set(records.map { HKSource($0) })
    }

    // MARK: What the engine cannot see

    /// The blocks to ask, by type identifier.
    static func residuals(_ parts: [QueryPart]) -> [String: @Sendable (Any) -> Bool] {
        var asks: [String: @Sendable (Any) -> Bool] = [:]
        for part in parts {
            asks[part.identifier] = part.residual
        }
        return asks
    }

    static func passing(
        _ samples: [HKSample], _ asks: [String: @Sendable (Any) -> Bool]
    ) -> [HKSample] {
        samples.filter { asks[$0.sampleType.identifier]?($0) ?? true }
    }

    /// The part's filter with what a block refuses left out by identity, for readings that make no
    /// objects.
    func exactFilter(_ part: QueryPart) throws -> SampleFilter {
        guard part.residual != nil else { return part.filter }
        let identities = try samples([part]).map(\.uuid)
        return .and([part.filter, .uuid(Set(identities))])
    }
}
