import HealthStorage

/// The registrations of applications for background delivery. They are stored, so they outlive the process.
///
/// Methods throw `StorageError`.
public struct BackgroundDeliveryStore: Sendable {
    let engine: HealthEngine

    /// Returns an application's frequencies by type identifier, numbered as in the original (immediate 1 … weekly 4).
    public func frequencies(of bundleIdentifier: String) throws -> [String: Int] {
        try engine.storage.read { try Self.frequencies(of: bundleIdentifier, in: $0) }
    }

    /// Registers an application for a type or, with `nil`, removes the registration.
    public func setFrequency(_ frequency: Int?, of typeIdentifier: String, for bundleIdentifier: String) throws {
        try update(bundleIdentifier) { $0[typeIdentifier] = frequency }
    }

    /// Removes all registrations of an application.
    public func removeAll(of bundleIdentifier: String) throws {
        try update(bundleIdentifier) { $0.removeAll() }
    }

    private func update(_ bundleIdentifier: String, _ change: (inout [String: Int]) -> Void) throws {
        try engine.commit { transaction, draft in
            var frequencies = try Self.frequencies(of: bundleIdentifier, in: transaction)
            change(&frequencies)
            try Settings.write(
                frequencies.isEmpty ? nil : frequencies, namespace: Settings.Namespace.delivery,
                key: bundleIdentifier, in: transaction)
            draft.settingsChanged = true
        }
    }

    private static func frequencies(
        of bundleIdentifier: String, in snapshot: any StorageSnapshot
    ) throws -> [String: Int] {
        try Settings.read(
            [String: Int].self, namespace: Settings.Namespace.delivery, key: bundleIdentifier, in: snapshot) ?? [:]
    }
}

extension HealthEngine {
    /// The registrations of applications for background delivery.
    public var backgroundDelivery: BackgroundDeliveryStore { BackgroundDeliveryStore(engine: self) }
}
