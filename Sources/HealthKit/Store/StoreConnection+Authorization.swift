import Foundation
import HealthEngine
import HealthModel

// The person's decisions about this application, as the store keeps them.
extension StoreConnection {
    /// The decisions about the types that the store knows.
    func decisions(about types: Set<HKObjectType>) throws -> [HKObjectType: TypeAuthorization] {
        let engine = try engine()
        let stored = try engine.authorization.decisions(bundleIdentifier: caller.bundleIdentifier)
        var decisions: [HKObjectType: TypeAuthorization] = [:]
        for type in types {
            // A type that the store does not know has no data to protect, and no code to record.
            guard let code = try engine.code(of: type.identifier) else { continue }
            var decision = stored[code] ?? TypeAuthorization()
            decision.earliest = decision.limit
            decisions[type] = decision
        }
        return decisions
    }

    /// The start of the history that the person limited each type to. Types without a limit and types that may not be
    /// read are left out alike.
    func earliestSampleDates(of types: Set<HKObjectType>) -> StoreWork<[HKObjectType: Date]> {
        StoreWork(.reading) {
            if case .allowAll = self.configuration.authorization { return [:] }
            return try self.decisions(about: types).compactMapValues { decision in
                decision.earliest.map { Date(timeIntervalSinceReferenceDate: $0) }
            }
        }
    }

    /// Records decisions about types that the store knows.
    func record(_ decisions: [HKObjectType: TypeAuthorization]) throws {
        let engine = try engine()
        var changed: [TypeCode: TypeAuthorization] = [:]
        for (type, decision) in decisions {
            guard let code = try engine.code(of: type.identifier) else { continue }
            changed[code] = decision
        }
        try engine.authorization.set(changed, bundleIdentifier: caller.bundleIdentifier)
    }

    /// The field with the concept of a medication and of its doses.
    fileprivate static let conceptField = "medicationConceptIdentifier"

    /// Asks the person which of the matching objects the application may read, and records the answer.
    func decidingObjects(_ type: HKObjectType, _ part: QueryPart) -> StoreWork<Void> {
        StoreWork(
            .asking,
            engine: { [self] engine in
                guard type.requiresPerObjectAuthorization() else {
                    throw HKError.make(
                        .errorInvalidArgument, "Type \(type.identifier) does not require per-object authorization.")
                }
                if case .allowAll = configuration.authorization { return }
                guard let code = try engine.code(of: type.identifier) else { return }
                let reader = QueryReader(
                    engine: engine, caller: Caller(revision: caller.revision, permission: .owner),
                    calendar: configuration.calendar)
                let found = try reader.objectsToDecide(part)
                guard !found.isEmpty else { return }

                let asked = Set(found.keys)
                var request = AuthorizationResolver.Request(
                    application: configuration.application, share: [], read: [type])
                request.objects = asked
                let answer = AuthorizationResolver(connection: self).answer(request)
                let granted = answer.read.contains(type) ? asked : answer.objects.intersection(asked)

                var decisions = [code: (asked: ObjectGrants(objects: asked), granted: ObjectGrants(objects: granted))]
                if type is HKUserAnnotatedMedicationType {
                    func doses(_ objects: Set<UUID>) -> ObjectGrants {
                        ObjectGrants(fields: [Self.conceptField: Set(objects.compactMap { found[$0] })])
                    }
                    decisions[HKObjectType.medicationDoseEventType().code] = (doses(asked), doses(granted))
                }
                try engine.authorization.setObjects(decisions, bundleIdentifier: caller.bundleIdentifier)
            })
    }
}

extension QueryReader {
    /// The identities of a part's objects, each with its medication's concept or an empty text.
    fileprivate func objectsToDecide(_ part: QueryPart) throws -> [UUID: String] {
        guard let code = try engine.code(of: part.identifier) else { return [:] }
        let selection = try engine.samples(
            SampleRequest(parts: [.init(type: code, filter: exactFilter(part))]), as: caller)
        var found: [UUID: String] = [:]
        for object in selection.objects {
            let identity = object.uuid ?? selection.identities.uuid(for: object.sequence)
            if case .document(let document) = object.body {
                found[identity] = document.text(StoreConnection.conceptField) ?? ""
            } else {
                found[identity] = ""
            }
        }
        return found
    }
}

extension TypeAuthorization {
    /// The sharing status that an application gets: a type that was requested for reading only counts as denied
    /// (observed in the original).
    var sharingStatus: HKAuthorizationStatus {
        switch share {
        case .notDetermined: read == .notDetermined ? .notDetermined : .sharingDenied
        case .denied: .sharingDenied
        case .authorized: .sharingAuthorized
        }
    }
}
