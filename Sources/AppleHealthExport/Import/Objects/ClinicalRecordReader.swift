import Foundation
import HealthModel

/// Reads a `ClinicalRecord` element and the file it refers to. The counterpart is ``ClinicalRecordWriter``.
enum ClinicalRecordReader {
    /// The result of reading an element and its file.
    struct Reading {
        /// The identifier of the record's type; the caller knows its code in this import.
        var typeIdentifier: String
        /// The record. The caller sets its type if it is not in the catalog.
        var record: ObjectRecord
        /// Whether the file, which is kept, is not a JSON object.
        var isBroken = false
    }

    /// Reads an element. Throws if it lacks a date.
    ///
    /// - Parameter resource: The bytes of the file; `nil` if they are not available.
    static func read(_ element: ArchivedElement, resource: [UInt8]?) throws(ElementError) -> Reading {
        guard let receivedText = element["receivedDate"] else { throw ElementError("it has no receivedDate") }
        guard let received = ArchiveDate.parse(receivedText) else {
            throw ElementError("its receivedDate is not a date")
        }
        let facts = resource.flatMap { FHIRFacts(json: $0) }
        let given = element["type"] ?? ""
        // Some tools write HealthKit's identifier or nothing in this attribute.
        let resourceType = given.isEmpty || given.hasPrefix("HK") ? facts?.resourceType : given
        let identifier = ClinicalRecordType.identifier(
            of: given.isEmpty ? resourceType ?? "" : given, facts: facts ?? FHIRFacts())

        var fields: [String: FieldValue] = [:]
        fields[ClinicalRecordDocument.displayName] = .string(facts?.name ?? resourceType ?? "")
        fields[ClinicalRecordDocument.version] = element["fhirVersion"].map { .string($0) }
        fields[ClinicalRecordDocument.resourceType] = resourceType.map { .string($0) }
        fields[ClinicalRecordDocument.identifier] = element["identifier"].map { .string($0) }
        fields[ClinicalRecordDocument.sourceURL] = element["sourceURL"].map { .string($0) }
        fields[ClinicalRecordDocument.data] = resource.map { .data($0) }

        let document = DocumentBody(fields: fields)
        let device = element["device"].flatMap(DeviceText.parse)
        var record = ObjectRecord(
            type: TypeCatalog.description(for: identifier)?.code ?? .firstUnknown, start: received, end: received,
            revision: element["sourceName"].map {
                SourceText.revision(name: $0, version: element["sourceVersion"], device: device)
            }, device: device, creation: element["creationDate"].flatMap(ArchiveDate.parse),
            body: .document(document))
        for child in element.children {
            record.metadata.entries.append(ElementMetadata.entry(child) ?? ArchivedMetadata.child(child))
        }
        UnknownContent.preserve(element, in: &record) { ClinicalRecordWriter.write($0, document, $1, &$2) }
        return Reading(typeIdentifier: identifier, record: record, isBroken: resource != nil && facts == nil)
    }
}

/// Determines HealthKit's clinical type for a FHIR resource.
enum ClinicalRecordType {
    private static let prefix = "HKClinicalTypeIdentifier"
    /// The prefix of types for resources that HealthKit has no type for, such as `ClinicalRecord#Patient`.
    private static let untyped = "ClinicalRecord"

    private static let sole = [
        "AllergyIntolerance": "AllergyRecord", "Condition": "ConditionRecord", "Immunization": "ImmunizationRecord",
        "Procedure": "ProcedureRecord", "Coverage": "CoverageRecord", "DocumentReference": "ClinicalNoteRecord",
        "MedicationOrder": "MedicationRecord", "MedicationRequest": "MedicationRecord",
        "MedicationStatement": "MedicationRecord", "MedicationDispense": "MedicationRecord",
    ]

    /// Categories of observations and reports, by code and by name, and their types. The `LP…` codes are those of
    /// cardiology, radiology and pathology reports, which are notes.
    private static let categories: [(names: Set<String>, type: String)] = [
        (["vital-signs", "vital signs"], "VitalSignRecord"), (["laboratory", "lab"], "LabResultRecord"),
        (["lp29708-2", "lp29684-5", "lp7839-6"], "ClinicalNoteRecord"),
    ]

    /// The types that an earlier import may have given an element: without its file, if it has one now, or with it, if
    /// it has none.
    static func alternatives(of type: String, than identifier: String, hasFile: Bool) -> [String] {
        let bare = self.identifier(of: type, facts: FHIRFacts())
        if hasFile { return bare == identifier ? [] : [bare] }
        // If the element has no type, the file may have had any.
        guard ["", "Observation", "DiagnosticReport"].contains(type) else { return [] }
        return Set(categories.map(\.type) + (type.isEmpty ? Array(sole.values) : [])).map { prefix + $0 }.sorted()
    }

    /// Whether a type is one for clinical records, including those that HealthKit has no type for.
    static func contains(_ identifier: String) -> Bool {
        identifier.hasPrefix(prefix) || identifier == untyped || identifier.hasPrefix(untyped + "#")
    }

    /// The type of an element by its `type` attribute, which is a resource type or, in archives of other tools,
    /// HealthKit's identifier. The resource's categories decide between several types.
    static func identifier(of type: String, facts: FHIRFacts) -> String {
        if type.hasPrefix("HK") { return type }
        if let name = sole[type] { return prefix + name }
        if type == "Observation" || type == "DiagnosticReport" {
            let fitting = categories.first { !$0.names.isDisjoint(with: facts.categories) }
            if let fitting { return prefix + fitting.type }
        }
        return type.isEmpty ? untyped : "\(untyped)#\(type)"
    }
}

/// The properties of a FHIR resource that an import uses: type, categories and name. Both releases in exports are
/// supported (DSTU2 has one category where R4 has a list).
struct FHIRFacts: Hashable, Sendable {
    /// The resource type, such as `Observation`.
    var resourceType: String?
    /// The codes and names of the categories, in lower case.
    var categories: Set<String> = []
    /// The name of what the resource is about.
    var name: String?

    init() {}

    /// Reads a resource's JSON; `nil` for bytes that are not a JSON object.
    init?(json bytes: [UInt8]) {
        guard let resource = try? JSONDecoder().decode(Resource.self, from: Data(bytes)) else { return nil }
        resourceType = resource.resourceType
        for category in resource.category {
            categories.formUnion(category.coding.compactMap { $0.code?.lowercased() })
            if let text = category.text { categories.insert(text.lowercased()) }
        }
        name = resource.subjects.lazy.compactMap(\.name).first
    }

    /// The used parts of a resource. Parts that do not conform to the standard count as missing.
    private struct Resource: Decodable {
        enum Key: String, CodingKey, CaseIterable {
            case resourceType, category
            case code, vaccineCode, medicationCodeableConcept, medicationReference, substance, type, description
        }

        var resourceType: String?
        var category: [Concept] = []
        /// The possible subjects of the resource, in order of preference.
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

    /// A coded concept, a reference with a display text, or plain text.
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
            text =
                (try? fields.decode(String.self, forKey: .text)) ?? (try? fields.decode(String.self, forKey: .display))
            coding = (try? fields.decode([Coding].self, forKey: .coding)) ?? []
        }

        var name: String? {
            ([text] + coding.map(\.display)).lazy.compactMap { $0 }.first { !$0.isEmpty }
        }
    }
}
