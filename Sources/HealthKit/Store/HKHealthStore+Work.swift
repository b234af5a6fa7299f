import Foundation

// The work behind the calls of a store that need more than the connection's own.
extension HKHealthStore {
    /// Asks about types.
    func authorizationRequest(share: Set<HKSampleType>, read: Set<HKObjectType>) -> StoreWork<Void> {
        QueryValidation.checked { try AuthorizationRule.validate(share: share, read: read) }
        let resolver = AuthorizationResolver(connection: connection)
        return StoreWork(.asking) {
            if let type = read.first(where: { $0.requiresPerObjectAuthorization() }) {
                throw HKError.make(
                    .errorInvalidArgument,
                    "Type \(type.identifier) requires per-object authorization and cannot be requested in bulk.")
            }
            try resolver.decide(share: share, read: read)
        }
    }

    /// Whether a request would ask.
    func requestStatus(
        share: Set<HKSampleType>, read: Set<HKObjectType>
    ) -> StoreWork<HKAuthorizationRequestStatus> {
        QueryValidation.checked { try AuthorizationRule.validate(share: share, read: read) }
        let resolver = AuthorizationResolver(connection: connection)
        return StoreWork(.reading) {
            let undecided = try resolver.undecided(share: share, read: read)
            return undecided.share.isEmpty && undecided.read.isEmpty ? .unnecessary : .shouldRequest
        }
    }

    /// Asks about single objects.
    func objectRequest(_ type: HKObjectType, _ predicate: NSPredicate?) -> StoreWork<Void> {
        let part = QueryValidation.checked { try QueryPart(type: type, predicate: predicate) }
        return connection.decidingObjects(type, part)
    }

    /// Deletes the application's objects of a type that satisfy a predicate.
    func deletion(of type: HKObjectType, _ predicate: NSPredicate) -> StoreWork<Int> {
        let part = QueryValidation.checked { try QueryPart(type: type, predicate: predicate) }
        return connection.deleting(part)
    }

    /// Registers a type for background delivery.
    func registration(_ type: HKObjectType, _ frequency: HKUpdateFrequency) -> StoreWork<Void> {
        guard type is HKSampleType, !(type is HKCorrelationType) else {
            return StoreWork(.writing) {
                throw HKError.make(
                    .errorInvalidArgument, "Background delivery is not supported for type \(type.identifier).")
            }
        }
        return connection.registering(type, frequency)
    }

    /// Checks the arguments of a recalibration.
    func recalibration(_ type: HKSampleType, _ date: Date) -> StoreWork<Void> {
        let now = connection.clock.now()
        return StoreWork(.writing) {
            guard type.allowsRecalibrationForEstimates else {
                throw HKError.make(.errorInvalidArgument, "Type \(type.identifier) does not allow recalibration.")
            }
            guard date <= now else {
                throw HKError.make(.errorInvalidArgument, "The date of a recalibration cannot be in the future.")
            }
        }
    }
}
