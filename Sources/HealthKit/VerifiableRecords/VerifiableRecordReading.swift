import Foundation
import HealthEngine
import HealthModel

/// One reading of verifiable records. The person is asked first, once: applications cannot ask for the type by
/// themselves.
struct VerifiableRecordReading: Sendable {
    private let part: QueryPart

    /// Records that are of all kinds given, and of one of the sources.
    init(
        recordTypes: [String], sourceTypes: [HKVerifiableClinicalRecordSourceType], predicate: NSPredicate?
    ) throws {
        let given = try QueryPart(type: HKVerifiableClinicalRecord.type, predicate: predicate)
        let kinds = recordTypes.map { SampleFilter.fieldContains(HKVerifiableClinicalRecord.Field.recordTypes, .string($0)) }
        let sources = sourceTypes.map {
            SampleFilter.field(HKVerifiableClinicalRecord.Field.sourceType, .equal, .string($0.rawValue))
        }
        part = QueryPart(
            identifier: given.identifier, filter: .and(kinds + [.or(sources), given.filter]),
            residual: given.residual)
    }

    func records(_ connection: StoreConnection) throws -> [HKVerifiableClinicalRecord] {
        let engine = try connection.engine()
        try AuthorizationDesk(configuration: connection.configuration, engine: engine)
            .decide(share: [], read: [HKVerifiableClinicalRecord.type])
        return try connection.reader().samples([part]).compactMap { $0 as? HKVerifiableClinicalRecord }
    }
}
