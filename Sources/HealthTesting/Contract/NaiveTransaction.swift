import Foundation
import HealthModel
import HealthStorage

/// The contract in arrays and loops, with nothing clever: what random programs are compared with.
final class NaiveTransaction: StorageTransaction {
    /// Keeps nothing apart.
    var baseState: StorageState? { nil }
    var state = NaiveState()

    func identity() throws -> StoreIdentity {
        StoreIdentity(uuid: ContractRows.uuid(0), seed: 0)
    }

    func lastSequence() throws -> Int64 {
        state.lastSequence
    }

    func visitPages(
        of type: TypeCode, in window: PageWindow, bodies: Bool, _ visit: (PageView) throws -> Bool
    ) throws {
        for page in state.pages.sorted(by: { $0.key < $1.key }) where page.key.type == type && page.isIn(window) {
            let goesOn = try page.header.withUnsafeBytes { header in
                try (bodies ? page.body : []).withUnsafeBytes { body in
                    try visit(PageView(key: page.key, bounds: page.bounds, header: header, body: body))
                }
            }
            guard goesOn else { return }
        }
    }

    func page(of type: TypeCode, forStart start: Double) throws -> StoredPage? {
        let all = state.pages.filter { $0.key.type == type }.sorted { $0.key < $1.key }
        return all.last { $0.key.firstStart <= start } ?? all.first
    }

    func pageBody(_ key: PageKey) throws -> [UInt8]? {
        state.pages.first { $0.key == key }?.body
    }

    func typesInUse() throws -> [TypeCode] {
        Set(state.pages.map(\.key.type) + state.objects.map(\.type)).sorted()
    }

    func visitObjects(
        of type: TypeCode, in window: PageWindow, _ visit: (StoredObject) throws -> Bool
    ) throws {
        var all = state.objects.filter { $0.type == type && $0.isIn(window) }
        if case .sequencesAfter = window {
            all.sort { $0.sequence < $1.sequence }
        } else {
            all.sort { ($0.start, $0.sequence) < ($1.start, $1.sequence) }
        }
        for object in all {
            guard try visit(object) else { return }
        }
    }

    func object(sequence: Int64) throws -> StoredObject? {
        state.objects.first { $0.sequence == sequence }
    }

    func links(ofOwner owner: Int64) throws -> [StoredLink] {
        state.links.filter { $0.owner == owner }.sorted { $0.member < $1.member }
    }

    func links(ofMember member: Int64) throws -> [StoredLink] {
        state.links.filter { $0.member == member }.sorted { $0.owner < $1.owner }
    }

    func linkedMembers(of memberType: TypeCode, ownerType: TypeCode) throws -> [Int64] {
        Set(state.links.filter { $0.memberType == memberType && $0.ownerType == ownerType }.map(\.member))
            .sorted()
    }

    func locate(_ uuid: UUID) throws -> StoredIdentity? {
        state.identities.first { $0.uuid == uuid }?.identity
    }

    func sync(_ key: StoredSync.Key) throws -> StoredSync? {
        state.syncs.first { $0.key == key }
    }

    func visitTombstones(
        after sequence: Int64, types: Set<TypeCode>?, _ visit: (StoredTombstone) throws -> Bool
    ) throws {
        for tombstone in state.tombstones.sorted(by: { $0.sequence < $1.sequence })
        where tombstone.sequence > sequence && types?.contains(tombstone.type) != false {
            guard try visit(tombstone) else { return }
        }
    }

    func dictionaries() throws -> StoreDictionaries {
        state.dictionaries
    }

    func value(namespace: String, key: String) throws -> [UInt8]? {
        state.settings.first { $0.namespace == namespace && $0.key == key }?.value
    }

    func values(namespace: String) throws -> [String: [UInt8]] {
        var values: [String: [UInt8]] = [:]
        for setting in state.settings where setting.namespace == namespace { values[setting.key] = setting.value }
        return values
    }
}
