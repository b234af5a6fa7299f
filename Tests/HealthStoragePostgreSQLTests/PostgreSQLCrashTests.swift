import Foundation
import HealthModel
import HealthStorage
import HealthStoragePostgreSQL
import PostgreSQLTestSupport
import Synchronization
import Testing

/// The server is killed while several writers save: nothing acknowledged is lost, and nothing is saved twice.
@Suite(.serialized) struct PostgreSQLCrashTests {
    /// The number of times to kill the server instead of the usual few.
    private static let variable = "POSTGRESQL_KILLS"

    @Test func killedServersLoseAndRepeatNothing() throws {
        let kills = ProcessInfo.processInfo.environment[Self.variable].flatMap { Int($0) } ?? 8
        let server = try PostgreSQLServer(settings: ["fsync = on", "synchronous_commit = on"])
        // Two writers of one person, with separate connections, and one of another person.
        let people = try (0..<2).map { _ in try TestPeople(schema: "crash", server: server) }
        let writers = try [("shared", 0), ("shared", 1), ("other", 0)].enumerated().map { index, place in
            CrashWriter(index, try people[place.1].database.storage(ofPerson: place.0))
        }
        let progress = Progress()
        let mustStop = Mutex(false)
        let group = DispatchGroup()
        for writer in writers {
            group.enter()
            Thread.detachNewThread {
                while !mustStop.withLock({ $0 }), writer.step() { progress.add() }
                group.leave()
            }
        }
        for kill in 0..<kills {
            // Every kill comes at another moment of the writers' work.
            #expect(progress.wait(for: progress.count + 3 + kill % 7))
            try server.kill()
            try server.start()
        }
        #expect(progress.wait(for: progress.count + 10))
        mustStop.withLock { $0 = true }
        group.wait()

        for writer in writers {
            #expect(writer.problems.isEmpty)
            let stored = try writer.storedNumbers()
            #expect(stored == Array(0..<writer.acknowledged), "writer \(writer.index)")
        }
        let total = writers.reduce(0) { $0 + $1.acknowledged }
        let errors = writers.reduce(0) { $0 + $1.errors }
        print("\(kills) kills: \(total) transactions acknowledged, \(errors) failed and were repeated by the writer.")
    }

    /// A restart is not noticed: readers and writers continue with new connections.
    @Test func anOrderlyRestartIsNotNoticed() throws {
        let server = try PostgreSQLServer()
        let people = try TestPeople(server: server)
        let storage = try people.makeStorage()
        try storage.write { try $0.putPage(Rows.page(1)) }
        try server.stop()
        try server.start()
        #expect(try Rows.pages(in: storage) == [1])
        try storage.read { snapshot in
            #expect(try snapshot.lastSequence() == 0)
            try server.stop()
            try server.start()
            // Nothing was committed in the meantime, so the snapshot is the same.
            #expect(try snapshot.pageBody(Rows.page(1).key) == Rows.page(1).body)
        }
        try storage.write { transaction in
            let first = try transaction.allocateSequences(1)
            try transaction.putPage(Rows.page(2))
            #expect(try transaction.pageBody(Rows.page(2).key) == Rows.page(2).body)
            try server.stop()
            try server.start()
            // What the transaction wrote before is written again.
            try transaction.putPage(Rows.page(3))
            #expect(try transaction.pageBody(Rows.page(2).key) == Rows.page(2).body)
            #expect(try transaction.lastSequence() == first)
        }
        #expect(try Rows.pages(in: storage) == [1, 2, 3])
    }

    /// A snapshot that can't be continued, because another writer has committed in the meantime, ends with an error.
    @Test func aSnapshotDoesNotMixStates() throws {
        let server = try PostgreSQLServer()
        let people = try TestPeople(server: server)
        let storage = try people.makeStorage()
        try storage.write { try $0.putPage(Rows.page(1)) }
        #expect(throws: StorageError.self) {
            try storage.read { snapshot in
                _ = try snapshot.page(of: Rows.paged, forStart: 0)
                try server.kill()
                try server.start()
                let other = try people.database.storage(ofPerson: storage.personName)
                try other.write { try $0.putPage(Rows.page(2)) }
                _ = try snapshot.pageBody(Rows.page(2).key)
            }
        }
        // A writer's transaction neither, and nothing of it remains.
        #expect(throws: StorageError.self) {
            try storage.write { transaction in
                try transaction.putPage(Rows.page(3))
                _ = try transaction.typesInUse()
                try server.kill()
                try server.start()
                let other = try people.database.storage(ofPerson: storage.personName)
                try other.write { try $0.putPage(Rows.page(4)) }
            }
        }
        #expect(try Rows.pages(in: storage) == [1, 2, 4])
    }

    /// Those who wait for connections don't add up the time for which each one is tried again.
    @Test func waitsDoNotAddUp() throws {
        let server = try PostgreSQLServer()
        var options = PostgreSQLOptions()
        options.reconnectTimeout = 1
        options.maximumConnections = 2
        let people = try TestPeople(options: options, server: server)
        let storage = try people.makeStorage()
        try server.kill()
        let kinds = Mutex<[StorageError.Kind?]>([])
        let start = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            for _ in 0..<15 {
                let failed = Result { try storage.read { try $0.lastSequence() } }
                if case .failure(let error) = failed { kinds.withLock { $0.append((error as? StorageError)?.kind) } }
            }
        }
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(kinds.withLock { $0 } == Array(repeating: .unreachable, count: 30))
        try server.start()
        // The next attempt is made within a second.
        while (try? Rows.pages(in: storage)) == nil { sched_yield() }
        #expect(try Rows.pages(in: storage) == [])
    }

    @Test func aServerThatDoesNotComeBackIsReported() throws {
        let server = try PostgreSQLServer()
        var options = PostgreSQLOptions()
        options.reconnectTimeout = 0.1
        let people = try TestPeople(options: options, server: server)
        let storage = try people.makeStorage()
        try server.kill()
        #expect(throws: StorageError.self) { try storage.read { try $0.lastSequence() } }
        let error = #expect(throws: StorageError.self) { try storage.write { try $0.allocateSequences(1) } }
        #expect(error?.kind == .unreachable)
    }
}

/// Writes numbered transactions, each with an object that says who wrote it.
private final class CrashWriter: Sendable {
    let index: Int
    private let storage: PostgreSQLStorage
    private let state = Mutex((acknowledged: 0, errors: 0, problems: [String]()))

    init(_ index: Int, _ storage: PostgreSQLStorage) {
        self.index = index
        self.storage = storage
    }

    var acknowledged: Int { state.withLock { $0.acknowledged } }
    var errors: Int { state.withLock { $0.errors } }
    var problems: [String] { state.withLock { $0.problems } }

    /// Writes the next transaction, again if nothing of it was saved. Returns whether to continue.
    func step() -> Bool {
        let number = acknowledged
        do {
            try storage.write { transaction in
                let sequence = try transaction.allocateSequences(1)
                if number % 3 == 0 { _ = try transaction.typesInUse() }
                try transaction.putObject(
                    StoredObject(
                        sequence: sequence, uuid: number % 2 == 0 ? UUID() : nil, type: Rows.object, start: 0, end: 0,
                        revision: 0, device: 0, payload: Array("\(index) \(number)".utf8)))
                try transaction.setValue(Array("\(number)".utf8), namespace: "writer", key: "\(index)")
                if number % 5 == 0 { _ = try transaction.intern(unit: "\(index) \(number)") }
            }
            state.withLock { $0.acknowledged += 1 }
        } catch let error as StorageError {
            state.withLock { $0.errors += 1 }
            if error.kind == .unknownOutcome, let stored = try? storedNumbers() {
                // The application looks for itself.
                if stored.contains(number) { state.withLock { $0.acknowledged += 1 } }
                return true
            }
            guard error.kind == .unreachable || error.kind == .busy || error.kind == .unknownOutcome else {
                state.withLock { $0.problems.append("\(error)") }
                return false
            }
            // Any other error says that nothing was saved.
            if let stored = try? storedNumbers(), stored.contains(number) {
                state.withLock { $0.problems.append("number \(number) was saved in spite of: \(error)") }
                return false
            }
        } catch {
            state.withLock { $0.problems.append("\(error)") }
            return false
        }
        return true
    }

    /// The numbers of this writer's objects in the order of their sequence numbers.
    func storedNumbers() throws -> [Int] {
        try storage.read { snapshot in
            var numbers: [Int] = []
            try snapshot.visitObjects(of: Rows.object, in: .sequencesAfter(0)) { object in
                let words = String(decoding: object.payload, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
                if words[0] == index { numbers.append(words[1]) }
                return true
            }
            return numbers
        }
    }
}
