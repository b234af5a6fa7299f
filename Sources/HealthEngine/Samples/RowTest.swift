import HealthModel

/// A filter made ready for one type of one store: nouns are numbers, identities are sequences, units
/// are conversions. It is evaluated three times over, each a refinement of the one before: on page
/// headers (`reduced(by:)`), on columns (`marks(of:)`) and on object rows (`matches(_:)`).
indirect enum RowTest: Sendable {
    case always(Bool)
    case every([RowTest])
    case any([RowTest])
    case not(RowTest)

    case start(ComparisonOperator, Double)
    case end(ComparisonOperator, Double)
    /// End minus start; of a workout, its duration without pauses.
    case duration(ComparisonOperator, Double)
    case quantity(QuantityTest)
    case category(ComparisonOperator, Double)
    case revision(NumberSet)
    case device(NumberSet)
    case sequence(SequenceSet)
    case metadata(MetadataTest)
    /// What only objects have.
    case object(ObjectTest)

    /// The columns a page must decode to be tested.
    var columns: SampleColumnSet {
        switch self {
        case .always, .object: []
        case .every(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.columns) }
        case .not(let part): part.columns
        case .start: .starts
        case .end: .ends
        case .duration: [.starts, .ends]
        case .quantity: [.values, .units]
        case .category: .values
        case .revision: .revisions
        case .device: .devices
        case .sequence(let set): set.derived.isEmpty ? .sequences : [.sequences, .uuids]
        case .metadata: .metadata
        }
    }

    /// All of these, with the trivial ones taken out.
    static func conjunction(_ parts: [RowTest]) -> RowTest {
        var kept: [RowTest] = []
        for part in parts {
            switch part {
            case .always(true): continue
            case .always(false): return .always(false)
            case .every(let inner): kept += inner
            default: kept.append(part)
            }
        }
        return kept.count == 1 ? kept[0] : kept.isEmpty ? .always(true) : .every(kept)
    }

    /// At least one of these, with the trivial ones taken out.
    static func disjunction(_ parts: [RowTest]) -> RowTest {
        var kept: [RowTest] = []
        for part in parts {
            switch part {
            case .always(false): continue
            case .always(true): return .always(true)
            case .any(let inner): kept += inner
            default: kept.append(part)
            }
        }
        return kept.count == 1 ? kept[0] : kept.isEmpty ? .always(false) : .any(kept)
    }

    /// The opposite. Comparisons of instants turn around, so that windows can be read off them.
    static func negation(_ part: RowTest) -> RowTest {
        switch part {
        case .always(let answer): .always(!answer)
        case .not(let inner): inner
        case .start(let comparison, let bound) where !bound.isNaN: .start(comparison.opposite, bound)
        case .end(let comparison, let bound) where !bound.isNaN: .end(comparison.opposite, bound)
        default: .not(part)
        }
    }
}
