public import Foundation
public import HealthModel
public import HealthStorage

/// The contents of a store as a value, for comparing states of one store or of two stores.
///
/// Identities, sync identifiers, links and settings can only be looked up, so only those in ``StorageProbes`` are
/// included.
public struct StorageContents: Hashable, Sendable {
    /// The last allocated sequence number.
    public var lastSequence: Int64 = 0
    /// The codes of types with data, in ascending order.
    public var types: [TypeCode] = []
    /// All pages with their bodies, by type and key.
    public var pages: [StoredPage] = []
    /// All object rows, by type and start.
    public var objects: [StoredObject] = []
    /// The links of all objects and of the owners in the probes, by owner.
    public var links: [StoredLink] = []
    /// The samples and objects with the UUIDs in the probes.
    public var identities: [UUID: StoredIdentity] = [:]
    /// The samples and objects with the sync identifiers in the probes.
    public var syncs: [StoredSync] = []
    /// All deletions, by sequence number.
    public var tombstones: [StoredTombstone] = []
    /// All sources, by number.
    public var sources: [SourceRecord] = []
    /// All source revisions, by number.
    public var revisions: [SourceRevisionRecord] = []
    /// All devices, by number.
    public var devices: [DeviceRecord] = []
    /// All unit strings, by number.
    public var units: [String] = []
    /// The types in the store that are not in the catalog.
    public var storeTypes: [TypeDescription] = []
    /// The settings of the namespaces in the probes, by namespace and key.
    public var settings: [String: [String: [UInt8]]] = [:]

    /// Reads a snapshot.
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

    /// The names of the parts that differ, for messages without data.
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

/// The keys that ``StorageContents`` looks up.
public struct StorageProbes: Sendable {
    /// The sequence numbers of owners whose links are read in addition to those of all objects.
    public var owners: Set<Int64> = []
    /// Given UUIDs.
    public var uuids: [UUID] = []
    /// Sync identifiers.
    public var syncKeys: [StoredSync.Key] = []
    /// Namespaces of settings.
    public var namespaces: [String] = []

    /// Creates probes without keys.
    public init() {}
}
