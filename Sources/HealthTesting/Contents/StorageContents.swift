public import Foundation
public import HealthModel
public import HealthStorage

/// What a store holds, as a value: two states of a store, or of two stores, can be compared whole.
///
/// Identities, sync identifiers, links and settings can only be asked for one by one: those that
/// ``StorageProbes`` names are in it.
public struct StorageContents: Hashable, Sendable {
    /// The last sequence handed out.
    public var lastSequence: Int64 = 0
    /// Codes of the types in use, ascending.
    public var types: [TypeCode] = []
    /// All pages with their bodies, by type and key.
    public var pages: [StoredPage] = []
    /// All object rows, by type and start.
    public var objects: [StoredObject] = []
    /// Links of all objects and of the owners probed for, by owner.
    public var links: [StoredLink] = []
    /// Where the UUIDs probed for lead to; those that lead nowhere are missing.
    public var identities: [UUID: StoredIdentity] = [:]
    /// What stands for the sync identifiers probed for.
    public var syncs: [StoredSync] = []
    /// All deletions, by sequence.
    public var tombstones: [StoredTombstone] = []
    /// All sources, by number.
    public var sources: [SourceRecord] = []
    /// All source revisions, by number.
    public var revisions: [SourceRevisionRecord] = []
    /// All devices, by number.
    public var devices: [DeviceRecord] = []
    /// All unit strings, by number.
    public var units: [String] = []
    /// Types outside the catalog that the store has met.
    public var storeTypes: [TypeDescription] = []
    /// Settings of the namespaces probed for, by namespace and key.
    public var settings: [String: [String: [UInt8]]] = [:]

    /// Reads all of a snapshot.
    public init(of snapshot: any StorageSnapshot, probes: StorageProbes = StorageProbes()) throws {
        lastSequence = try snapshot.lastSequence()
        types = try snapshot.typesInUse()
        var owners = probes.owners
        for type in types {
            try snapshot.visitPages(of: type, in: .all, bodies: true) {
                pages.append($0.copy)
                return true
            }
            try snapshot.visitObjects(of: type, in: .all) {
                objects.append($0)
                owners.insert($0.sequence)
                return true
            }
        }
        for owner in owners.sorted() { links += try snapshot.links(ofOwner: owner) }
        for uuid in probes.uuids { identities[uuid] = try snapshot.locate(uuid) }
        for key in probes.syncKeys {
            if let sync = try snapshot.sync(key) { syncs.append(sync) }
        }
        try snapshot.visitTombstones(after: 0, types: nil) {
            tombstones.append($0)
            return true
        }
        let dictionaries = try snapshot.dictionaries()
        sources = dictionaries.sources
        revisions = dictionaries.revisions
        devices = dictionaries.devices
        units = dictionaries.units
        storeTypes = dictionaries.types
        for namespace in probes.namespaces { settings[namespace] = try snapshot.values(namespace: namespace) }
    }

    /// The names of the parts that differ, for a message that shows no data.
    public func differences(from other: StorageContents) -> [String] {
        var names: [String] = []
        if lastSequence != other.lastSequence { names.append("last sequence") }
        if types != other.types { names.append("types in use") }
        if pages != other.pages { names.append("pages") }
        if objects != other.objects { names.append("objects") }
        if links != other.links { names.append("links") }
        if identities != other.identities { names.append("identities") }
        if syncs != other.syncs { names.append("sync identifiers") }
        if tombstones != other.tombstones { names.append("tombstones") }
        if sources != other.sources { names.append("sources") }
        if revisions != other.revisions { names.append("revisions") }
        if devices != other.devices { names.append("devices") }
        if units != other.units { names.append("units") }
        if storeTypes != other.storeTypes { names.append("types of the store") }
        if settings != other.settings { names.append("settings") }
        return names
    }
}
