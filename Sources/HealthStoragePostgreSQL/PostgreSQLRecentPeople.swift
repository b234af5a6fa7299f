import Synchronization

/// The numbers of people whose stores were open, and what was known of these when they were closed: a store that is
/// opened again is asked whether it has changed, and for nothing that hasn't.
final class PostgreSQLRecentPeople: Sendable {
    struct Person {
        var number: Int64
        var memory: PostgreSQLMemory
    }

    /// By the bytes of the name: names that Swift takes for equal can differ in them.
    private typealias People = [[UInt8]: Person]

    private let state = Mutex<(recent: People, earlier: People)>(([:], [:]))
    /// Half of the people who are remembered.
    private static let count = 2_048

    /// The number and the memory that are kept of a person.
    func person(_ name: String) -> Person? {
        let key = Array(name.utf8)
        return state.withLock { $0.recent[key] ?? $0.earlier[key] }
    }

    /// Remembers a person, and forgets those of whom nothing was heard for longest.
    func remember(_ name: String, _ person: Person) {
        state.withLock { state in
            if state.recent.count >= Self.count { state = ([:], state.recent) }
            state.recent[Array(name.utf8)] = person
        }
    }

    /// Forgets a person with a number, who was removed.
    func forget(_ name: String, _ number: Int64) {
        let key = Array(name.utf8)
        state.withLock { state in
            if state.recent[key]?.number == number { state.recent[key] = nil }
            if state.earlier[key]?.number == number { state.earlier[key] = nil }
        }
    }
}
