import Dispatch
import Foundation
import HealthModel
import HealthStorage

extension StorageContract {
    /// A snapshot does not change while another thread commits.
    ///
    ///     reader                       writer
    ///     opens a snapshot, counts
    ///                          ── 1 →
    ///                                  commits
    ///                          ← 2 ──
    ///     counts again: the same
    func checkIsolation() throws {
        let storage = try makeStorage()
        try storage.write { try writeEverything(1, in: $0) }
        let before = try contents(storage)
        let isOpen = DispatchSemaphore(value: 0)
        let isCommitted = DispatchSemaphore(value: 0)
        let threads = ContractThreads()
        threads.start {
            isOpen.wait()
            defer { isCommitted.signal() }
            try storage.write { transaction in
                try self.writeEverything(2, in: transaction)
                try transaction.removePage(before.pages[0].key)
                try transaction.removeObject(sequence: before.objects[0].sequence)
            }
        }
        try storage.read { snapshot in
            let first = try StorageContents(of: snapshot)
            isOpen.signal()
            isCommitted.wait()
            try expect(try StorageContents(of: snapshot), equals: first, "a snapshot while another commits")
            try expect(first.pages == before.pages, "the snapshot's pages")
        }
        try threads.join()
        let after = try contents(storage)
        try expect(after.pages.count, equals: 1, "pages seen afterwards")
        try expect(after.pages != before.pages, "the new page seen afterwards")
    }

    /// Several readers run at the same time during a transaction and see the state before it.
    ///
    ///     writer                       readers
    ///     writes, does not return
    ///                          ── 1 →
    ///                                  all read, all inside at the same time
    ///                          ← 2 ──
    ///     commits
    func checkConcurrentReaders() throws {
        let storage = try makeStorage()
        try storage.write { try writeEverything(1, in: $0) }
        let before = try contents(storage)
        let readers = 4
        let areInside = DispatchSemaphore(value: 0)
        let mayLeave = DispatchSemaphore(value: 0)
        let threads = ContractThreads()
        try storage.write { transaction in
            try writeEverything(2, in: transaction)
            for _ in 0..<readers {
                threads.start {
                    try storage.read { snapshot in
                        areInside.signal()
                        mayLeave.wait()
                        try self.expect(
                            try StorageContents(of: snapshot).pages == before.pages,
                            "a reader while a transaction is open")
                    }
                }
            }
            for _ in 0..<readers { areInside.wait() }
            for _ in 0..<readers { mayLeave.signal() }
            try threads.join()
        }
        try expect(try contents(storage).pages.count, equals: 2, "pages after the transaction")
    }

    /// Transactions of several threads are serialized, and none is lost.
    func checkWritersTakeTurns() throws {
        let storage = try makeStorage()
        let (writers, turns) = (4, 25)
        let threads = ContractThreads()
        for writer in 0..<writers {
            threads.start {
                for turn in 0..<turns {
                    try storage.write { transaction in
                        let first = try transaction.allocateSequences(2)
                        let count = try transaction.value(namespace: "a", key: "count")?.first ?? 0
                        try transaction.setValue([count + 1], namespace: "a", key: "count")
                        try transaction.putPage(ContractRows.page(start: Double(first), sequence: first))
                        _ = try transaction.intern(unit: "\(writer) \(turn)")
                        _ = try transaction.intern(unit: "shared \(turn)")
                    }
                }
            }
        }
        try threads.join()
        try storage.read { snapshot in
            let all = try StorageContents(of: snapshot)
            try expect(
                try snapshot.value(namespace: "a", key: "count") == [UInt8(writers * turns)], "all increments counted")
            try expect(all.lastSequence, equals: Int64(writers * turns * 2), "all sequence numbers allocated")
            try expect(
                all.pages.map(\.key.firstSequence) == (0..<writers * turns).map { Int64($0 * 2 + 1) },
                "no sequence number twice")
            try expect(Set(all.units).count, equals: turns * (writers + 1), "every entry once")
            try expect(all.units.count, equals: turns * (writers + 1), "no entry twice")
        }
    }
}
