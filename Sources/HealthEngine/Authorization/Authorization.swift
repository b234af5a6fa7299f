package import HealthModel
package import HealthStorage

/// The person's decisions about applications: which types each may share and read, and which single objects
/// it may read.
package struct AuthorizationTable: Sendable {
    let engine: HealthEngine

    /// Returns what the application may do with a type; not determined where the person was never asked.
    package func decision(of type: TypeCode, bundleIdentifier: String) throws -> TypeAuthorization {
        try engine.storage.read { try decision(of: type, bundleIdentifier: bundleIdentifier, in: $0) }
    }

    /// Returns every decision made for an application.
    package func decisions(bundleIdentifier: String) throws -> [TypeCode: TypeAuthorization] {
        let namespace = Settings.Namespace.authorization(bundleIdentifier)
        return try engine.storage.read { snapshot in
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
    package func applications() throws -> [String] {
        try engine.storage.read { try $0.values(namespace: Settings.Namespace.applications).keys.sorted() }
    }

    /// Replaces the decision for one type.
    package func set(_ new: TypeAuthorization, of type: TypeCode, bundleIdentifier: String) throws {
        try set([type: new], bundleIdentifier: bundleIdentifier)
    }

    /// Replaces the decisions for these types in one transaction, with one notification. Only the history of samples
    /// can be limited: characteristics and activity summaries are either readable completely or not at all.
    package func set(_ new: [TypeCode: TypeAuthorization], bundleIdentifier: String) throws {
        let namespace = Settings.Namespace.authorization(bundleIdentifier)
        try engine.commit { transaction, pending in
            for (type, given) in new.sorted(by: { $0.key < $1.key }) {
                var authorization = given
                let hasSamples = TypeCatalog.description(for: type).map {
                    $0.kind != .characteristic && $0.kind != .activitySummary
                }
                if given.read != .authorized || hasSamples == false { authorization.earliest = nil }
                let isDetermined = authorization != TypeAuthorization()
                try Settings.write(
                    isDetermined ? authorization : nil, namespace: namespace,
                    key: String(type.rawValue), in: transaction)
            }
            let isKnown = try !transaction.values(namespace: namespace).isEmpty
            try transaction.setValue(
                isKnown ? [] : nil, namespace: Settings.Namespace.applications, key: bundleIdentifier)
            pending.settingsChanged = true
        }
    }

    /// Records which of the objects the person was asked about the application may read. Decisions about other
    /// objects stay. A type without a decision counts as denied from now on, except for these objects.
    package func setObjects(
        _ decisions: [TypeCode: (asked: ObjectGrants, granted: ObjectGrants)], bundleIdentifier: String
    ) throws {
        let namespace = Settings.Namespace.authorization(bundleIdentifier)
        try engine.commit { transaction, pending in
            for (type, decision) in decisions.sorted(by: { $0.key < $1.key }) {
                var grants = try objectGrants(of: type, bundleIdentifier: bundleIdentifier, in: transaction)
                grants.decide(asked: decision.asked, granted: decision.granted)
                try Settings.write(
                    grants.isEmpty ? nil : grants, namespace: Settings.Namespace.objectGrants(bundleIdentifier),
                    key: String(type.rawValue), in: transaction)
                var whole = try self.decision(of: type, bundleIdentifier: bundleIdentifier, in: transaction)
                if whole.read == .notDetermined {
                    whole.read = .denied
                    try Settings.write(whole, namespace: namespace, key: String(type.rawValue), in: transaction)
                }
            }
            try transaction.setValue([], namespace: Settings.Namespace.applications, key: bundleIdentifier)
            pending.settingsChanged = true
        }
    }

    // MARK: - Inside one snapshot

    fileprivate func decision(
        of type: TypeCode, bundleIdentifier: String, in snapshot: any StorageSnapshot
    ) throws -> TypeAuthorization {
        try Settings.read(
            TypeAuthorization.self, namespace: Settings.Namespace.authorization(bundleIdentifier),
            key: String(type.rawValue), in: snapshot) ?? TypeAuthorization()
    }

    fileprivate func objectGrants(
        of type: TypeCode, bundleIdentifier: String, in snapshot: any StorageSnapshot
    ) throws -> ObjectGrants {
        try Settings.read(
            ObjectGrants.self, namespace: Settings.Namespace.objectGrants(bundleIdentifier), key: String(type.rawValue),
            in: snapshot) ?? ObjectGrants()
    }
}

extension HealthEngine {
    /// The namespace of the settings with the decisions about an application.
    package static func namespace(ofAuthorization bundleIdentifier: String) -> String {
        Settings.Namespace.authorization(bundleIdentifier)
    }

    /// The person's decisions about applications.
    package var authorization: AuthorizationTable { AuthorizationTable(engine: self) }

    /// Returns how much of the type the caller may read. Permission for a correlation type is that of its members'
    /// types.
    ///
    /// - Throws: ``EngineError/authorizationNotDetermined(_:)`` if the caller never asked for the type.
    package func checkRead(_ type: TypeCode, as caller: Caller) throws -> ReadScope {
        try storage.read { try checkRead(type, as: caller, in: $0) }
    }

    /// Throws ``EngineError/authorizationDenied(_:)`` or ``EngineError/authorizationNotDetermined(_:)`` unless
    /// the caller may write the type.
    package func checkShare(_ type: TypeCode, as caller: Caller) throws {
        try storage.read { try checkShare(type, as: caller, in: $0) }
    }

    /// The same within a snapshot.
    func checkRead(
        _ type: TypeCode, as caller: Caller, in snapshot: any StorageSnapshot
    ) throws -> ReadScope {
        guard caller.permission == .table else { return .everything }
        guard let members = CorrelationMembers.types(of: type) else {
            let decision = try authorization.decision(of: type, bundleIdentifier: caller.bundleIdentifier, in: snapshot)
            guard let scope = decision.readScope else {
                throw EngineError.authorizationNotDetermined(type)
            }
            guard scope != .everything else { return scope }
            let grants = try authorization.objectGrants(
                of: type, bundleIdentifier: caller.bundleIdentifier, in: snapshot)
            return grants.isEmpty ? scope : scope.union(.picked(grants.filter, withOwn: false))
        }
        // The widest scope of any member type: an application that logs meals asks only for the
        // nutrients it writes, and sees its own meals.
        var widest: ReadScope?
        for member in members {
            let decision = try authorization.decision(
                of: member, bundleIdentifier: caller.bundleIdentifier, in: snapshot)
            guard let scope = decision.readScope else { continue }
            if scope == .everything { return .everything }
            widest = widest?.union(scope) ?? scope
        }
        guard let widest else { throw EngineError.authorizationNotDetermined(type) }
        return widest
    }

    /// The same within a snapshot.
    func checkShare(
        _ type: TypeCode, as caller: Caller, in snapshot: any StorageSnapshot
    ) throws {
        guard caller.permission == .table else { return }
        var wasDenied = false
        for required in CorrelationMembers.types(of: type) ?? [type] {
            switch try authorization.decision(
                of: required, bundleIdentifier: caller.bundleIdentifier, in: snapshot
            ).sharing {
            case .authorized: return
            case .denied: wasDenied = true
            case .notDetermined: break
            }
        }
        throw wasDenied ? EngineError.authorizationDenied(type) : EngineError.authorizationNotDetermined(type)
    }

    /// The same for several types.
    package func checkShare(_ types: Set<TypeCode>, as caller: Caller, in snapshot: any StorageSnapshot) throws {
        guard caller.permission == .table else { return }
        for type in types.sorted() { try checkShare(type, as: caller, in: snapshot) }
    }
}

/// Correlation types cannot be authorized themselves: their permission is that of their members' types.
enum CorrelationMembers {
    private static let byType: [TypeCode: [TypeCode]] = {
        var found: [TypeCode: [TypeCode]] = [:]
        for type in TypeCatalog.all where type.kind == .correlation {
            let prefix =
                switch type.identifier {
                case "HKCorrelationTypeIdentifierBloodPressure":
                    "HKQuantityTypeIdentifierBloodPressure"
                case "HKCorrelationTypeIdentifierFood":
                    "HKQuantityTypeIdentifierDietary"
                default: ""
                }
            guard !prefix.isEmpty else { continue }
            found[type.code] = TypeCatalog.all
                .filter { $0.kind == .quantity && $0.identifier.hasPrefix(prefix) }
                .map(\.code)
        }
        return found
    }()

    /// The types that members of a correlation type can have; `nil` for every other type.
    static func types(of type: TypeCode) -> [TypeCode]? {
        byType[type]
    }
}

/// An application's limits of reading the samples and figures within objects: a correlation or a workout that it may read can
/// consist of types that it may not. Belongs to one snapshot.
final class ReadLimits {
    private let engine: HealthEngine
    private let caller: Caller
    private let snapshot: any StorageSnapshot
    private var scopes: [TypeCode: ReadScope] = [:]

    /// Creates the limits of a caller; `nil` for one that may read everything.
    init?(of caller: Caller, _ engine: HealthEngine, in snapshot: any StorageSnapshot) {
        guard caller.permission == .table else { return nil }
        (self.engine, self.caller, self.snapshot) = (engine, caller, snapshot)
    }

    /// Returns what may be read of a type: nothing if that was never decided.
    func scope(of type: TypeCode) throws -> ReadScope {
        if let known = scopes[type] { return known }
        var scope = ReadScope.nothing
        do {
            scope = try engine.checkRead(type, as: caller, in: snapshot)
        } catch EngineError.authorizationNotDetermined {}
        scopes[type] = scope
        return scope
    }

    /// Returns whether a sample that belongs to an object may be read. A limit of history is one of objects, not of their
    /// parts.
    func includes(_ member: SampleRecord) throws -> Bool {
        switch try scope(of: member.type) {
        case .everything, .picked: true
        case .ownOnly: member.revision.map { isOwn($0.source.bundleIdentifier) } ?? false
        case .nothing: false
        }
    }

    /// Returns a body without the figures of types that may not be read. An application's own objects are as it saved them.
    func visible(_ body: ObjectBody, of revision: SourceRevisionRecord?) throws -> ObjectBody {
        guard case .workout(var workout) = body, revision.map({ isOwn($0.source.bundleIdentifier) }) != true else {
            return body
        }
        func isHidden(_ identifier: String) throws -> Bool {
            guard let type = TypeCatalog.description(for: identifier)?.code else { return true }
            return try [.nothing, .ownOnly].contains(scope(of: type))
        }
        try workout.statistics.removeAll { try isHidden($0.type) }
        try workout.zones.removeAll { try isHidden($0.type) }
        for index in workout.activities.indices {
            try workout.activities[index].statistics.removeAll { try isHidden($0.type) }
        }
        return .workout(workout)
    }

    private func isOwn(_ bundleIdentifier: String) -> Bool { bundleIdentifier == caller.bundleIdentifier }
}
