import HealthEngine

extension HKHealthStore {
    /// Registers a type for background delivery. The registration is kept in the store.
    ///
    /// A running program hears of every commit at once, so `frequency` is only kept; calls of observer
    /// handlers for the type must then be completed, or they are repeated. Fails with
    /// ``HKError/errorInvalidArgument`` for types that have no samples of their own.
    @preconcurrency
    public func enableBackgroundDelivery(
        for type: HKObjectType, frequency: HKUpdateFrequency,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.writing, registration(of: type, frequency)) { completion($0.isSuccess, $0.error) }
    }

    /// Registers a type for background delivery. See
    /// ``enableBackgroundDelivery(for:frequency:withCompletion:)``.
    public func enableBackgroundDelivery(
        for type: HKObjectType, frequency: HKUpdateFrequency
    ) async throws {
        try await connection.perform(.writing, registration(of: type, frequency))
    }

    /// Takes back a registration; harmless when there is none.
    @preconcurrency
    public func disableBackgroundDelivery(
        for type: HKObjectType, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.writing, registration(of: type, nil)) { completion($0.isSuccess, $0.error) }
    }

    /// Takes back a registration; harmless when there is none.
    public func disableBackgroundDelivery(for type: HKObjectType) async throws {
        try await connection.perform(.writing, registration(of: type, nil))
    }

    /// Takes back all registrations of this application.
    @preconcurrency
    public func disableAllBackgroundDelivery(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.writing, clearing()) { completion($0.isSuccess, $0.error) }
    }

    /// Takes back all registrations of this application.
    public func disableAllBackgroundDelivery() async throws {
        try await connection.perform(.writing, clearing())
    }

    private func registration(
        of type: HKObjectType, _ frequency: HKUpdateFrequency?
    ) -> @Sendable (HealthEngine) throws -> Void {
        { [connection] engine in
            if frequency != nil, !(type is HKSampleType) || type is HKCorrelationType {
                throw EngineError.invalidArgument(
                    "Background delivery is not supported for type \(type.identifier).")
            }
            let application = connection.caller.bundleIdentifier
            try engine.setDelivery(frequency?.rawValue, of: type.identifier, to: application)
            connection.registrationsChanged(
                Set(try engine.deliveryRegistrations(of: application).keys))
        }
    }

    private func clearing() -> @Sendable (HealthEngine) throws -> Void {
        { [connection] engine in
            try engine.removeDeliveries(to: connection.caller.bundleIdentifier)
            connection.registrationsChanged([])
        }
    }
}
