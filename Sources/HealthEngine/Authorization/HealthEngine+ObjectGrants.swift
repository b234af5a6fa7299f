public import HealthModel
import HealthStorage

/// Decisions about single objects, for types that are not permitted as a whole.
extension HealthEngine {
    /// Writes down which of the objects asked about an application may read; decisions about others stay.
    /// A type nobody decided on counts as refused from now on, but for these objects.
    public func decideObjects(
        _ decisions: [TypeCode: (asked: ObjectGrants, granted: ObjectGrants)], bundleIdentifier: String
    ) throws {
        let namespace = Settings.Namespace.authorization(bundleIdentifier)
        try commit { transaction, draft in
            for (type, decision) in decisions.sorted(by: { $0.key < $1.key }) {
                var grants = try objectGrants(of: type, bundleIdentifier: bundleIdentifier, in: transaction)
                grants.decide(asked: decision.asked, granted: decision.granted)
                try Settings.write(
                    grants.isEmpty ? nil : grants, namespace: Self.namespace(bundleIdentifier),
                    key: String(type.rawValue), in: transaction)
                var whole = try authorization(of: type, bundleIdentifier: bundleIdentifier, in: transaction)
                if whole.read == .notDetermined {
                    whole.read = .denied
                    try Settings.write(whole, namespace: namespace, key: String(type.rawValue), in: transaction)
                }
            }
            try transaction.setValue([], namespace: Settings.Namespace.applications, key: bundleIdentifier)
            draft.settingsChanged = true
        }
    }

    func objectGrants(
        of type: TypeCode, bundleIdentifier: String, in snapshot: any StorageSnapshot
    ) throws -> ObjectGrants {
        try Settings.read(
            ObjectGrants.self, namespace: Self.namespace(bundleIdentifier), key: String(type.rawValue), in: snapshot)
            ?? ObjectGrants()
    }

    private static func namespace(_ bundleIdentifier: String) -> String { "objectGrants/" + bundleIdentifier }
}
