import Foundation
import HealthModel
import HealthStorage

/// The simplest implementation of the contract, in arrays and loops, with which random programs are compared.
final class NaiveTransaction: StorageTransaction {
    /// States are not distinguished.
    var baseState: StorageState? { nil }
    var state = NaiveState()

    func identity() throws -> StoreIdentity {
        state.identity
    }

    func adopt(_ identity: StoreIdentity) throws {
        state.identity = identity
    }

    func visitIdentities(_ visit: (UUID, StoredIdentity) throws -> Bool) throws {
        for (uuid, identity) in state.identities {
            guard try visit(uuid, identity) else { return }
        }
    }

    func visitSyncs(_ visit: (StoredSync) throws -> Bool) throws {
        for sync in state.syncs {
            guard try visit(sync) else { return }
        }
    }

    func namespaces() throws -> Set<String> {
        Set(state.settings.map(\.namespace))
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

    func page(before key: PageKey) throws -> StoredPage? {
        var last = state.pages.filter { $0.key.type == key.type && $0.key < key }.max { $0.key < $1.key }
        last?.body = []
        return last
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

extension NaiveTransaction {
    func allocateSequences(_ count: Int) throws -> Int64 {
        state.lastSequence += Int64(count)
        return state.lastSequence - Int64(count) + 1
    }

    func putPage(_ page: StoredPage, replacing previous: PageLocation?) throws -> PageLocation? {
        try removePage(page.key)
        state.pages.append(page)
        return nil
    }

    func removePage(_ key: PageKey) throws {
        state.pages.removeAll { $0.key == key }
    }

    func putObject(_ object: StoredObject) throws {
        let previous = try self.object(sequence: object.sequence)?.uuid
        if let uuid = object.uuid, uuid != previous, try locate(uuid) != nil {
            throw StorageError(.duplicate, "duplicate")
        }
        if let previous { try removeIdentity(previous) }
        if let uuid = object.uuid {
            try putIdentity(uuid, StoredIdentity(type: object.type, sequence: object.sequence))
        }
        state.objects.removeAll { $0.sequence == object.sequence }
        state.objects.append(object)
    }

    func removeObject(sequence: Int64) throws {
        guard let object = try object(sequence: sequence) else { return }
        if let uuid = object.uuid { try removeIdentity(uuid) }
        state.objects.removeAll { $0.sequence == sequence }
        state.links.removeAll { $0.owner == sequence || $0.member == sequence }
    }

    func addLink(_ link: StoredLink) throws {
        state.links.removeAll { $0.owner == link.owner && $0.member == link.member }
        state.links.append(link)
    }

    func removeLinks(ofMember member: Int64) throws {
        state.links.removeAll { $0.member == member }
    }

    func replaceMember(_ member: Int64, with successor: Int64) throws {
        for link in state.links where link.member == member {
            state.links.removeAll { $0 == link }
            var moved = link
            moved.member = successor
            try addLink(moved)
        }
    }

    func putIdentity(_ uuid: UUID, _ identity: StoredIdentity) throws {
        guard try locate(uuid) == nil else { throw StorageError(.duplicate, "duplicate") }
        state.identities.append((uuid, identity))
    }

    func removeIdentity(_ uuid: UUID) throws {
        state.identities.removeAll { $0.uuid == uuid }
    }

    func putSync(_ sync: StoredSync) throws {
        try removeSync(sync.key)
        state.syncs.append(sync)
    }

    func removeSync(_ key: StoredSync.Key) throws {
        state.syncs.removeAll { $0.key == key }
    }

    func putTombstone(_ tombstone: StoredTombstone) throws {
        guard !state.tombstones.contains(where: { $0.sequence == tombstone.sequence }) else {
            throw StorageError(.duplicate, "duplicate")
        }
        state.tombstones.append(tombstone)
    }

    func intern(_ entry: DictionaryEntry) throws -> UInt32 {
        switch entry {
        case .source(let source): return Self.number(of: source, in: &state.dictionaries.sources)
        case .revision(let revision):
            _ = try intern(revision.source)
            return Self.number(of: revision, in: &state.dictionaries.revisions)
        case .device(let device): return Self.number(of: device, in: &state.dictionaries.devices)
        case .unit(let unit): return Self.number(of: unit, in: &state.dictionaries.units)
        case .type(let identifier, let kind):
            if let known = state.dictionaries.type(identifier: identifier) { return known.code.rawValue }
            let code = TypeCode.firstUnknown.rawValue + UInt32(state.dictionaries.types.count)
            state.dictionaries.types.append(
                TypeDescription(code: TypeCode(rawValue: code), identifier: identifier, kind: kind))
            return code
        }
    }

    func setValue(_ value: [UInt8]?, namespace: String, key: String) throws {
        state.settings.removeAll { $0.namespace == namespace && $0.key == key }
        if let value { state.settings.append((namespace, key, value)) }
    }

    private static func number<Entry: Equatable>(of entry: Entry, in entries: inout [Entry]) -> UInt32 {
        if let index = entries.firstIndex(of: entry) { return UInt32(index + 1) }
        entries.append(entry)
        return UInt32(entries.count)
    }
}

/// The rows of a `NaiveTransaction`.
struct NaiveState {
    var identity = StoreIdentity(uuid: ContractRows.uuid(0), seed: 0)
    var lastSequence: Int64 = 0
    var pages: [StoredPage] = []
    var objects: [StoredObject] = []
    var links: [StoredLink] = []
    var identities: [(uuid: UUID, identity: StoredIdentity)] = []
    var syncs: [StoredSync] = []
    var tombstones: [StoredTombstone] = []
    var dictionaries = StoreDictionaries()
    var settings: [(namespace: String, key: String, value: [UInt8])] = []
}
