import Foundation

extension ObjectFilter {
    /// The filter as an archive has it.
    var term: PredicateTerm {
        switch self {
        case .all: PredicateTerm("all")
        case .nothing: PredicateTerm("nothing")
        case .and(let filters): PredicateTerm("and", filters.map(\.term))
        case .or(let filters): PredicateTerm("or", filters.map(\.term))
        case .not(let inner): PredicateTerm("not", [inner.term])
        case .start(let comparison, let instant): PredicateTerm("start", [comparison.rawValue, instant])
        case .end(let comparison, let instant): PredicateTerm("end", [comparison.rawValue, instant])
        case .duration(let comparison, let seconds): PredicateTerm("duration", [comparison.rawValue, seconds])
        case .quantity(let comparison, let quantity): PredicateTerm("quantity", [comparison.rawValue, quantity])
        case .category(let comparison, let value): PredicateTerm("category", [comparison.rawValue, value])
        case .uuid(let identities): PredicateTerm("uuid", identities.map(\.uuidString).sorted())
        case .source(let sources): PredicateTerm("source", Array(sources))
        case .revision(let revisions): PredicateTerm("revision", revisions)
        case .device(let devices): PredicateTerm("device", Array(devices))
        case .deviceProperty(let property, let values):
            PredicateTerm("deviceProperty", [property.rawValue] + values.sorted())
        case .metadataPresent(let key): PredicateTerm("metadataPresent", [key])
        case .metadata(let key, let comparison, let value):
            PredicateTerm("metadata", [key, comparison.rawValue, value.term])
        case .metadataIn(let key, let values): PredicateTerm("metadataIn", [key as Any] + values.map(\.term))
        case .noCorrelation: PredicateTerm("noCorrelation")
        case .memberOf(let owner): PredicateTerm("memberOf", [owner.uuidString])
        case .effortRelated(let workout, let activity):
            PredicateTerm("effortRelated", [workout, activity].compactMap { $0?.uuidString })
        case .workoutActivityType(let comparison, let type):
            PredicateTerm("workoutActivityType", [comparison.rawValue, String(type)])
        case .workoutTotal(let total, let comparison, let quantity):
            PredicateTerm("workoutTotal", [total.rawValue, comparison.rawValue, quantity])
        case .workoutStatistic(let type, let statistic, let comparison, let quantity):
            PredicateTerm("workoutStatistic", [type, statistic.rawValue, comparison.rawValue, quantity])
        case .anyActivity(let inner): PredicateTerm("anyActivity", [inner.term])
        case .summaryDay(let comparison, let day): PredicateTerm("summaryDay", [comparison.rawValue, day])
        case .field(let name, let comparison, let value):
            PredicateTerm("field", [name, comparison.rawValue, value.term])
        case .fieldContains(let name, let value): PredicateTerm("fieldContains", [name, value.term])
        }
    }

    /// Reads a filter.
    ///
    /// - Throws: an error for a term that this version doesn't know.
    init(_ term: PredicateTerm) throws {
        let reader = TermReader(term: term)
        switch term.name {
        case "all": self = .all
        case "nothing": self = .nothing
        case "and": self = .and(try reader.rest(from: 0).map { try ObjectFilter($0) })
        case "or": self = .or(try reader.rest(from: 0).map { try ObjectFilter($0) })
        case "not": self = .not(try ObjectFilter(reader.object(0, PredicateTerm.self)))
        case "anyActivity": self = .anyActivity(try ObjectFilter(reader.object(0, PredicateTerm.self)))
        default: self = try Self.origin(reader) ?? Self.metadata(reader) ?? Self.sample(reader) ?? Self.workout(reader)
        }
    }

    private static func origin(_ reader: TermReader) throws -> ObjectFilter? {
        switch reader.term.name {
        case "uuid": .uuid(Set(try reader.term.arguments.indices.map(reader.uuid)))
        case "source": .source(Set(try reader.rest(from: 0, HKSource.self)))
        case "revision": .revision(try reader.rest(from: 0))
        case "device": .device(Set(try reader.rest(from: 0, HKDevice.self)))
        case "deviceProperty":
            .deviceProperty(try reader.named(0), Set(try reader.rest(from: 1, String.self)))
        case "noCorrelation": .noCorrelation
        case "memberOf": .memberOf(try reader.uuid(0))
        case "effortRelated":
            .effortRelated(
                workout: try reader.uuid(0), activity: reader.term.arguments.count > 1 ? try reader.uuid(1) : nil)
        default: nil
        }
    }

    private static func metadata(_ reader: TermReader) throws -> ObjectFilter? {
        switch reader.term.name {
        case "metadataPresent": .metadataPresent(try reader.text(0))
        case "metadata": .metadata(try reader.text(0), try reader.named(1), try PredicateValue(term: reader.object(2)))
        case "metadataIn":
            .metadataIn(try reader.text(0), try reader.rest(from: 1).map { try PredicateValue(term: $0) })
        case "field": .field(try reader.text(0), try reader.named(1), try PredicateValue(term: reader.object(2)))
        case "fieldContains": .fieldContains(try reader.text(0), try PredicateValue(term: reader.object(1)))
        default: nil
        }
    }

    private static func sample(_ reader: TermReader) throws -> ObjectFilter? {
        switch reader.term.name {
        case "start": .start(try reader.named(0), try reader.number(1))
        case "end": .end(try reader.named(0), try reader.number(1))
        case "duration": .duration(try reader.named(0), try reader.number(1))
        case "quantity": .quantity(try reader.named(0), try reader.object(1))
        case "category": .category(try reader.named(0), try reader.integer(1))
        case "summaryDay": .summaryDay(try reader.named(0), try reader.integer(1))
        default: nil
        }
    }

    private static func workout(_ reader: TermReader) throws -> ObjectFilter {
        switch reader.term.name {
        case "workoutActivityType":
            guard let type = UInt(try reader.text(1)) else { throw TermReader.Mismatch() }
            return .workoutActivityType(try reader.named(0), type)
        case "workoutTotal":
            return .workoutTotal(try reader.named(0), try reader.named(1), try reader.object(2))
        case "workoutStatistic":
            return .workoutStatistic(
                try reader.object(0), try reader.named(1), try reader.named(2), try reader.object(3))
        default: throw TermReader.Mismatch()
        }
    }
}

extension TermReader {
    /// A case of an enumeration by its name.
    fileprivate func named<Value: RawRepresentable<String>>(_ index: Int) throws -> Value {
        guard let value = Value(rawValue: try text(index)) else { throw Mismatch() }
        return value
    }
}
