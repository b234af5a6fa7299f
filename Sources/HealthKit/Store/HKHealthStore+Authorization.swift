public import Foundation

extension HKHealthStore {
    /// Whether the application may write samples of a type. Does not reveal whether it may read them.
    ///
    /// A correlation type is never determined, because authorization applies to its members' types; nor is any
    /// type when the store cannot be opened.
    public func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus {
        guard type is HKSampleType, !(type is HKCorrelationType) else { return .notDetermined }
        if case .allowAll = connection.configuration.authorization {
            return .sharingAuthorized
        }
        return switch (try? connection.decisions(about: [type]))?[type]?.share ?? .notDetermined {
        case .notDetermined: .notDetermined
        case .denied: .sharingDenied
        case .authorized: .sharingAuthorized
        }
    }

    /// Asks the person for permission to write and read the types that are not yet determined.
    ///
    /// Success means that every type is determined, not that anything was authorized. An empty request and
    /// types that cannot be requested end the process. Types with per-object authorization fail with
    /// ``HKError/errorInvalidArgument``.
    @preconcurrency
    public func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let request = authorizationRequest(share: typesToShare ?? [], read: typesToRead ?? [])
        connection.perform(request) { completion($0.isSuccess, $0.error) }
    }

    /// Asks the person for permission. See ``requestAuthorization(toShare:read:completion:)``.
    public func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
    ) async throws {
        try await connection.perform(authorizationRequest(share: typesToShare, read: typesToRead))
    }

    /// Whether a request for these types would ask the person, because at least one is not determined.
    @preconcurrency
    public func getRequestStatusForAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>,
        completion: @escaping @Sendable (HKAuthorizationRequestStatus, (any Error)?) -> Void
    ) {
        let work = requestStatus(share: typesToShare, read: typesToRead)
        connection.perform(work) { completion((try? $0.get()) ?? .unknown, $0.error) }
    }

    /// Whether a request for these types would ask the person.
    public func statusForAuthorizationRequest(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
    ) async throws -> HKAuthorizationRequestStatus {
        try await connection.perform(requestStatus(share: typesToShare, read: typesToRead))
    }

    /// Asks on behalf of an extension. There are no extensions on this platform, so there is nothing to ask.
    @preconcurrency
    public func handleAuthorizationForExtension(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(StoreWork(.reading) {}) { completion($0.isSuccess, $0.error) }
    }

    /// Asks on behalf of an extension. See ``handleAuthorizationForExtension(completion:)``.
    public func handleAuthorizationForExtension() async throws {
        try await connection.perform(StoreWork(.reading) {})
    }

    private func authorizationRequest(share: Set<HKSampleType>, read: Set<HKObjectType>) -> StoreWork<Void> {
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

    private func requestStatus(
        share: Set<HKSampleType>, read: Set<HKObjectType>
    ) -> StoreWork<HKAuthorizationRequestStatus> {
        QueryValidation.checked { try AuthorizationRule.validate(share: share, read: read) }
        let resolver = AuthorizationResolver(connection: connection)
        return StoreWork(.reading) {
            let undecided = try resolver.undecided(share: share, read: read)
            return undecided.share.isEmpty && undecided.read.isEmpty ? .unnecessary : .shouldRequest
        }
    }
}

// MARK: - Single objects

extension HKHealthStore {
    /// Asks the person which objects of a type with per-object authorization the application may read: vision
    /// prescriptions or medications. Every call asks about the objects that satisfy the predicate; permission
    /// for a medication includes its doses.
    ///
    /// Fails with ``HKError/errorInvalidArgument`` for other types.
    @preconcurrency
    public func requestPerObjectReadAuthorization(
        for objectType: HKObjectType, predicate: NSPredicate?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(objectRequest(objectType, predicate)) { completion($0.isSuccess, $0.error) }
    }

    /// Asks the person which objects the application may read. See
    /// ``requestPerObjectReadAuthorization(for:predicate:completion:)``.
    public func requestPerObjectReadAuthorization(
        for objectType: HKObjectType, predicate: NSPredicate?
    ) async throws {
        try await connection.perform(objectRequest(objectType, predicate))
    }

    private func objectRequest(_ type: HKObjectType, _ predicate: NSPredicate?) -> StoreWork<Void> {
        let part = QueryValidation.checked { try QueryPart(type: type, predicate: predicate) }
        return connection.decidingObjects(type, part)
    }
}
