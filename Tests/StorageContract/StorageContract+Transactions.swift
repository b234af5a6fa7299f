import Foundation
import HealthModel
import HealthStorage

extension StorageContract {
    /// Writes rows of every kind, which `number` distinguishes.
    func writeEverything(_ number: Int, in transaction: any StorageTransaction) throws {
        let sequence = try transaction.allocateSequences(3)
        try transaction.putPage(ContractRows.page(start: Double(number), sequence: sequence, bytes: 3_000))
        try transaction.putObject(ContractRows.object(sequence + 1, uuid: ContractRows.uuid(UInt8(number))))
        try transaction.addLink(ContractRows.link(sequence + 1, sequence))
        try transaction.putIdentity(
            ContractRows.uuid(UInt8(number + 20)), StoredIdentity(type: ContractRows.paged, sequence: sequence))
        try transaction.putSync(
            StoredSync(
                key: .init(source: "s", type: ContractRows.paged, identifier: "i"), version: Double(number),
                sequence: sequence))
        try transaction.putTombstone(
            StoredTombstone(sequence: sequence + 2, type: ContractRows.paged, uuid: ContractRows.uuid(3)))
        _ = try transaction.intern(
            SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "\(number)", name: "\(number)")))
        _ = try transaction.intern(DeviceRecord(name: "\(number)"))
        _ = try transaction.intern(unit: "\(number)")
        _ = try transaction.intern(typeIdentifier: "type \(number)", kind: .quantity)
        try transaction.setValue([UInt8(number)], namespace: "a", key: "k")
    }

    func checkRollback() throws {
        let storage = try makeStorage()
        try storage.write { try writeEverything(1, in: $0) }
        let before = try contents(storage)
        try expectInterruption("a transaction whose closure throws") {
            try storage.write { transaction in
                try writeEverything(2, in: transaction)
                try transaction.removePage(before.pages[0].key)
                try transaction.removeObject(sequence: before.objects[0].sequence)
                throw Interruption()
            }
        }
        try expect(try contents(storage), equals: before, "after a transaction that failed")
        try expect(.duplicate, "a transaction that fails in storage") {
            try storage.write { transaction in
                try writeEverything(2, in: transaction)
                try writeEverything(2, in: transaction)
            }
        }
        try expect(try contents(storage), equals: before, "after a transaction that failed in storage")
        try storage.write { try writeEverything(2, in: $0) }
        let after = try contents(storage)
        try expect(after.pages.count, equals: 2, "pages after the next transaction")
        try expect(after.lastSequence, equals: 6, "numbers after the next transaction")
    }

    func checkStates() throws {
        let storage = try makeStorage()
        func state(failing: Bool = false, _ number: Int) throws -> StorageState? {
            var base: StorageState?
            do {
                try storage.write { transaction in
                    base = transaction.baseState
                    try writeEverything(number, in: transaction)
                    if failing { throw Interruption() }
                }
            } catch is Interruption {}
            return base
        }
        guard let first = try state(1) else { return }
        let second = try state(failing: true, 2)
        try expect(second, equals: first.afterCommit, "the state after a commit")
        try expect(try state(2), equals: second, "the state after a transaction that failed")
        let fourth = try state(3)
        try expect(fourth, equals: first.afterCommit.afterCommit, "the state after two commits")
    }

    func checkOwnWrites() throws {
        let storage = try makeStorage()
        try storage.write { transaction in
            try writeEverything(1, in: transaction)
            let inside = try StorageContents(of: transaction)
            try expect(inside.pages.count, equals: 1, "the transaction's own page")
            try expect(inside.objects.count, equals: 1, "the transaction's own object")
            try expect(inside.links.count, equals: 1, "the transaction's own link")
            try expect(inside.tombstones.count, equals: 1, "the transaction's own deletion")
            try expect(inside.units, equals: ["1"], "the transaction's own unit")
            try expect(try transaction.value(namespace: "a", key: "k") == [1], "the transaction's own setting")
            try expect(
                try transaction.page(of: ContractRows.paged, forStart: 1) != nil, "the transaction's own page by start")
            // Readers still see the previous state.
            try expect(try contents(storage).pages.isEmpty, "a reader during the transaction")
        }
        try expect(try contents(storage).pages.count, equals: 1, "a reader after the transaction")
        let value = try storage.write { _ in 42 } + storage.read { _ in 1 }
        try expect(value, equals: 43, "the return value of closures")
    }

    func checkReopening() throws {
        guard let reopen else { return }
        var storage = try makeStorage()
        let identity = try storage.read { try $0.identity() }
        storage = try reopen(storage)
        for number in 1...3 {
            try storage.write { try writeEverything(number, in: $0) }
            let before = try contents(storage)
            storage = try reopen(storage)
            try expect(try contents(storage), equals: before, "opened again")
            try expect(try storage.read { try $0.identity() }, equals: identity, "the identity opened again")
        }
        let other = StoreIdentity(uuid: ContractRows.uuid(9), seed: 9)
        try storage.write { transaction in
            try transaction.adopt(other)
            try expect(try transaction.identity(), equals: other, "an identity adopted in the transaction")
        }
        storage = try reopen(storage)
        try expect(try storage.read { try $0.identity() }, equals: other, "an identity adopted")
        try storage.write { transaction in
            try expect(try transaction.allocateSequences(1), equals: 10, "sequence numbers continue")
            try expect(try transaction.intern(unit: "2"), equals: 2, "existing entries keep their numbers")
            try expect(try transaction.intern(unit: "new"), equals: 4, "new entries continue")
        }
        try storage.close()
    }

    func checkClosing() throws {
        let storage = try makeStorage()
        try storage.write { try writeEverything(1, in: $0) }
        try storage.close()
        try storage.close()
        try expect(.closed, "reading after closing") { _ = try storage.read { try $0.lastSequence() } }
        try expect(.closed, "writing after closing") { _ = try storage.write { try $0.allocateSequences(1) } }
    }

    func checkForeignCommits() throws {
        let storage = try makeStorage()
        let calls = ContractCounter()
        let subscription = storage.observeForeignCommits { calls.increment() }
        for number in 1...3 { try storage.write { try writeEverything(number, in: $0) } }
        subscription.cancel()
        subscription.cancel()
        try storage.close()
        try expect(calls.value, equals: 0, "notifications of own commits")
    }
}
