import HealthStorage

/// Which types an application wants to be told of in the background. Registrations survive the process.
extension HealthEngine {
    /// Frequencies by type identifier, as the original numbers them (immediate 1 … weekly 4).
    public func deliveryRegistrations(of bundleIdentifier: String) throws -> [String: Int] {
        try storage.read { snapshot in
            try Settings.read(
                [String: Int].self, namespace: Settings.Namespace.delivery, key: bundleIdentifier,
                in: snapshot) ?? [:]
        }
    }

    /// Registers a type or, with `nil`, takes its registration back.
    public func setDelivery(
        _ frequency: Int?, of typeIdentifier: String, to bundleIdentifier: String
    ) throws {
        try updateDeliveries(to: bundleIdentifier) { $0[typeIdentifier] = frequency }
    }

    /// Takes all registrations of an application back.
    public func removeDeliveries(to bundleIdentifier: String) throws {
        try updateDeliveries(to: bundleIdentifier) { $0.removeAll() }
    }

    private func updateDeliveries(
        to bundleIdentifier: String, _ change: (inout [String: Int]) -> Void
    ) throws {
        try commit { transaction, draft in
            var registrations =
                try Settings.read(
                    [String: Int].self, namespace: Settings.Namespace.delivery, key: bundleIdentifier,
                    in: transaction) ?? [:]
            change(&registrations)
            try Settings.write(
                registrations.isEmpty ? nil : registrations, namespace: Settings.Namespace.delivery,
                key: bundleIdentifier, in: transaction)
            draft.settingsChanged = true
        }
    }
}

extension Settings.Namespace {
    /// Registrations for background delivery, keyed by bundle identifier.
    static let delivery = "delivery"
}
