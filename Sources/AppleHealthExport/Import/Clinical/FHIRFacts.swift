import Foundation

/// The little an import wants to know of a FHIR resource: its kind, its categories and what people call it.
/// Both releases that exports hold are understood (DSTU2 has one of what R4 has a list of).
struct FHIRFacts: Hashable, Sendable {
    /// The kind of resource, such as `Observation`.
    var resourceType: String?
    /// The codes and names of the categories, in lower case.
    var categories: Set<String> = []
    /// What the resource is about, in words.
    var name: String?

    init() {}

    /// Reads a resource's JSON; `nil` for bytes that are no JSON object.
    init?(json bytes: [UInt8]) {
        guard let resource = try? JSONDecoder().decode(Resource.self, from: Data(bytes)) else { return nil }
        resourceType = resource.resourceType
        for category in resource.category {
            categories.formUnion(category.coding.compactMap { $0.code?.lowercased() })
            if let text = category.text { categories.insert(text.lowercased()) }
        }
        name = resource.subjects.lazy.compactMap(\.name).first
    }

    /// A resource as far as it is looked at. What has another shape than the standard's counts as missing.
    private struct Resource: Decodable {
        enum Key: String, CodingKey, CaseIterable {
            case resourceType, category
            case code, vaccineCode, medicationCodeableConcept, medicationReference, substance, type, description
        }

        var resourceType: String?
        var category: [Concept] = []
        /// What the resource may be about, the likeliest first.
        var subjects: [Concept] = []

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            resourceType = try? fields.decode(String.self, forKey: .resourceType)
            category = Self.concepts(fields, .category)
            for key: Key in [
                .code, .vaccineCode, .medicationCodeableConcept, .medicationReference, .substance, .type, .description,
            ] {
                subjects += Self.concepts(fields, key)
            }
        }

        private static func concepts(_ fields: KeyedDecodingContainer<Key>, _ key: Key) -> [Concept] {
            if let list = try? fields.decode([Concept].self, forKey: key) { return list }
            if let one = try? fields.decode(Concept.self, forKey: key) { return [one] }
            return []
        }
    }

    /// A concept of codes, a reference with words of its own, or just words.
    private struct Concept: Decodable {
        struct Coding: Decodable {
            var code: String?
            var display: String?
        }

        enum Key: String, CodingKey {
            case text, display, coding
        }

        var text: String?
        var coding: [Coding] = []

        init(from decoder: any Decoder) throws {
            if let words = try? decoder.singleValueContainer().decode(String.self) {
                text = words
                return
            }
            let fields = try decoder.container(keyedBy: Key.self)
            text = (try? fields.decode(String.self, forKey: .text)) ?? (try? fields.decode(String.self, forKey: .display))
            coding = (try? fields.decode([Coding].self, forKey: .coding)) ?? []
        }

        var name: String? {
            ([text] + coding.map(\.display)).lazy.compactMap { $0 }.first { !$0.isEmpty }
        }
    }
}
