import Foundation
import HealthModel

extension PredicateNode: Codable {
    func encode(to encoder: any Encoder) throws {
        switch self {
        case .constant(let value): try encoder.encode(case: "constant", value)
        case .and(let nodes): try encoder.encode(case: "and", nodes)
        case .or(let nodes): try encoder.encode(case: "or", nodes)
        case .not(let node): try encoder.encode(case: "not", node)
        case .filter(let filter, let printed): try encoder.encode(case: "filter", filter, printed)
        case .comparison(let comparison): try encoder.encode(case: "comparison", comparison)
        }
    }

    init(from decoder: any Decoder) throws {
        var values = try decoder.decodeCase()
        switch values.name {
        case "constant": self = .constant(try values.next())
        case "and": self = .and(try values.next())
        case "or": self = .or(try values.next())
        case "not": self = .not(try values.next())
        case "filter": self = .filter(try values.next(), printed: try values.next())
        case "comparison": self = .comparison(try values.next())
        default: throw values.unknown
        }
    }
}

extension PredicateOperand: Codable {
    func encode(to encoder: any Encoder) throws {
        switch self {
        case .keyPath(let parts): try encoder.encode(case: "keyPath", parts)
        case .object: try encoder.encode(case: "object")
        case .value(let value): try encoder.encode(case: "value", value)
        }
    }

    init(from decoder: any Decoder) throws {
        var values = try decoder.decodeCase()
        switch values.name {
        case "keyPath": self = .keyPath(try values.next())
        case "object": self = .object
        case "value": self = .value(try values.next())
        default: throw values.unknown
        }
    }
}

extension PredicateValue: Codable {
    func encode(to encoder: any Encoder) throws {
        switch self {
        case .null: try encoder.encode(case: "null")
        case .bool(let value): try encoder.encode(case: "bool", value)
        case .number(let value): try encoder.encode(case: "number", value)
        case .string(let value): try encoder.encode(case: "string", value)
        case .date(let value): try encoder.encode(case: "date", value)
        case .uuid(let value): try encoder.encode(case: "uuid", value)
        case .quantity(let value): try encoder.encode(case: "quantity", value)
        case .source(let value): try encoder.encode(case: "source", value)
        case .ownSource: try encoder.encode(case: "ownSource")
        case .sourceRevision(let value): try encoder.encode(case: "sourceRevision", value)
        case .device(let value): try encoder.encode(case: "device", value)
        case .object(let value): try encoder.encode(case: "object", value)
        case .day(let value): try encoder.encode(case: "day", value)
        case .list(let values): try encoder.encode(case: "list", values)
        }
    }

    init(from decoder: any Decoder) throws {
        var values = try decoder.decodeCase()
        switch values.name {
        case "null": self = .null
        case "bool": self = .bool(try values.next())
        case "number": self = .number(try values.next())
        case "string": self = .string(try values.next())
        case "date": self = .date(try values.next())
        case "uuid": self = .uuid(try values.next())
        case "quantity": self = .quantity(try values.next())
        case "source": self = .source(try values.next())
        case "ownSource": self = .ownSource
        case "sourceRevision": self = .sourceRevision(try values.next())
        case "device": self = .device(try values.next())
        case "object": self = .object(try values.next())
        case "day": self = .day(try values.next())
        case "list": self = .list(try values.next())
        default: throw values.unknown
        }
    }
}
