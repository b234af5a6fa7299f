import Foundation
import HealthModel
import HealthStorage

/// Forwards writes or makes them fail.
final class FaultTransaction: FaultSnapshot, StorageTransaction {
    private let transaction: any StorageTransaction

    init(_ transaction: any StorageTransaction, _ plan: FaultPlan) {
        self.transaction = transaction
        super.init(transaction, plan)
    }

    private func writing() throws -> any StorageTransaction {
        try plan.pass(.write)
        return transaction
    }

    var baseState: StorageState? { transaction.baseState }

    func allocateSequences(_ count: Int) throws -> Int64 {
        try writing().allocateSequences(count)
    }

    func putPage(_ page: StoredPage, replacing previous: PageLocation?) throws -> PageLocation? {
        try writing().putPage(page, replacing: previous)
    }

    func removePage(_ key: PageKey) throws {
        try writing().removePage(key)
    }

    func putObject(_ object: StoredObject) throws {
        try writing().putObject(object)
    }

    func removeObject(sequence: Int64) throws {
        try writing().removeObject(sequence: sequence)
    }

    func addLink(_ link: StoredLink) throws {
        try writing().addLink(link)
    }

    func addLinks(_ links: [StoredLink]) throws {
        try writing().addLinks(links)
    }

    func removeLinks(ofMember member: Int64) throws {
        try writing().removeLinks(ofMember: member)
    }

    func replaceMember(_ member: Int64, with successor: Int64) throws {
        try writing().replaceMember(member, with: successor)
    }

    func adopt(_ identity: StoreIdentity) throws {
        try writing().adopt(identity)
    }

    func putIdentity(_ uuid: UUID, _ identity: StoredIdentity) throws {
        try writing().putIdentity(uuid, identity)
    }

    func removeIdentity(_ uuid: UUID) throws {
        try writing().removeIdentity(uuid)
    }

    func putSync(_ sync: StoredSync) throws {
        try writing().putSync(sync)
    }

    func removeSync(_ key: StoredSync.Key) throws {
        try writing().removeSync(key)
    }

    func putTombstone(_ tombstone: StoredTombstone) throws {
        try writing().putTombstone(tombstone)
    }

    func intern(_ entry: DictionaryEntry) throws -> UInt32 {
        try writing().intern(entry)
    }

    func setValue(_ value: [UInt8]?, namespace: String, key: String) throws {
        try writing().setValue(value, namespace: namespace, key: key)
    }
}
