extension SampleFilter: Codable {
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .all: try encoder.encode(case: "all")
        case .nothing: try encoder.encode(case: "nothing")
        case .and(let filters): try encoder.encode(case: "and", filters)
        case .or(let filters): try encoder.encode(case: "or", filters)
        case .not(let filter): try encoder.encode(case: "not", filter)
        case .start(let operation, let value): try encoder.encode(case: "start", operation, value)
        case .end(let operation, let value): try encoder.encode(case: "end", operation, value)
        case .duration(let operation, let value): try encoder.encode(case: "duration", operation, value)
        case .quantity(let operation, let value): try encoder.encode(case: "quantity", operation, value)
        case .category(let operation, let value): try encoder.encode(case: "category", operation, value)
        case .uuid(let values): try encoder.encode(case: "uuid", values)
        case .source(let values): try encoder.encode(case: "source", values)
        case .ownSource: try encoder.encode(case: "ownSource")
        case .revision(let patterns): try encoder.encode(case: "revision", patterns)
        case .device(let values): try encoder.encode(case: "device", values)
        case .deviceProperty(let property, let values): try encoder.encode(case: "deviceProperty", property, values)
        case .metadataPresent(let key): try encoder.encode(case: "metadataPresent", key)
        case .metadata(let key, let operation, let value): try encoder.encode(case: "metadata", key, operation, value)
        case .metadataIn(let key, let values): try encoder.encode(case: "metadataIn", key, values)
        case .noCorrelation: try encoder.encode(case: "noCorrelation")
        case .memberOf(let owner): try encoder.encode(case: "memberOf", owner)
        case .effortRelated(let workout, let activity): try encoder.encode(case: "effortRelated", workout, activity)
        case .workoutActivityType(let operation, let value):
            try encoder.encode(case: "workoutActivityType", operation, value)
        case .workoutTotal(let total, let operation, let value):
            try encoder.encode(case: "workoutTotal", total, operation, value)
        case .workoutStatistic(let type, let statistic, let operation, let value):
            try encoder.encode(case: "workoutStatistic", type, statistic, operation, value)
        case .anyActivity(let filter): try encoder.encode(case: "anyActivity", filter)
        case .summaryDay(let operation, let day): try encoder.encode(case: "summaryDay", operation, day)
        case .field(let name, let operation, let value): try encoder.encode(case: "field", name, operation, value)
        case .fieldContains(let name, let value): try encoder.encode(case: "fieldContains", name, value)
        }
    }

    package init(from decoder: any Decoder) throws {
        var values = try decoder.decodeCase()
        switch values.name {
        case "all": self = .all
        case "nothing": self = .nothing
        case "and": self = .and(try values.next())
        case "or": self = .or(try values.next())
        case "not": self = .not(try values.next())
        case "start": self = .start(try values.next(), try values.next())
        case "end": self = .end(try values.next(), try values.next())
        case "duration": self = .duration(try values.next(), try values.next())
        case "quantity": self = .quantity(try values.next(), try values.next())
        case "category": self = .category(try values.next(), try values.next())
        case "uuid": self = .uuid(try values.next())
        case "source": self = .source(try values.next())
        case "ownSource": self = .ownSource
        case "revision": self = .revision(try values.next())
        case "device": self = .device(try values.next())
        case "deviceProperty": self = .deviceProperty(try values.next(), try values.next())
        case "metadataPresent": self = .metadataPresent(try values.next())
        case "metadata": self = .metadata(try values.next(), try values.next(), try values.next())
        case "metadataIn": self = .metadataIn(try values.next(), try values.next())
        case "noCorrelation": self = .noCorrelation
        case "memberOf": self = .memberOf(try values.next())
        case "effortRelated": self = .effortRelated(workout: try values.next(), activity: try values.next())
        case "workoutActivityType": self = .workoutActivityType(try values.next(), try values.next())
        case "workoutTotal": self = .workoutTotal(try values.next(), try values.next(), try values.next())
        case "workoutStatistic":
            self = .workoutStatistic(
                type: try values.next(), try values.next(), try values.next(), try values.next())
        case "anyActivity": self = .anyActivity(try values.next())
        case "summaryDay": self = .summaryDay(try values.next(), try values.next())
        case "field": self = .field(try values.next(), try values.next(), try values.next())
        case "fieldContains": self = .fieldContains(try values.next(), try values.next())
        default: throw values.unknown
        }
    }
}

extension RevisionPattern.Match: Codable {
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .any: try encoder.encode(case: "any")
        case .exactly(let value): try encoder.encode(case: "exactly", value)
        }
    }

    package init(from decoder: any Decoder) throws {
        var values = try decoder.decodeCase()
        switch values.name {
        case "any": self = .any
        case "exactly": self = .exactly(try values.next())
        default: throw values.unknown
        }
    }
}
