import Foundation
import HealthEngine
import HealthModel

/// One type of a query with its predicate as the engine takes it.
struct QueryPart: Sendable {
    /// The type's identifier.
    let identifier: String
    let filter: SampleFilter
    /// What the engine cannot see, asked of objects after the filter; `nil` for nothing.
    let residual: (@Sendable (Any) -> Bool)?

    init(
        identifier: String, filter: SampleFilter,
        residual: (@Sendable (Any) -> Bool)? = nil
    ) {
        self.identifier = identifier
        self.filter = filter
        self.residual = residual
    }

    /// Translates a predicate.
    ///
    /// - Throws: when the predicate does not fit the type.
    init(type: HKObjectType, predicate: NSPredicate?) throws {
        let translated = try PredicateTranslation.translate(predicate, for: type)
        self.init(
            identifier: type.identifier, filter: translated.filter, residual: translated.residual)
    }

    /// Whether every sample of the type is wanted.
    var isWholeType: Bool { filter == .all && residual == nil }

    /// The part with the type's number in this store, or `nil` for a type the store has never met.
    func resolved(in engine: HealthEngine) throws -> SampleRequest.Part? {
        guard let code = try engine.code(of: identifier) else { return nil }
        return SampleRequest.Part(type: code, filter: filter)
    }

    /// Translates descriptors; those of one type become one part, so that a sample is asked one question.
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
            // A sample that one part takes as it is and another only after a look must pass the first
            // without the look, so the whole predicates are asked.
            let alternatives = descriptors.filter { $0.sampleType.identifier == identifier }
            return QueryPart(identifier: identifier, filter: .or(group.map(\.filter))) { sample in
                alternatives.contains { $0.predicate?.evaluate(with: sample) ?? true }
            }
        }
    }
}
