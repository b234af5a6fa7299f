import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import Synchronization

// The person's characteristics and preferred units.
extension StoreConnection {
    /// The date of birth; `nil` when it is not set or may not be read.
    func dateOfBirth() throws -> (year: Int, month: Int, day: Int)? {
        try characteristic(.dateOfBirth) { $0.dateOfBirth.map { ($0.year, $0.month, $0.day) } }
    }

    /// A characteristic; `nil` when it is not set or may not be read, and for a value that this version does not know.
    func characteristic<Value: RawRepresentable<Int>>(_ identifier: HKCharacteristicTypeIdentifier) throws -> Value? {
        let raw: Int? = try characteristic(identifier) { profile in
            switch identifier {
            case .biologicalSex: profile.biologicalSex
            case .bloodType: profile.bloodType
            case .fitzpatrickSkinType: profile.fitzpatrickSkinType
            case .wheelchairUse: profile.wheelchairUse
            case .activityMoveMode: profile.activityMoveMode
            default: nil
            }
        }
        return raw.flatMap { Value(rawValue: $0) }
    }

    /// The sex whose reference ranges apply; `nil` when it is not set.
    ///
    /// - Throws: ``HKError/errorAuthorizationDenied`` if it may not be read, unlike other characteristics.
    func referenceSex() throws -> HKReferenceSex? {
        guard let profile = try readableProfile(for: .referenceSex) else {
            throw HKError.make(.errorAuthorizationDenied, "Not authorized")
        }
        return profile.referenceSex.flatMap { HKReferenceSex(rawValue: $0) }
    }

    private func characteristic<Value>(
        _ identifier: HKCharacteristicTypeIdentifier, _ field: (Profile) -> Value?
    ) throws -> Value? {
        try readableProfile(for: identifier).flatMap(field)
    }

    /// The profile; `nil` if the characteristic may not be read.
    private func readableProfile(for identifier: HKCharacteristicTypeIdentifier) throws -> Profile? {
        do {
            let engine = try engine()
            guard let code = try engine.code(of: identifier.rawValue),
                try engine.checkRead(code, as: caller) == .everything
            else { return nil }
            return try engine.profile.read()
        } catch {
            throw HKError.make(error)
        }
    }

    /// The unit in which each type is shown.
    func preferredUnits(of types: Set<HKQuantityType>) -> StoreWork<[HKQuantityType: HKUnit]> {
        let caller = caller
        let locale = configuration.calendar.locale?.identifier
        return StoreWork(
            .reading,
            engine: { engine in
                let types = Array(types)
                for type in types {
                    if let code = try engine.code(of: type.identifier) { _ = try engine.checkRead(code, as: caller) }
                }
                let units = try engine.displayUnits(of: types.map(\.typeDescription), as: caller, locale: locale)
                return Dictionary(
                    uniqueKeysWithValues: zip(types, units.map { HKUnit.parsed($0) ?? .count() }))
            })
    }
}

/// Observes the preferred units and posts a notification when they change.
final class PreferenceWatch: Sendable {
    private struct State {
        weak var poster: HKHealthStore?
        var units: [String: String] = [:]
        var observation: StorageSubscription?
    }

    private let state = Mutex(State())

    /// Sets the store that posts the notification.
    func setPoster(_ store: HKHealthStore) {
        state.withLock { $0.poster = store }
    }

    /// Starts to observe an engine.
    ///
    /// - Parameter settingsChanged: Called after every change of the store's settings, in any process.
    func observe(_ engine: HealthEngine, settingsChanged: @escaping @Sendable () -> Void) {
        let units = (try? engine.profile.read().preferredUnits) ?? [:]
        let observation = engine.observeCommits { [weak self, weak engine] commit in
            guard commit.settingsChanged else { return }
            settingsChanged()
            guard let engine else { return }
            self?.settingsChanged(engine)
        }
        state.withLock { state in
            state.units = units
            state.observation = observation
        }
    }

    private func settingsChanged(_ engine: HealthEngine) {
        guard let units = try? engine.profile.read().preferredUnits else { return }
        let poster = state.withLock { state -> HKHealthStore? in
            guard state.units != units else { return nil }
            state.units = units
            return state.poster
        }
        guard let poster else { return }
        NotificationCenter.default.post(name: .HKUserPreferencesDidChange, object: poster)
        Task { @MainActor in
            NotificationCenter.default.post(HKHealthStore.HKUserPreferencesDidChangeMessage(), subject: poster)
        }
    }
}
