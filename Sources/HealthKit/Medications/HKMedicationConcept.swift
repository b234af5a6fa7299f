public import Foundation

/// A medication, independent of the person who takes it: its name, form and codes.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKMedicationConcept: _ValueObject, @unchecked Sendable {
    private let fields: HKUserAnnotatedMedication.Fields

    init(_ fields: HKUserAnnotatedMedication.Fields) {
        self.fields = fields
    }

    /// The identifier of the concept, which dose events refer to.
    open var identifier: HKHealthConceptIdentifier {
        HKHealthConceptIdentifier(domain: .medication, token: fields.concept)
    }

    /// The name to display.
    open var displayText: String { fields.displayText }

    /// The form of the medication, such as tablet or liquid.
    open var generalForm: HKMedicationGeneralForm { HKMedicationGeneralForm(rawValue: fields.generalForm) }

    /// The codes of the medication in medical vocabularies.
    open var relatedCodings: Set<HKClinicalCoding> { Set(fields.codings.map { HKClinicalCoding($0) }) }

    /// `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let fields = SecureRecord.decode(HKUserAnnotatedMedication.Fields.self, from: coder) else { return nil }
        self.fields = fields
    }

    override var archivedRecord: any Codable & Hashable { fields }

    override var equatableValues: any Hashable { identifier }
}

/// The identifier of a health concept within its domain.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKHealthConceptIdentifier: _ValueObject, @unchecked Sendable {
    /// The domain of the concept.
    open var domain: HKHealthConceptDomain { storedDomain }

    private let storedDomain: HKHealthConceptDomain
    /// The name of the concept within its domain.
    final let token: String

    package init(domain: HKHealthConceptDomain, token: String) {
        storedDomain = domain
        self.token = token
    }

    /// `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let parts = SecureRecord.decode([String].self, from: coder), parts.count == 2 else { return nil }
        storedDomain = HKHealthConceptDomain(rawValue: parts[0])
        token = parts[1]
    }

    override var archivedRecord: any Codable & Hashable { [domain.rawValue, token] }
}

/// A code of a medical vocabulary, such as RxNorm.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKClinicalCoding: _ValueObject, @unchecked Sendable {
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
    open var system: String { fields.system }

    /// The version of the vocabulary; `nil` if it does not matter.
    open var version: String? { fields.version }

    /// The code.
    open var code: String { fields.code }

    /// `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let fields = SecureRecord.decode(Fields.self, from: coder) else { return nil }
        self.fields = fields
    }

    override var archivedRecord: any Codable & Hashable { fields }

    open override var description: String { "<HKClinicalCoding \(system)|\(version ?? "")|\(code)>" }
}
