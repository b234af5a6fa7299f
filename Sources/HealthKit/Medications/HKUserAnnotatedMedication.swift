public import Foundation
import HealthModel

/// A medication of the person, with the person's notes about it.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKUserAnnotatedMedication: _ValueObject, @unchecked Sendable {
    /// The stored values, as archives contain them.
    struct Fields: Hashable, Sendable, Codable {
        var nickname: String?
        var isArchived: Bool
        var hasSchedule: Bool
        /// The name of the concept in the domain of medications.
        var concept: String
        var displayText: String
        var generalForm: String
        var codings: Set<HKClinicalCoding.Fields>
    }

    final let fields: Fields

    init(_ fields: Fields) {
        self.fields = fields
    }

    /// Creates a medication that is not in the store yet; people enter medications, applications cannot.
    package convenience init(
        nickname: String?, isArchived: Bool, hasSchedule: Bool, concept: String, displayText: String,
        generalForm: HKMedicationGeneralForm, codings: Set<HKClinicalCoding>
    ) {
        self.init(
            Fields(
                nickname: nickname, isArchived: isArchived, hasSchedule: hasSchedule, concept: concept,
                displayText: displayText, generalForm: generalForm.rawValue, codings: Set(codings.map(\.fields))))
    }

    /// The person's own name for the medication.
    open var nickname: String? { fields.nickname }

    /// A Boolean value that indicates whether the person no longer takes the medication.
    open var isArchived: Bool { fields.isArchived }

    /// A Boolean value that indicates whether the medication has a schedule.
    open var hasSchedule: Bool { fields.hasSchedule }

    /// The medication itself.
    open var medication: HKMedicationConcept { HKMedicationConcept(fields) }

    /// `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let fields = SecureRecord.decode(Fields.self, from: coder) else { return nil }
        self.fields = fields
    }

    override var archivedRecord: any Codable & Hashable { fields }
}

// MARK: - Queries

/// A query that reads the person's medications once.
///
/// The results handler is called once for each medication, then a last time without one and with `true`.
/// With an error it is called once.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKUserAnnotatedMedicationQuery: HKQuery, @unchecked Sendable {
    private let limit: Int
    private let resultsHandler:
        @Sendable (HKUserAnnotatedMedicationQuery, HKUserAnnotatedMedication?, Bool, (any Error)?) -> Void

    /// Creates a query for at most `limit` medications; ``HKObjectQueryNoLimit`` for all.
    @preconcurrency
    public init(
        predicate: NSPredicate?, limit: Int,
        resultsHandler:
            @escaping @Sendable (
                HKUserAnnotatedMedicationQuery, HKUserAnnotatedMedication?, Bool, (any Error)?
            ) -> Void
    ) {
        self.limit = limit
        self.resultsHandler = resultsHandler
        super.init(objectType: .userAnnotatedMedicationType(), predicate: predicate)
    }

    override func makeWork() throws -> QueryWork {
        let part = try QueryPart(type: .userAnnotatedMedicationType(), predicate: predicate)
        return QueryWork(
            start: { run in
                for medication in try run.connection.reader().medications(part, limit: self.limit) {
                    run.deliver { self.resultsHandler(self, medication, false, nil) }
                }
                run.deliver { self.resultsHandler(self, nil, true, nil) }
            },
            fail: { self.resultsHandler(self, nil, true, HKError.make($0)) })
    }
}

/// An asynchronous query for the person's medications.
// Unchecked: predicates are immutable, which Foundation does not declare.
public struct HKUserAnnotatedMedicationQueryDescriptor: HKAsyncQuery, @unchecked Sendable {
    public typealias Output = [HKUserAnnotatedMedication]

    /// The predicate that medications match; `nil` for all medications.
    public var predicate: NSPredicate?
    /// The maximum number of medications; `nil` for all.
    public var limit: Int?

    /// Creates a query for matching medications.
    public init(predicate: NSPredicate? = nil, limit: Int? = nil) {
        self.predicate = predicate
        self.limit = limit
    }

    /// The matching medications that the application may read.
    public func result(for healthStore: HKHealthStore) async throws -> [HKUserAnnotatedMedication] {
        let part = QueryValidation.checked {
            try QueryPart(type: .userAnnotatedMedicationType(), predicate: predicate)
        }
        let limit = limit ?? HKObjectQueryNoLimit
        return try await healthStore.connection.read { try $0.medications(part, limit: limit) }
    }
}

// MARK: - Predicates

extension HKQuery {
    /// Matches medications that the person no longer takes, or still takes.
    public class func predicateForUserAnnotatedMedications(isArchived: Bool) -> NSPredicate {
        predicate(
            .field(HKUserAnnotatedMedication.Field.isArchived, .equal, .bool(isArchived)),
            printed: "isArchived == value")
    }

    /// Matches medications with or without a schedule.
    public class func predicateForUserAnnotatedMedications(hasSchedule: Bool) -> NSPredicate {
        predicate(
            .field(HKUserAnnotatedMedication.Field.hasSchedule, .equal, .bool(hasSchedule)),
            printed: "hasSchedule == value")
    }
}
