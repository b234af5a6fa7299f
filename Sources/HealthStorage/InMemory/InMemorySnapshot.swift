import HealthModel

/// Reads one state. The reading half of `InMemoryTransaction`.
class InMemorySnapshot: StorageSnapshot {
    final var state: InMemoryState

    init(state: InMemoryState) {
        self.state = state
    }

    final func identity() throws -> StoreIdentity {
        state.identity
    }

    final func lastSequence() throws -> Int64 {
        state.lastSequence
    }

    final func dictionaries() throws -> StoreDictionaries {
        state.dictionaries
    }

    final func value(namespace: String, key: String) throws -> [UInt8]? {
        state.settings[namespace]?[key]
    }

    final func values(namespace: String) throws -> [String: [UInt8]] {
        state.settings[namespace] ?? [:]
    }
}
