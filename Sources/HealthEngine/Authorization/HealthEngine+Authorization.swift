public import HealthModel
import HealthStorage

/// The person's decisions, per application and type, share and read apart.
extension HealthEngine {
    /// What the application may do with one type; not determined where nobody was asked.
    public func authorization(of type: TypeCode, bundleIdentifier: String) throws -> TypeAuthorization {
        try storage.read { try authorization(of: type, bundleIdentifier: bundleIdentifier, in: $0) }
    }

    /// Writes exactly this decision, in place of an earlier one.
    public func setAuthorization(
        _ new: TypeAuthorization, of type: TypeCode, bundleIdentifier: String
    ) throws {
        try setAuthorizations([type: new], bundleIdentifier: bundleIdentifier)
    }

    /// Writes exactly these decisions in one transaction, with one notice.
    public func setAuthorizations(
        _ new: [TypeCode: TypeAuthorization], bundleIdentifier: String
    ) throws {
        let namespace = Settings.Namespace.authorization(bundleIdentifier)
        try commit { transaction, draft in
            for (type, authorization) in new.sorted(by: { $0.key < $1.key }) {
                let isDetermined = authorization != TypeAuthorization()
                try Settings.write(
                    isDetermined ? authorization : nil, namespace: namespace,
                    key: String(type.rawValue), in: transaction)
            }
            let isKnown = try !transaction.values(namespace: namespace).isEmpty
            try transaction.setValue(
                isKnown ? [] : nil, namespace: Settings.Namespace.applications, key: bundleIdentifier)
            draft.settingsChanged = true
        }
    }

    /// Every decision made for an application.
    public func authorizations(bundleIdentifier: String) throws -> [TypeCode: TypeAuthorization] {
        let namespace = Settings.Namespace.authorization(bundleIdentifier)
        return try storage.read { snapshot in
            var found: [TypeCode: TypeAuthorization] = [:]
            for (key, bytes) in try snapshot.values(namespace: namespace) {
                guard let code = UInt32(key) else { continue }
                found[TypeCode(rawValue: code)] = try Settings.decode(
                    TypeAuthorization.self, from: bytes, namespace: "authorization")
            }
            return found
        }
    }

    /// Bundle identifiers of all applications with a decision, in alphabetical order.
    public func authorizedApplications() throws -> [String] {
        try storage.read { try $0.values(namespace: Settings.Namespace.applications).keys.sorted() }
    }

    /// How much of the type the caller sees.
    ///
    /// Throws ``EngineError/authorizationNotDetermined(_:)`` when the caller never asked for the type.
    /// A correlation type is judged by the types of its members.
    public func checkRead(_ type: TypeCode, as caller: Caller) throws -> ReadScope {
        try storage.read { try checkRead(type, as: caller, in: $0) }
    }

    /// Throws ``EngineError/authorizationDenied(_:)`` or
    /// ``EngineError/authorizationNotDetermined(_:)`` unless the caller may write the type.
    public func checkShare(_ type: TypeCode, as caller: Caller) throws {
        try storage.read { try checkShare(type, as: caller, in: $0) }
    }

    // MARK: Inside one snapshot

    func authorization(
        of type: TypeCode, bundleIdentifier: String, in snapshot: any StorageSnapshot
    ) throws -> TypeAuthorization {
        try Settings.read(
            TypeAuthorization.self, namespace: Settings.Namespace.authorization(bundleIdentifier),
            key: String(type.rawValue), in: snapshot) ?? TypeAuthorization()
    }

    func checkRead(
        _ type: TypeCode, as caller: Caller, in snapshot: any StorageSnapshot
    ) throws -> ReadScope {
        guard caller.permission == .table else { return .everything }
        guard let members = CorrelationMembers.types(of: type) else {
            let decision = try authorization(
                of: type, bundleIdentifier: caller.bundleIdentifier, in: snapshot)
            guard let scope = decision.readScope else {
                throw EngineError.authorizationNotDetermined(type)
            }
            guard scope != .everything else { return scope }
            let grants = try objectGrants(
                of: type, bundleIdentifier: caller.bundleIdentifier, in: snapshot)
            return grants.isEmpty ? scope : .picked(grants.filter, withOwn: scope == .ownOnly)
        }
        // The widest view any member type gives: an application that logs meals asks for the few
        // nutrients it writes, and sees its own meals.
        var widest: ReadScope?
        for member in members {
            let decision = try authorization(
                of: member, bundleIdentifier: caller.bundleIdentifier, in: snapshot)
            guard let scope = decision.readScope else { continue }
            if scope == .everything { return .everything }
            widest = widest == .ownOnly ? .ownOnly : scope
        }
        guard let widest else { throw EngineError.authorizationNotDetermined(type) }
        return widest
    }

    func checkShare(
        _ type: TypeCode, as caller: Caller, in snapshot: any StorageSnapshot
    ) throws {
        guard caller.permission == .table else { return }
        var wasRefused = false
        for asked in CorrelationMembers.types(of: type) ?? [type] {
            switch try authorization(
                of: asked, bundleIdentifier: caller.bundleIdentifier, in: snapshot
            ).share {
            case .authorized: return
            case .denied: wasRefused = true
            case .notDetermined: break
            }
        }
        throw wasRefused
            ? EngineError.authorizationDenied(type) : EngineError.authorizationNotDetermined(type)
    }
}
