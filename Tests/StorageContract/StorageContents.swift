package import Foundation
package import HealthModel
package import HealthStorage

/// The contents of a store as a value, for comparing states of one store or of two stores.
///
/// Identities, sync identifiers, links and settings can only be looked up, so only those in ``StorageProbes`` are
/// included.
package struct StorageContents: Hashable, Sendable {
    /// The last allocated sequence number.
    package var lastSequence: Int64 = 0
    /// The codes of types with data, in ascending order.
    package var types: [TypeCode] = []
    /// All pages with their bodies, by type and key.
    package var pages: [StoredPage] = []
    /// All object rows, by type and start.
    package var objects: [StoredObject] = []
    /// The links of all objects and of the owners in the probes, by owner.
    package var links: [StoredLink] = []
    /// The samples and objects with the UUIDs in the probes.
    package var identities: [UUID: StoredIdentity] = [:]
    /// The samples and objects with the sync identifiers in the probes.
    package var syncs: [StoredSync] = []
    /// All deletions, by sequence number.
    package var tombstones: [StoredTombstone] = []
    /// All sources, by number.
    package var sources: [SourceRecord] = []
    /// All source revisions, by number.
    package var revisions: [SourceRevisionRecord] = []
    /// All devices, by number.
    package var devices: [DeviceRecord] = []
    /// All unit strings, by number.
    package var units: [String] = []
    /// The types in the store that are not in the catalog.
    package var storeTypes: [TypeDescription] = []
    /// The settings of the namespaces in the probes, by namespace and key.
    package var settings: [String: [String: [UInt8]]] = [:]

    /// Reads a snapshot.
    package init(of snapshot: any StorageSnapshot, probes: StorageProbes = StorageProbes()) throws {
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
        tombstones = try collected { try snapshot.visitTombstones(after: 0, types: nil, $0) }
        let dictionaries = try snapshot.dictionaries()
        sources = dictionaries.sources
        revisions = dictionaries.revisions
        devices = dictionaries.devices
        units = dictionaries.units
        storeTypes = dictionaries.types
        for namespace in probes.namespaces { settings[namespace] = try snapshot.values(namespace: namespace) }
    }

    /// The names of the parts that differ, for messages without data.
    package func differences(from other: StorageContents) -> [String] {
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
package struct StorageProbes: Sendable {
    /// The sequence numbers of owners whose links are read in addition to those of all objects.
    package var owners: Set<Int64> = []
    /// Given UUIDs.
    package var uuids: [UUID] = []
    /// Sync identifiers.
    package var syncKeys: [StoredSync.Key] = []
    /// Namespaces of settings.
    package var namespaces: [String] = []

    /// Creates probes without keys.
    package init() {}
}
