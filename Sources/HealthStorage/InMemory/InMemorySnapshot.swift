import Foundation
import HealthModel

/// Reads a state. The counterpart of `InMemoryTransaction`.
class InMemorySnapshot: StorageSnapshot {
    final var state: InMemoryState

    init(state: InMemoryState) {
        self.state = state
    }

    final func identity() throws -> StoreIdentity {
        state.identity
    }

    final func lastSequence() throws -> Int64 {
        state.lastSequence
    }

    final func dictionaries() throws -> StoreDictionaries {
        state.dictionaries.dictionaries
    }

    final func value(namespace: String, key: String) throws -> [UInt8]? {
        state.settings[namespace]?[key]
    }

    final func values(namespace: String) throws -> [String: [UInt8]] {
        state.settings[namespace] ?? [:]
    }

    final func namespaces() throws -> Set<String> {
        Set(state.settings.filter { !$0.value.isEmpty }.keys)
    }

    final func visitIdentities(_ visit: (UUID, StoredIdentity) throws -> Bool) throws {
        for chunk in state.identities.chunks {
            for (uuid, identity) in zip(chunk.keys, chunk.rows) {
                guard try visit(uuid, identity) else { return }
            }
        }
    }

    final func visitSyncs(_ visit: (StoredSync) throws -> Bool) throws {
        for chunk in state.syncs.chunks {
            for sync in chunk.rows {
                guard try visit(sync) else { return }
            }
        }
    }
}

extension InMemorySnapshot {
    final func visitPages(
        of type: TypeCode, in window: PageWindow, bodies: Bool,
        _ visit: (PageView) throws -> Bool
    ) throws {
        guard let search = window.search() else { return }
        let before = PageKey(type: type, firstStart: -.infinity, firstSequence: .min)
        try state.pages.visit(from: before) { key, page in
            guard key.type == type else { return false }
            let bounds = page.bounds
            switch search {
            case .starts(let starts, let earliestEnd):
                if key.firstStart > starts.upperBound { return false }
                if bounds.maximumEnd < earliestEnd { return true }
            case .sequences(let sequences):
                if !sequences.overlaps(bounds.minimumSequence...bounds.maximumSequence) { return true }
            }
            return try page.withView(bodies: bodies, visit)
        }
    }

    final func page(of type: TypeCode, forStart start: Double) throws -> StoredPage? {
        let after = state.pages.firstPosition(
            atOrAbove: PageKey(type: type, firstStart: start.nextUp, firstSequence: .min))
        if let last = state.pages.position(before: after), let found = state.pages.row(at: last), found.key.type == type
        {
            return found.row
        }
        guard let first = state.pages.row(at: after), first.key.type == type else { return nil }
        return first.row
    }

    final func page(before key: PageKey) throws -> StoredPage? {
        guard let last = state.pages.position(before: state.pages.firstPosition(atOrAbove: key)),
            let found = state.pages.row(at: last), found.key.type == key.type
        else { return nil }
        var page = found.row
        page.body = []
        return page
    }

    final func pageBody(_ key: PageKey) throws -> [UInt8]? {
        state.pages[key]?.body
    }

    final func typesInUse() throws -> [TypeCode] {
        var types: Set<TypeCode> = []
        var next = TypeCode(rawValue: 0)
        while true {
            let position = state.pages.firstPosition(
                atOrAbove: PageKey(type: next, firstStart: -.infinity, firstSequence: .min))
            guard let found = state.pages.row(at: position)?.key.type else { break }
            types.insert(found)
            guard found.rawValue < .max else { break }
            next = TypeCode(rawValue: found.rawValue + 1)
        }
        state.objects.visit(
            from: InMemoryObjectKey(type: TypeCode(rawValue: 0), start: -.infinity, sequence: .min)
        ) { key, _ in
            types.insert(key.type)
            return true
        }
        return types.sorted()
    }
}

extension InMemorySnapshot {
    final func visitObjects(
        of type: TypeCode, in window: PageWindow, _ visit: (StoredObject) throws -> Bool
    ) throws {
        switch window.search() {
        case nil: return
        case .starts(let starts, let earliestEnd)?:
            let before = InMemoryObjectKey(type: type, start: -.infinity, sequence: .min)
            try state.objects.visit(from: before) { key, object in
                guard key.type == type, key.start <= starts.upperBound else { return false }
                return object.end < earliestEnd ? true : try visit(object)
            }
        case .sequences(let sequences)?:
            try state.objectKeys.visit(from: sequences.lowerBound) { sequence, key in
                guard sequence <= sequences.upperBound else { return false }
                guard key.type == type, let object = state.objects[key] else { return true }
                return try visit(object)
            }
        }
    }

    final func object(sequence: Int64) throws -> StoredObject? {
        state.objectKeys[sequence].flatMap { state.objects[$0] }
    }

    final func locate(_ uuid: UUID) throws -> StoredIdentity? {
        state.identities[uuid]
    }

    final func sync(_ key: StoredSync.Key) throws -> StoredSync? {
        state.syncs[InMemorySyncKey(key: key)]
    }

    final func visitTombstones(
        after sequence: Int64, types: Set<TypeCode>?, _ visit: (StoredTombstone) throws -> Bool
    ) throws {
        guard sequence < .max else { return }
        try state.tombstones.visit(from: sequence + 1) { _, tombstone in
            if let types, !types.contains(tombstone.type) { return true }
            return try visit(tombstone)
        }
    }
}

extension InMemorySnapshot {
    final func links(ofOwner owner: Int64) throws -> [StoredLink] {
        Self.links(from: owner, in: state.linksOfOwners)
    }

    final func links(ofMember member: Int64) throws -> [StoredLink] {
        Self.links(from: member, in: state.linksOfMembers)
    }

    final func linkedMembers(of memberType: TypeCode, ownerType: TypeCode) throws -> [Int64] {
        var members: [Int64] = []
        let before = InMemoryLinkTypeKey(ownerType: ownerType, memberType: memberType, member: .min, owner: .min)
        state.linksOfTypes.visit(from: before) { key, _ in
            guard key.ownerType == ownerType, key.memberType == memberType else { return false }
            if members.last != key.member { members.append(key.member) }
            return true
        }
        return members
    }

    private static func links(
        from near: Int64, in table: InMemoryTable<InMemoryLinkKey, StoredLink>
    ) -> [StoredLink] {
        var links: [StoredLink] = []
        table.visit(from: InMemoryLinkKey(near: near, far: .min)) { key, link in
            guard key.near == near else { return false }
            links.append(link)
            return true
        }
        return links
    }
}
