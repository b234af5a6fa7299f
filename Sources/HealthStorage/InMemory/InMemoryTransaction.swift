import HealthModel

/// Writes to a state of its own. The writing half of `InMemorySnapshot`.
final class InMemoryTransaction: InMemorySnapshot, StorageTransaction {
    let baseState: StorageState?

    /// - Parameter commits: How many transactions went before.
    init(state: InMemoryState, commits: Int64) {
        baseState = StorageState(ownCommits: commits, foreignCommits: 0)
        super.init(state: state)
    }

    func takeSequences(_ count: Int) throws -> Int64 {
        precondition(count >= 0, "a run of sequence numbers cannot be negative")
        let first = state.lastSequence + 1
        state.lastSequence += Int64(count)
        return first
    }

    func putPage(_ page: StoredPage) throws {
        state.pages[page.key] = page
    }

    func removePage(_ key: PageKey) throws {
        state.pages[key] = nil
    }

    func setValue(_ value: [UInt8]?, namespace: String, key: String) throws {
        state.settings[namespace, default: [:]][key] = value
    }
}
