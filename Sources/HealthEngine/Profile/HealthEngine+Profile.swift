import HealthStorage

extension HealthEngine {
    /// What the store knows of its person; a new store knows nothing.
    public func profile() throws -> Profile {
        try storage.read { try profile(in: $0) }
    }

    /// Changes the profile in one transaction. A change that leaves it as it was writes nothing; one
    /// that throws leaves it as it was. `change` must not call the engine.
    public func updateProfile(_ change: (inout Profile) throws -> Void) throws {
        try commit { transaction, draft in
            let before = try profile(in: transaction)
            var profile = before
            try change(&profile)
            guard profile != before else { return }
            profile.goals.sort { $0.from < $1.from }
            try Settings.write(
                profile, namespace: Settings.Namespace.profile, key: Self.profileKey,
                in: transaction)
            draft.settingsChanged = true
        }
    }

    func profile(in snapshot: any StorageSnapshot) throws -> Profile {
        try Settings.read(
            Profile.self, namespace: Settings.Namespace.profile, key: Self.profileKey, in: snapshot)
            ?? Profile()
    }

    private static let profileKey = "profile"
}
