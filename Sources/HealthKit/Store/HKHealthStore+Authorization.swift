import Foundation
import HealthEngine

extension HKHealthStore {
    /// Whether the application may write samples of a type. Says nothing about reading.
    ///
    /// A correlation type is always undecided: permission is that of its members' types. Where the store
    /// cannot be opened nothing is decided.
    public func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus {
        guard type is HKSampleType, !(type is HKCorrelationType) else { return .notDetermined }
        if case .allowAll = connection.configuration.authorization {
            return .sharingAuthorized
        }
        guard let engine = try? connection.engine(),
            let code = try? engine.code(of: type.identifier),
            let decision = try? engine.authorization(
                of: code, bundleIdentifier: connection.caller.bundleIdentifier)
        else { return .notDetermined }
        return switch decision.share {
        case .notDetermined: .notDetermined
        case .denied: .sharingDenied
        case .authorized: .sharingAuthorized
        }
    }

    /// Asks the person for permission to write and read types, where nobody has decided yet.
    ///
    /// Success means that everything is decided, not that anything was permitted. An empty request and
    /// types that cannot be asked for end the process. Types that are permitted object by object fail
    /// with ``HKError/errorInvalidArgument``.
    @preconcurrency
    public func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let request = authorizationRequest(share: typesToShare ?? [], read: typesToRead ?? [])
        connection.perform(.asking, request) { completion($0.isSuccess, $0.error) }
    }

    /// Asks the person for permission. See ``requestAuthorization(toShare:read:completion:)``.
    public func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
    ) async throws {
        try await connection.perform(.asking, authorizationRequest(share: typesToShare, read: typesToRead))
    }

    /// Whether a request for these types would ask the person: as soon as one is undecided.
    @preconcurrency
    public func getRequestStatusForAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>,
        completion: @escaping @Sendable (HKAuthorizationRequestStatus, (any Error)?) -> Void
    ) {
        let question = statusQuestion(share: typesToShare, read: typesToRead)
        connection.perform(.reading, question) { completion((try? $0.get()) ?? .unknown, $0.error) }
    }

    /// Whether a request for these types would ask the person.
    public func statusForAuthorizationRequest(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
    ) async throws -> HKAuthorizationRequestStatus {
        try await connection.perform(.reading, statusQuestion(share: typesToShare, read: typesToRead))
    }

    /// Asks on behalf of an extension. There are no extensions here, so nothing is ever waiting.
    @preconcurrency
    public func handleAuthorizationForExtension(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.reading, { _ in }) { completion($0.isSuccess, $0.error) }
    }

    /// Asks on behalf of an extension. See ``handleAuthorizationForExtension(completion:)``.
    public func handleAuthorizationForExtension() async throws {
        try await connection.perform { _ in }
    }

    private func authorizationRequest(
        share: Set<HKSampleType>, read: Set<HKObjectType>
    ) -> @Sendable (HealthEngine) throws -> Void {
        QueryValidation.checked { try AuthorizationRule.validate(share: share, read: read) }
        let configuration = connection.configuration
        return { engine in
            if let type = read.first(where: { $0.requiresPerObjectAuthorization() }) {
                throw EngineError.invalidArgument(
                    "Type \(type.identifier) requires per-object authorization and cannot be requested in bulk.")
            }
            try AuthorizationDesk(configuration: configuration, engine: engine)
                .decide(share: share, read: read)
        }
    }

    private func statusQuestion(
        share: Set<HKSampleType>, read: Set<HKObjectType>
    ) -> @Sendable (HealthEngine) throws -> HKAuthorizationRequestStatus {
        QueryValidation.checked { try AuthorizationRule.validate(share: share, read: read) }
        let configuration = connection.configuration
        return { engine in
            let open = try AuthorizationDesk(configuration: configuration, engine: engine)
                .undecided(share: share, read: read)
            return open.share.isEmpty && open.read.isEmpty ? .unnecessary : .shouldRequest
        }
    }
}
