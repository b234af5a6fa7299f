import HealthJSON
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

    /// Reads a resource's JSON; `nil` for bytes that are not a JSON object. Parts that do not conform to the standard count
    /// as missing.
    init?(json bytes: [UInt8]) {
        let value = try? bytes.withUnsafeBufferPointer { bytes in
            try JSONReader.scan(bytes, isLenient: true) { (json: inout JSONReader) -> JSONValue in
                let value = try json.value()
                try json.end()
                return value
            }
        }
        guard let value, value.members != nil else { return nil }
        func concepts(_ name: String) -> [JSONValue] { value[name].map { $0.elements ?? [$0] } ?? [] }
        resourceType = Self.string(value["resourceType"])
        for category in concepts("category") {
            let texts = [Self.text(of: category)] + (category["coding"]?.elements ?? []).map { Self.string($0["code"]) }
            categories.formUnion(texts.compactMap { $0?.lowercased() })
        }
        name = Self.subjects.lazy.flatMap(concepts).compactMap(Self.name(of:)).first
    }

    /// The possible subjects of a resource, in order of preference.
    private static let subjects = [
        "code", "vaccineCode", "medicationCodeableConcept", "medicationReference", "substance", "type", "description",
    ]

    /// The name of a coded concept, a reference with a display text, or plain text.
    private static func name(of concept: JSONValue) -> String? {
        let texts = [text(of: concept)] + (concept["coding"]?.elements ?? []).map { string($0["display"]) }
        return texts.lazy.compactMap(\.self).first { !$0.isEmpty }
    }

    private static func text(of concept: JSONValue) -> String? {
        string(concept) ?? string(concept["text"]) ?? string(concept["display"])
    }

    private static func string(_ value: JSONValue?) -> String? {
        if case .string(let text)? = value { text } else { nil }
    }
}
