public import Foundation

/// A medication, independent of the person who takes it: its name, form and codes.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKMedicationConcept: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let fields: HKUserAnnotatedMedication.Fields

    init(_ fields: HKUserAnnotatedMedication.Fields) {
        self.fields = fields
    }

    /// The identifier of the concept, which dose events refer to.
    public var identifier: HKHealthConceptIdentifier {
        HKHealthConceptIdentifier(domain: .medication, token: fields.concept)
    }

    /// The name to display.
    public var displayText: String { fields.displayText }

    /// The form of the medication, such as tablet or liquid.
    public var generalForm: HKMedicationGeneralForm { HKMedicationGeneralForm(rawValue: fields.generalForm) }

    /// The codes of the medication in medical vocabularies.
    public var relatedCodings: Set<HKClinicalCoding> { Set(fields.codings.map { HKClinicalCoding($0) }) }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public class var supportsSecureCoding: Bool { true }

    /// `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let fields = SecureRecord.decode(HKUserAnnotatedMedication.Fields.self, from: coder) else { return nil }
        self.fields = fields
    }

    public func encode(with coder: NSCoder) {
        SecureRecord.encode(fields, with: coder)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKMedicationConcept)?.fields.concept == fields.concept
    }

    public override var hash: Int { fields.concept.hashValue }
}

/// The identifier of a health concept within its domain.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKHealthConceptIdentifier: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The domain of the concept.
    public let domain: HKHealthConceptDomain
    /// The name of the concept within its domain.
    final let token: String

    package init(domain: HKHealthConceptDomain, token: String) {
        self.domain = domain
        self.token = token
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public class var supportsSecureCoding: Bool { true }

    /// `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let parts = SecureRecord.decode([String].self, from: coder), parts.count == 2 else { return nil }
        domain = HKHealthConceptDomain(rawValue: parts[0])
        token = parts[1]
    }

    public func encode(with coder: NSCoder) {
        SecureRecord.encode([domain.rawValue, token], with: coder)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKHealthConceptIdentifier else { return false }
        return domain == other.domain && token == other.token
    }

    public override var hash: Int { token.hashValue }
}

/// A code of a medical vocabulary, such as RxNorm.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKClinicalCoding: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The stored values, as archives contain them.
    struct Fields: Hashable, Sendable, Codable {
        var system: String
        var version: String?
        var code: String
    }

    final let fields: Fields

    /// Creates a code of a vocabulary.
    public init(system: String, version: String?, code: String) {
        fields = Fields(system: system, version: version, code: code)
    }

    init(_ fields: Fields) {
        self.fields = fields
    }

    /// The vocabulary, usually as a URL.
    public var system: String { fields.system }

    /// The version of the vocabulary; `nil` if it does not matter.
    public var version: String? { fields.version }

    /// The code.
    public var code: String { fields.code }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public class var supportsSecureCoding: Bool { true }

    /// `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let fields = SecureRecord.decode(Fields.self, from: coder) else { return nil }
        self.fields = fields
    }

    public func encode(with coder: NSCoder) {
        SecureRecord.encode(fields, with: coder)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKClinicalCoding)?.fields == fields
    }

    public override var hash: Int { fields.hashValue }

    public override var description: String { "<HKClinicalCoding \(system)|\(version ?? "")|\(code)>" }
}
