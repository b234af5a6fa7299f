public import Foundation

extension HKHealthStore {
    // MARK: Save

    /// Saves an object. See ``save(_:withCompletion:)-([HKObject],_)``.
    @preconcurrency
    public func save(
        _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        save([object], withCompletion: completion)
    }

    /// Saves objects, all or none, in the given order.
    ///
    /// Fails with ``HKError/errorAuthorizationNotDetermined`` or ``HKError/errorAuthorizationDenied``
    /// if one of the types may not be written, and with ``HKError/errorInvalidArgument`` if an object is
    /// already stored. An object whose sync identifier is stored with the same or a newer version is ignored.
    @preconcurrency
    public func save(
        _ objects: [HKObject], withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(connection.saving(objects)) { completion($0.isSuccess, $0.error) }
    }

    /// Saves an object. See ``save(_:withCompletion:)-([HKObject],_)``.
    public func save(_ object: HKObject) async throws {
        try await save([object])
    }

    /// Saves objects, all or none. See ``save(_:withCompletion:)-([HKObject],_)``.
    public func save(_ objects: [HKObject]) async throws {
        try await connection.save(objects)
    }

    // MARK: Samples of a workout

    /// Adds samples to a stored workout. Samples that are not stored yet are saved, without a device.
    @preconcurrency
    public func add(
        _ samples: [HKSample], to workout: HKWorkout,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(connection.addingMembers(samples, to: workout)) { completion($0.isSuccess, $0.error) }
    }

    /// Adds samples to a stored workout. See ``add(_:to:completion:)``.
    public func addSamples(_ samples: [HKSample], to workout: HKWorkout) async throws {
        try await connection.perform(connection.addingMembers(samples, to: workout))
    }

    // MARK: Delete

    /// Deletes an object that this application saved. See ``delete(_:withCompletion:)-([HKObject],_)``.
    @preconcurrency
    public func delete(
        _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        delete([object], withCompletion: completion)
    }

    /// Deletes objects that this application saved, all or none.
    ///
    /// Fails with ``HKError/errorInvalidArgument`` if one is not in the store or the array is empty, and with
    /// an authorization error if one of the types may not be written.
    @preconcurrency
    public func delete(
        _ objects: [HKObject], withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(connection.deleting(objects.map(\.uuid))) { completion($0.isSuccess, $0.error) }
    }

    /// Deletes an object. See ``delete(_:withCompletion:)-([HKObject],_)``.
    public func delete(_ object: HKObject) async throws {
        try await delete([object])
    }

    /// Deletes objects, all or none. See ``delete(_:withCompletion:)-([HKObject],_)``.
    public func delete(_ objects: [HKObject]) async throws {
        try await connection.perform(connection.deleting(objects.map(\.uuid)))
    }

    /// Deletes this application's objects of a type that satisfy a predicate. The handler is called with the
    /// number of deleted objects.
    @preconcurrency
    public func deleteObjects(
        of objectType: HKObjectType, predicate: NSPredicate,
        withCompletion completion: @escaping @Sendable (Bool, Int, (any Error)?) -> Void
    ) {
        let deletion = deletion(of: objectType, predicate)
        connection.perform(deletion) { completion($0.isSuccess, (try? $0.get()) ?? 0, $0.error) }
    }

    /// Deletes this application's objects of a type that satisfy a predicate.
    ///
    /// - Returns: the number of deleted objects.
    @discardableResult
    public func deleteObjects(of objectType: HKObjectType, predicate: NSPredicate) async throws -> Int {
        try await connection.perform(deletion(of: objectType, predicate))
    }

    private func deletion(of type: HKObjectType, _ predicate: NSPredicate) -> StoreWork<Int> {
        let part = QueryValidation.checked { try QueryPart(type: type, predicate: predicate) }
        return connection.deleting(part)
    }
}
