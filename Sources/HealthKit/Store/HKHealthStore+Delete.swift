public import Foundation
import HealthEngine
import HealthModel

extension HKHealthStore {
    /// Deletes an object that this application saved. See ``delete(_:withCompletion:)-([HKObject],_)``.
    @preconcurrency
    public func delete(
        _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        delete([object], withCompletion: completion)
    }

    /// Deletes objects that this application saved, all or none.
    ///
    /// Fails with ``HKError/errorInvalidArgument`` when one is not in the store, or the array is empty,
    /// and with an authorization error when one of the types may not be written.
    @preconcurrency
    public func delete(
        _ objects: [HKObject], withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let (caller, identities) = (connection.caller, objects.map(\.uuid))
        connection.perform(.writing, { try $0.delete(identities, as: caller) }) { completion($0.isSuccess, $0.error) }
    }

    /// Deletes an object. See ``delete(_:withCompletion:)-([HKObject],_)``.
    public func delete(_ object: HKObject) async throws {
        try await delete([object])
    }

    /// Deletes objects, all or none. See ``delete(_:withCompletion:)-([HKObject],_)``.
    public func delete(_ objects: [HKObject]) async throws {
        let (caller, identities) = (connection.caller, objects.map(\.uuid))
        try await connection.perform(.writing) { try $0.delete(identities, as: caller) }
    }

    /// Deletes this application's objects of a type that satisfy a predicate; others are passed over.
    /// The handler is told how many went.
    @preconcurrency
    public func deleteObjects(
        of objectType: HKObjectType, predicate: NSPredicate,
        withCompletion completion: @escaping @Sendable (Bool, Int, (any Error)?) -> Void
    ) {
        let deletion = deletion(of: objectType, predicate)
        connection.perform(.writing, deletion) { completion($0.isSuccess, (try? $0.get()) ?? 0, $0.error) }
    }

    /// Deletes this application's objects of a type that satisfy a predicate; others are passed over.
    ///
    /// - Returns: how many went.
    @discardableResult
    public func deleteObjects(of objectType: HKObjectType, predicate: NSPredicate) async throws -> Int {
        try await connection.perform(.writing, deletion(of: objectType, predicate))
    }

    private func deletion(
        of type: HKObjectType, _ predicate: NSPredicate
    ) -> @Sendable (HealthEngine) throws -> Int {
        let part = QueryValidation.checked { try QueryPart(type: type, predicate: predicate) }
        let (caller, calendar) = (connection.caller, connection.configuration.calendar)
        return { engine in
            guard let code = try engine.code(of: part.identifier) else { return 0 }
            let reader = QueryReader(engine: engine, caller: caller, calendar: calendar)
            let filter = part.residual == nil ? part.filter : try reader.exactFilter(part)
            return try engine.deleteObjects(of: code, matching: filter, as: caller)
        }
    }
}
