public import Foundation
import HealthEngine
import HealthModel

extension HKHealthStore {
    /// Asks the person which objects the application may read, of a type that is permitted object by object:
    /// vision prescriptions and medications. The person is asked at every call, about the objects that satisfy
    /// the predicate; with a medication its doses may be read.
    ///
    /// Fails with ``HKError/errorInvalidArgument`` for other types.
    @preconcurrency
    public func requestPerObjectReadAuthorization(
        for objectType: HKObjectType, predicate: NSPredicate?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.asking, question(about: objectType, predicate)) { completion($0.isSuccess, $0.error) }
    }

    /// Asks the person which objects the application may read. See
    /// ``requestPerObjectReadAuthorization(for:predicate:completion:)``.
    public func requestPerObjectReadAuthorization(
        for objectType: HKObjectType, predicate: NSPredicate?
    ) async throws {
        try await connection.perform(.asking, question(about: objectType, predicate))
    }

    private func question(
        about type: HKObjectType, _ predicate: NSPredicate?
    ) -> @Sendable (HealthEngine) throws -> Void {
        let part = QueryValidation.checked { try QueryPart(type: type, predicate: predicate) }
        let (configuration, caller) = (connection.configuration, connection.caller)
        return { engine in
            guard type.requiresPerObjectAuthorization() else {
                throw EngineError.invalidArgument(
                    "Type \(type.identifier) does not require per-object authorization.")
            }
            if case .allowAll = configuration.authorization { return }
            guard let code = try engine.code(of: type.identifier) else { return }
            let reader = QueryReader(
                engine: engine, caller: Caller(revision: caller.revision, permission: .owner),
                calendar: configuration.calendar)
            let found = try reader.objectsToDecide(part)
            guard !found.isEmpty else { return }

            let asked = Set(found.keys)
            var request = AuthorizationDesk.Request(
                application: configuration.application, share: [], read: [type])
            request.objects = asked
            let answer = AuthorizationDesk(configuration: configuration, engine: engine).answer(request)
            let granted = answer.read.contains(type) ? asked : answer.objects.intersection(asked)

            var decisions = [code: (asked: ObjectGrants(objects: asked), granted: ObjectGrants(objects: granted))]
            if type is HKUserAnnotatedMedicationType {
                func doses(_ objects: Set<UUID>) -> ObjectGrants {
                    ObjectGrants(fields: [HKMedicationDoseEvent.Field.concept: Set(objects.compactMap { found[$0] })])
                }
                decisions[HKObjectType.medicationDoseEventType().code] = (doses(asked), doses(granted))
            }
            try engine.decideObjects(decisions, bundleIdentifier: caller.bundleIdentifier)
        }
    }
}

extension QueryReader {
    /// Identities of a part's objects, each with its medication's concept or nothing.
    fileprivate func objectsToDecide(_ part: QueryPart) throws -> [UUID: String] {
        guard let resolved = try part.resolved(in: engine) else { return [:] }
        let filter = part.residual == nil ? resolved.filter : try exactFilter(part)
        let selection = try engine.samples(
            SampleRequest(parts: [.init(type: resolved.type, filter: filter)]), as: caller)
        var found: [UUID: String] = [:]
        for object in selection.objects {
            let identity = object.uuid ?? selection.identities.uuid(for: object.sequence)
            if case .document(let document) = object.body {
                found[identity] = document.text(MedicationRecord.Field.concept) ?? ""
            } else {
                found[identity] = ""
            }
        }
        return found
    }
}
