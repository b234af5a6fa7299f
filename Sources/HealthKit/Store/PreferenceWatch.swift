import Foundation
import HealthEngine
import Synchronization

/// Notices that the preferred units have changed, and lets the store post it.
final class PreferenceWatch: Sendable {
    private struct State {
        weak var poster: HKHealthStore?
        var units: [String: String] = [:]
        var observation: CommitObservation?
    }

    private let state = Mutex(State())

    /// Names the store that posts.
    func setPoster(_ store: HKHealthStore) {
        state.withLock { $0.poster = store }
    }

    /// Begins with an engine that was just opened.
    func observe(_ engine: HealthEngine) {
        let units = (try? engine.profile().preferredUnits) ?? [:]
        let observation = engine.observeCommits { [weak self, weak engine] commit in
            guard commit.settingsChanged, let engine else { return }
            self?.settingsChanged(engine)
        }
        state.withLock { state in
            state.units = units
            state.observation = observation
        }
    }

    private func settingsChanged(_ engine: HealthEngine) {
        guard let units = try? engine.profile().preferredUnits else { return }
        let poster = state.withLock { state -> HKHealthStore? in
            guard state.units != units else { return nil }
            state.units = units
            return state.poster
        }
        guard let poster else { return }
        NotificationCenter.default.post(name: .HKUserPreferencesDidChange, object: poster)
    }
}
