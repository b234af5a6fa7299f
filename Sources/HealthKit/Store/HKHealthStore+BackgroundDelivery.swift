extension HKHealthStore {
    /// Registers a type for background delivery. The registration is stored.
    ///
    /// A running program is notified of every commit immediately, whatever the `frequency`. Observer queries
    /// of the type must call their completion handlers, or deliveries are repeated. Fails with
    /// ``HKError/errorInvalidArgument`` for types without samples of their own.
    @preconcurrency
    public func enableBackgroundDelivery(
        for type: HKObjectType, frequency: HKUpdateFrequency,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(registration(type, frequency)) { completion($0.isSuccess, $0.error) }
    }

    /// Registers a type for background delivery. See
    /// ``enableBackgroundDelivery(for:frequency:withCompletion:)``.
    public func enableBackgroundDelivery(
        for type: HKObjectType, frequency: HKUpdateFrequency
    ) async throws {
        try await connection.perform(registration(type, frequency))
    }

    /// Removes a registration, if any.
    @preconcurrency
    public func disableBackgroundDelivery(
        for type: HKObjectType, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(connection.registering(type, nil)) { completion($0.isSuccess, $0.error) }
    }

    /// Removes a registration, if any.
    public func disableBackgroundDelivery(for type: HKObjectType) async throws {
        try await connection.perform(connection.registering(type, nil))
    }

    /// Removes all registrations of this application.
    @preconcurrency
    public func disableAllBackgroundDelivery(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(connection.removingRegistrations()) { completion($0.isSuccess, $0.error) }
    }

    /// Removes all registrations of this application.
    public func disableAllBackgroundDelivery() async throws {
        try await connection.perform(connection.removingRegistrations())
    }

    private func registration(_ type: HKObjectType, _ frequency: HKUpdateFrequency) -> StoreWork<Void> {
        guard type is HKSampleType, !(type is HKCorrelationType) else {
            return StoreWork(.writing) {
                throw HKError.make(
                    .errorInvalidArgument, "Background delivery is not supported for type \(type.identifier).")
            }
        }
        return connection.registering(type, frequency)
    }
}
