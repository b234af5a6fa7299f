import Foundation
import HealthModel
import HealthStorage

/// Compiles filters for one type in one snapshot.
struct FilterCompiler {
    let type: TypeCode
    let kind: TypeKind
    let dictionaries: StoreDictionaries
    let identities: DerivedIdentities
    let snapshot: any StorageSnapshot

    init(
        type: TypeCode, dictionaries: StoreDictionaries, identities: DerivedIdentities,
        snapshot: any StorageSnapshot
    ) {
        self.type = type
        self.kind = dictionaries.type(type)?.kind ?? .document
        self.dictionaries = dictionaries
        self.identities = identities
        self.snapshot = snapshot
    }

    /// Compiles a filter, limited to what the caller may read.
    func compile(_ filter: SampleFilter, scope: ReadScope, caller: Caller) throws -> CompiledFilter {
        switch scope {
        case .everything: try compile(filter, caller)
        case .ownOnly: .conjunction([own(caller), try compile(filter, caller)])
        case .picked(let picked, withOwn: true):
            .conjunction([.disjunction([own(caller), try compile(picked, caller)]), try compile(filter, caller)])
        case .picked(let picked, withOwn: false):
            .conjunction([try compile(picked, caller), try compile(filter, caller)])
        case .nothing: .always(false)
        }
    }

    private func own(_ caller: Caller) -> CompiledFilter {
        revisions { $0.source.bundleIdentifier == caller.bundleIdentifier }
    }

    private func compile(_ filter: SampleFilter, _ caller: Caller) throws -> CompiledFilter {
        switch filter {
        case .all: return .always(true)
        case .nothing: return .always(false)
        case .and(let parts): return .conjunction(try parts.map { try compile($0, caller) })
        case .or(let parts): return .disjunction(try parts.map { try compile($0, caller) })
        case .not(let part): return .negation(try compile(part, caller))
        case .start(let comparison, let bound): return .start(comparison, bound)
        case .end(let comparison, let bound): return .end(comparison, bound)
        case .duration(let comparison, let bound): return .duration(comparison, bound)
        case .quantity(let comparison, let bound):
            guard kind == .quantity else { return .always(false) }
            return .quantity(QuantityCondition(comparison, bound, units: dictionaries.units))
        case .category(let comparison, let value):
            return kind == .category ? .category(comparison, Double(value)) : .always(false)
        case .uuid(let expected): return try identity(expected)
        case .source(let expected): return revisions { expected.contains($0.source.bundleIdentifier) }
        case .ownSource: return own(caller)
        case .revision(let patterns):
            return revisions { revision in patterns.contains { $0.matches(revision) } }
        case .device(let expected):
            return devices { $0.map(expected.contains) ?? false }
        case .deviceProperty(let property, let values):
            return devices { device in
                let value = property.value(of: device)
                return values.isEmpty ? value == nil : value.map(values.contains) ?? false
            }
        case .noCorrelation: return try .negation(.sequence(SequenceSet(plain: correlated())))
        case .memberOf(let owner): return .sequence(SequenceSet(plain: try members(of: owner)))
        case .effortRelated(let workout, let activity):
            return .sequence(SequenceSet(plain: try related(to: workout, activity)))
        case .metadataPresent, .metadata, .metadataIn:
            return MetadataCondition(filter).map { .metadata($0) } ?? .always(false)
        case .workoutActivityType, .workoutTotal, .workoutStatistic, .anyActivity, .summaryDay, .field, .fieldContains:
            guard !kind.isPaged,
                let condition = ObjectCondition(filter, identifier: { dictionaries.type($0)?.identifier })
            else { return .always(false) }
            return .object(condition)
        }
    }

    private func revisions(_ isIncluded: (SourceRevisionRecord) -> Bool) -> CompiledFilter {
        .revision(NumberSet(upTo: dictionaries.revisions.count) { dictionaries.revision($0).map(isIncluded) ?? false })
    }

    private func devices(_ isIncluded: (DeviceRecord?) -> Bool) -> CompiledFilter {
        .device(NumberSet(upTo: dictionaries.devices.count) { isIncluded(dictionaries.device($0)) })
    }

    private func identity(_ expected: Set<UUID>) throws -> CompiledFilter {
        var plain: [Int64] = []
        var derived: [Int64] = []
        if expected.count > 1 { try snapshot.prefetchIdentities(of: Array(expected)) }
        for uuid in expected {
            if let found = try snapshot.locate(uuid) {
                if found.type == type { plain.append(found.sequence) }
            } else if let sequence = identities.sequence(of: uuid) {
                derived.append(sequence)
            }
        }
        return plain.isEmpty && derived.isEmpty
            ? .always(false) : .sequence(SequenceSet(plain: plain.sorted(), derived: derived.sorted()))
    }

    /// Returns the members of this type of any correlation, ascending.
    private func correlated() throws -> [Int64] {
        let owners = try snapshot.typesInUse().filter { dictionaries.type($0)?.kind == .correlation }
        let lists = try owners.map { try snapshot.linkedMembers(of: type, ownerType: $0) }
        return lists.count == 1 ? lists[0] : lists.joined().sorted()
    }

    /// Returns the samples or workouts of this type that are in effort relations of a workout, ascending.
    private func related(to workout: UUID, _ activity: UUID?) throws -> [Int64] {
        let finder = PageFinder(snapshot: snapshot, identities: identities)
        let relations = try EffortRelation.all(in: snapshot, dictionaries).filter {
            $0.workout == workout && (activity == nil || $0.activity == activity) && !$0.samples.isEmpty
        }
        let named = relations.flatMap(\.samples) + (relations.isEmpty ? [] : [workout])
        try snapshot.prefetchIdentities(of: named)
        let found = try named.compactMap { try finder.locate($0) }
        return Set(found.filter { $0.type == type }.map(\.sequence)).sorted()
    }

    private func members(of owner: UUID) throws -> [Int64] {
        guard let sequence = try snapshot.locate(owner)?.sequence ?? identities.sequence(of: owner) else {
            return []
        }
        return try snapshot.links(ofOwner: sequence).filter { $0.memberType == type }.map(\.member)
    }
}
