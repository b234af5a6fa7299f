import HealthEngine
import HealthModel

extension RandomWorld {
    mutating func comparison() -> ComparisonOperator {
        pick([.lessThan, .lessThanOrEqual, .equal, .notEqual, .greaterThanOrEqual, .greaterThan])
    }

    /// A filter; `items` lend instants, values and identities that occur.
    mutating func filter(over items: [ReferenceItem], depth: Int = 2) -> SampleFilter {
        if depth > 0, oneIn(2) {
            let parts = (0..<int(0...3)).map { _ in filter(over: items, depth: depth - 1) }
            return pick([.and(parts), .or(parts), .not(filter(over: items, depth: depth - 1))])
        }
        let known = items.isEmpty ? nil : pick(items)
        let time = oneIn(2) ? instant() : known?.start ?? 0
        switch int(0...19) {
        case 0...2: return .all
        case 3...5: return .start(comparison(), time)
        case 6...8: return .end(comparison(), oneIn(2) ? time : known?.end ?? 0)
        case 9: return .duration(comparison(), duration())
        case 10:
            let (value, unit) = quantity(of: pick(Self.quantityTypes))
            return .quantity(comparison(), QuantityRecord(value, unit: unit))
        case 11: return .category(comparison(), int(0...5))
        case 12:
            return .uuid(Set((0..<int(1...4)).compactMap { _ in items.isEmpty ? nil : pick(items).uuid }))
        case 13: return .source([pick(Self.callers).bundleIdentifier])
        case 14:
            return .revision([
                RevisionPattern(
                    bundleIdentifier: pick(Self.callers).bundleIdentifier,
                    version: pick([.any, .exactly("1.0"), .exactly("2")]))
            ])
        case 15: return .deviceProperty(.name, pick([[], ["Scale"], ["Band", "Scale"]]))
        case 16:
            return pick([
                .metadata(MetadataKey.wasUserEntered, comparison(), .bool(true)), .metadataPresent("mood"),
                .metadata("mood", comparison(), .string("bad")), .metadata("round", comparison(), .integer(2)),
                .metadataIn("mood", [.string("good"), .integer(1)]),
            ])
        case 17: return .noCorrelation
        case 18:
            let owners = items.filter(\.isObject)
            return owners.isEmpty ? .nothing : pick(owners).uuid.map { .memberOf($0) } ?? .nothing
        default:
            return pick([
                .workoutActivityType(comparison(), 37),
                .workoutTotal(.distance, comparison(), QuantityRecord(1, unit: "km")),
            ])
        }
    }

    mutating func parts(over items: [ReferenceItem]) -> [SampleRequest.Part] {
        (0..<int(1...3)).map { _ in
            let type = pick(Self.allTypes)
            return SampleRequest.Part(type: type, filter: filter(over: items.filter { $0.type == type || oneIn(4) }))
        }
    }

    mutating func sort() -> [SampleSort] {
        (0..<pick([0, 1, 1, 1, 2])).map { _ in
            SampleSort(
                pick([.start, .start, .end, .end, .sequence, .duration, .value, .workoutTotal(.distance)]),
                ascending: oneIn(2))
        }
    }

    mutating func statistics(over items: [ReferenceItem]) -> StatisticsRequest {
        let type = pick(Self.quantityTypes)
        let isCumulative = type == Names.steps || type == Names.energy
        var options: StatisticsOptions = []
        for option in isCumulative
            ? [.cumulativeSum, .cumulativeSum, .mostRecent, .duration, .separateBySource]
            : [.discreteAverage, .discreteMin, .discreteMax, .mostRecent, .duration, .separateBySource]
                as [StatisticsOptions] where oneIn(2)
        {
            options.formUnion(option)
        }
        let own = items.filter { $0.type == type }
        return StatisticsRequest(
            type: type, filter: oneIn(2) ? .all : filter(over: own), options: options, buckets: buckets())
    }
}
