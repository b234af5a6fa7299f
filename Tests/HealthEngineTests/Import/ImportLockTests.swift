import Dispatch
import Foundation
@testable import HealthEngine
@testable import HealthImport
import HealthModel
import HealthStorage
import Synchronization
import Testing

/// Two imports into one store: they run sequentially, and neither adds what the other has added.
@Suite struct ImportLockTests {
    private let name = "HKQuantityTypeIdentifierStepCount"

    private func steps(_ range: Range<Int>) -> BulkBatch {
        BulkBatchBuilder.batch(
            range.map {
                SampleRecord(
                    type: Names.steps, start: Double($0), end: Double($0) + 60, value: Double($0), unit: "count",
                    revision: SourceRevisionRecord(
                        source: SourceRecord(bundleIdentifier: "archive.Phone", name: "Phone")))
            })
    }

    @Test(arguments: TestStore.Backend.allCases)
    func theSecondWaitsForTheFirst(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        // Another process has its own engine.
        let other = try store.secondEngine() ?? store.engine
        let first = try store.engine.storage.beginImport { Issue.record("there is no other import") }
        var hasWaited = false
        let second = try other.storage.beginImport {
            hasWaited = true
            first.cancel()
        }
        #expect(hasWaited)
        second.cancel()
        try store.engine.storage.beginImport { Issue.record("there is no other import") }.cancel()
        guard let path = store.path else {
            #expect(backend != .file && backend != .encryptedFile)
            return
        }
        #expect(!FileManager.default.fileExists(atPath: path + "-import"))
        // A killed import leaves its file behind, but not its lock.
        _ = FileManager.default.createFile(atPath: path + "-import", contents: nil)
        try other.storage.beginImport { Issue.record("there is no other import") }.cancel()
        #expect(!FileManager.default.fileExists(atPath: path + "-import"))
        try other.close()
    }

    @Test(arguments: TestStore.Backend.allCases)
    func onlyOneHasTheLock(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        let count = Mutex((now: 0, most: 0, all: 0))
        let engine = store.engine
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            guard let lock = try? engine.storage.beginImport(onWaiting: {}) else {
                Issue.record("the lock can't be had")
                return
            }
            count.withLock { ($0.now, $0.most, $0.all) = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
            count.withLock { $0.now -= 1 }
            lock.cancel()
        }
        #expect(count.withLock { $0.most } == 1 && count.withLock { $0.all } == 16)
    }

    @Test(arguments: TestStore.Backend.allCases)
    func samplesImportedMeanwhileAreMatched(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend, pageCapacity: 7)
        let (one, two) = (BulkImport(engine: store.engine), BulkImport(engine: store.engine))
        #expect(try one.commit(steps(0..<20)).added == [name: 20])
        #expect(try two.commit(steps(0..<30)) == BulkOutcome(added: [name: 10], alreadyThere: [name: 20]))
        #expect(try one.commit(steps(20..<40)) == BulkOutcome(added: [name: 10], alreadyThere: [name: 10]))
        #expect(try two.commit(steps(30..<50)) == BulkOutcome(added: [name: 10], alreadyThere: [name: 10]))
        #expect(try one.commit(steps(40..<50)) == BulkOutcome(alreadyThere: [name: 10]))
        // Equal samples of one archive stay two, in whatever batch they are.
        #expect(try one.commit(steps(0..<5)).added == [name: 5])
        #expect(try StoredSamples(store.engine)[Names.steps].count == 55)
        #expect(try store.engine.check() == [])
    }

    @Test(arguments: TestStore.Backend.allCases)
    func aRejectedBatchTakesNothingFromTheOthers(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        let (one, two) = (BulkImport(engine: store.engine), BulkImport(engine: store.engine))
        #expect(try one.commit(steps(0..<10)).added == [name: 10])
        #expect(try two.commit(steps(0..<20)).added == [name: 10])
        var broken = steps(10..<20)
        broken.columns[0].ends[0] = -1
        #expect(throws: EngineError.self) { try one.commit(broken) }
        #expect(try one.commit(steps(10..<20)) == BulkOutcome(alreadyThere: [name: 10]))
        #expect(try one.commit(steps(0..<10)).added == [name: 10])
        #expect(try StoredSamples(store.engine)[Names.steps].count == 30)
    }
}
