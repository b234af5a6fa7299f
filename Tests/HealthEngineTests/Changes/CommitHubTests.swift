import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import Synchronization
import Testing

/// A storage in memory that another process seems to write to as well.
private final class SharedStorage: HealthStorage {
    private let base: any HealthStorage
    private let handlers = Mutex<[Int: @Sendable () -> Void]>([:])

    init(_ base: any HealthStorage) { self.base = base }

    var observerCount: Int { handlers.withLock { $0.count } }

    /// A closure that runs while the backend begins to watch.
    let whileBeginning = Mutex<(@Sendable () -> Void)?>(nil)

    /// The number of reads that fail from now on.
    let failures = Mutex(0)

    func read<Value>(_ body: (any StorageSnapshot) throws -> Value) throws -> Value {
        let fails = failures.withLock { count in
            defer { count = max(0, count - 1) }
            return count > 0
        }
        if fails { throw StorageError(.busy, "Another program has the store.") }
        return try base.read(body)
    }
    func write<Value>(_ body: (any StorageTransaction) throws -> Value) throws -> Value {
        try base.write(body)
    }
    func close() throws { try base.close() }

    func observeForeignCommits(_ handler: @escaping @Sendable () -> Void) -> StorageSubscription {
        whileBeginning.withLock { $0 }?()
        let key = handlers.withLock { handlers in
            let key = handlers.count
            handlers[key] = handler
            return key
        }
        return StorageSubscription { [weak self] in
            _ = self?.handlers.withLock { $0.removeValue(forKey: key) }
        }
    }

    /// Announces a commit by another process.
    func announce() {
        for handler in handlers.withLock({ Array($0.values) }) { handler() }
    }
}

struct CommitNoticeTests {
    private final class Log: Sendable {
        let commits = Mutex<[Commit]>([])
        func add(_ commit: Commit) { commits.withLock { $0.append(commit) } }
        var all: [Commit] { commits.withLock { $0 } }
    }

    @Test(arguments: TestStore.Backend.allCases)
    func everyCommitIsReported(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        let log = Log()
        let observation = store.engine.observeCommits { log.add($0) }
        var sample = SampleRecord.quantity(Names.steps, 1, "count", from: 1)
        sample.uuid = UUID()
        try store.engine.save([.sample(sample), .sample(.quantity(Names.energy, 1, "kcal", from: 1))], as: Names.phone)
        try store.engine.delete([try #require(sample.uuid)], as: Names.phone)
        try store.engine.profile.update { $0.bloodType = 1 }
        try store.engine.profile.update { $0.bloodType = 1 }
        try store.engine.authorization.set(TypeAuthorization(read: .denied), of: Names.steps, bundleIdentifier: "a")
        try store.engine.save([], as: Names.phone)
        #expect(throws: EngineError.self) { try store.engine.delete([UUID()], as: Names.phone) }
        #expect(
            log.all == [
                Commit(types: [Names.steps, Names.energy], sequences: 1...2),
                Commit(types: [Names.steps], sequences: 3...3),
                Commit(types: [], sequences: 3...3, settingsChanged: true),
                Commit(types: [], sequences: 3...3, settingsChanged: true),
            ])
        observation.cancel()
        try store.engine.profile.update { $0.bloodType = 2 }
        #expect(log.all.count == 4)
    }

    @Test func aHandlerMayWriteAndIsNotifiedInOrder() throws {
        let store = try TestStore()
        let engine = store.engine
        let log = Log()
        let observation = engine.observeCommits { commit in
            log.add(commit)
            guard commit.sequences.upperBound < 5 else { return }
            _ = try? engine.save([.sample(.quantity(Names.steps, 1, "count", from: 1))], as: Names.phone)
        }
        try engine.save([.sample(.quantity(Names.steps, 1, "count", from: 1))], as: Names.phone)
        #expect(log.all.map(\.sequences.lowerBound) == [1, 2, 3, 4, 5])
        observation.cancel()
    }

    @Test func commitsOfManyWritersAreReportedInOrder() async throws {
        let store = try TestStore()
        let engine = store.engine
        let log = Log()
        let observation = engine.observeCommits { log.add($0) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<20 {
                        _ = try? engine.save(
                            [.sample(.quantity(Names.steps, 1, "count", from: 1))], as: Names.phone)
                    }
                }
            }
        }
        #expect(log.all.map(\.sequences.lowerBound) == Array(1...160))
        observation.cancel()
    }

    /// There may be no other commit that would tell of this one.
    @Test func commitThatCouldNotBeReadIsReportedLater() async throws {
        let base = InMemoryStorage()
        let shared = SharedStorage(base)
        let (here, there) = (try HealthEngine(storage: shared), try HealthEngine(storage: base))
        let (commits, continuation) = AsyncStream.makeStream(of: Commit.self)
        let observation = here.observeCommits { continuation.yield($0) }
        try there.save([.sample(.quantity(Names.steps, 1, "count", from: 1))], as: Names.phone)
        shared.failures.withLock { $0 = 2 }
        shared.announce()
        for await commit in commits {
            #expect(commit == Commit(types: [Names.steps], sequences: 1...1))
            break
        }
        #expect(shared.failures.withLock { $0 } == 0)
        observation.cancel()
    }

    @Test(
        "An observer that registers while another one starts to watch is notified of later commits of other processes"
    )
    func observersBeforeTheBackendWatches() async throws {
        let base = InMemoryStorage()
        let shared = SharedStorage(base)
        let (here, there) = (try HealthEngine(storage: shared), try HealthEngine(storage: base))
        try there.save([.sample(.quantity(Names.mass, 1, "kg", from: 1))], as: Names.phone)
        let (commits, continuation) = AsyncStream.makeStream(of: (Int, Commit).self)
        let second = Mutex<StorageSubscription?>(nil)
        shared.whileBeginning.withLock {
            $0 = {
                let observation = here.observeCommits { continuation.yield((2, $0)) }
                second.withLock { $0 = observation }
                #expect(throws: Never.self) {
                    try there.save([.sample(.quantity(Names.steps, 1, "count", from: 1))], as: Names.phone)
                }
            }
        }
        let first = here.observeCommits { continuation.yield((1, $0)) }
        var heard: Set<Int> = []
        for await (observer, commit) in commits {
            #expect(commit == Commit(types: [Names.steps], sequences: 2...2))
            heard.insert(observer)
            if heard.count == 2 { break }
        }
        first.cancel()
        second.withLock { $0 }?.cancel()
    }

    @Test("A commit of this process while the first observer registers is notified once")
    func ownCommitsBeforeTheBackendWatches() throws {
        let shared = SharedStorage(InMemoryStorage())
        let here = try HealthEngine(storage: shared)
        let log = Log()
        // The position can't be read until after the commit.
        shared.failures.withLock { $0 = 1 }
        shared.whileBeginning.withLock {
            $0 = {
                #expect(throws: Never.self) {
                    try here.save([.sample(.quantity(Names.steps, 1, "count", from: 1))], as: Names.phone)
                }
                let other = here.observeCommits { _ in }
                other.cancel()
            }
        }
        let observation = here.observeCommits { log.add($0) }
        shared.announce()
        #expect(log.all.filter { !$0.types.isEmpty } == [Commit(types: [Names.steps], sequences: 1...1)])
        observation.cancel()
    }

    @Test(
        "If the store can't be read when the first observer registers, what is committed then is notified all the same")
    func observersOfAStoreThatCannotBeRead() throws {
        let base = InMemoryStorage()
        let shared = SharedStorage(base)
        let (here, there) = (try HealthEngine(storage: shared), try HealthEngine(storage: base))
        let log = Log()
        shared.failures.withLock { $0 = 1 }
        let observation = here.observeCommits { log.add($0) }
        try there.save([.sample(.quantity(Names.steps, 1, "count", from: 1))], as: Names.phone)
        shared.announce()
        #expect(log.all.reduce(into: Set<TypeCode>()) { $0.formUnion($1.types) } == [Names.steps])
        observation.cancel()
    }

    @Test func commitsOfOtherProcessesAreReported() throws {
        let base = InMemoryStorage()
        let shared = SharedStorage(base)
        let here = try HealthEngine(storage: shared)
        let there = try HealthEngine(storage: base)
        try there.save([.sample(.quantity(Names.mass, 1, "kg", from: 1))], as: Names.phone)
        #expect(shared.observerCount == 0)
        let log = Log()
        let observation = here.observeCommits { log.add($0) }
        #expect(shared.observerCount == 1)

        var sample = SampleRecord.quantity(Names.steps, 1, "count", from: 1)
        sample.uuid = UUID()
        try there.save([.sample(sample)], as: Names.phone)
        try there.save([.sample(.quantity(Names.energy, 1, "kcal", from: 1))], as: Names.phone)
        try there.delete([try #require(sample.uuid)], as: Names.phone)
        shared.announce()
        #expect(log.all == [Commit(types: [Names.steps, Names.energy], sequences: 2...4)])
        // Nothing new: nothing said.
        shared.announce()
        #expect(log.all.count == 1)
        // What was written here is known already.
        try here.save([.sample(.quantity(Names.steps, 1, "count", from: 1))], as: Names.phone)
        shared.announce()
        #expect(log.all.count == 2)
        // Settings take no sequence number and are noticed all the same.
        try there.profile.update { $0.bloodType = 2 }
        shared.announce()
        #expect(log.all.last == Commit(types: [], sequences: 5...5, settingsChanged: true))
        // A foreign write before a local one is not lost.
        try there.save([.sample(.quantity(Names.mass, 2, "kg", from: 2))], as: Names.phone)
        try here.save([.sample(.quantity(Names.steps, 1, "count", from: 2))], as: Names.phone)
        shared.announce()
        #expect(log.all.last?.types == [Names.mass, Names.steps])
        #expect(log.all.last?.sequences == 6...7)
        // Nobody observes, nobody watches; the next one begins with what is then.
        observation.cancel()
        #expect(shared.observerCount == 0)
        try there.save([.sample(.quantity(Names.mass, 3, "kg", from: 3))], as: Names.phone)
        let count = log.all.count
        let again = here.observeCommits { log.add($0) }
        shared.announce()
        #expect(shared.observerCount == 1)
        #expect(log.all.count == count)
        try there.save([.sample(.quantity(Names.mass, 3, "kg", from: 3))], as: Names.phone)
        shared.announce()
        #expect(log.all.last == Commit(types: [Names.mass], sequences: 9...9))
        try here.close()
        #expect(shared.observerCount == 0)
        again.cancel()
    }
}
