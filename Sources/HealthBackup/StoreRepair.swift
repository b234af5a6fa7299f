package import Foundation
import HealthEngine
import HealthModel
import HealthPages
import HealthImport
import HealthStorage
package import HealthStorageFiles
import HealthStorageSQLite

/// Makes a sound store of what can be kept of a damaged one, and lists what could not.
///
/// Everything is read row by row, checked like by `hk doctor`, and written to a new store, which gets the name of the
/// damaged one; that is kept beside it. UUIDs, sequence numbers, permissions and settings are the same. A backup has
/// more than a repaired store, as a rule: restore it, if there is one.
package struct StoreRepair: Sendable {
    /// The counts of samples and objects that were kept and lost.
    package struct Report: Hashable, Sendable {
        /// The number of quantity and category samples that were kept.
        package fileprivate(set) var samples = 0
        /// The number of other objects that were kept.
        package fileprivate(set) var objects = 0
        /// The number of deletions that were kept.
        package fileprivate(set) var deletions = 0
        /// A sentence for each part that was lost. They name types and sequence numbers, never health data.
        package fileprivate(set) var losses: [String] = []
        /// The path of the damaged store.
        package fileprivate(set) var damagedPath = ""
    }

    private var report = Report()
    /// The sequence numbers of samples and objects that were kept.
    private var preserved = SequenceBits()

    /// Repairs the store at `path`, which no program may have open.
    ///
    /// - Parameters:
    ///   - encryption: The store's key, if it is encrypted. The sound store gets the same.
    ///   - now: The clock, for the name of the damaged store and its next sequence number.
    /// - Throws: ``BackupError`` ``BackupError/Kind/damaged`` and `StorageError` if the file isn't a store any more or
    ///   a sound store can't be made of it; `StorageError` `.busy` if another program has it open. The damaged store is
    ///   in its place then.
    package static func repair(
        _ path: String, encryption: StoreEncryption = .automatic, now: () -> Date = { Date() }
    ) throws -> Report {
        // Until the sound store has its name, no program can save into the one that is put aside.
        let lock = try StoreLock(path)
        defer { withExtendedLifetime(lock) {} }
        let path = lock.path
        let staging = try StagingStore(for: path, .repairing)
        let copy = staging.path + "-copy"
        do {
            try lock.copy(to: copy)
            if FileManager.default.fileExists(atPath: path + "-wal") {
                try FileManager.default.copyItem(atPath: path + "-wal", toPath: copy + "-wal")
            }
        } catch {
            throw BackupError(.inputOutput, "“\(path)” can’t be copied, which needs as much room as the store has.")
        }
        let salvage: SQLiteSalvage
        do {
            salvage = try SQLiteSalvage(copy: copy, encryption: encryption)
        } catch let error as StorageError {
            throw StorageError(error.kind, error.description.replacing(copy, with: path))
        }
        defer { salvage.close() }
        var repair = StoreRepair()
        var options = SQLiteOptions()
        options.encryption = salvage.encryption
        let storage = try SQLiteStorage(path: staging.path, options: options)
        defer { try? storage.close() }
        try repair.write(salvage, to: storage, at: now())
        let engine = try HealthEngine(storage: storage)
        let findings = try storage.findDamage() + engine.check()
        // The log must be in the file before that gets its name.
        try engine.close()
        guard findings.isEmpty else {
            throw BackupError(
                .damaged, "What is left of “\(path)” isn’t a sound store: \(findings[0]) Restore a backup.")
        }
        var aside = "\(path).damaged-\(BackupManifest.name(at: now()))"
        while FileManager.default.fileExists(atPath: aside) { aside += "-2" }
        try SQLiteStorage.replaceStore(at: path, with: staging.path, keepingAs: aside, lock: lock)
        repair.report.damagedPath = aside
        return repair.report
    }

    private mutating func write(_ salvage: SQLiteSalvage, to storage: SQLiteStorage, at time: Date) throws {
        let (identity, last) = try salvage.identity()
        let dictionaries = salvage.dictionaries()
        // What is written is decided before the transaction, which can't be changed by two at once.
        var repair = self
        try storage.write { transaction in
            try transaction.adopt(identity)
            // Numbers that were lost must not come again.
            _ = try transaction.allocateSequences(Int(try BackupFolder.lastSkippedSequence(after: last, at: time)))
            for source in dictionaries.sources { _ = try transaction.intern(source) }
            for revision in dictionaries.revisions { _ = try transaction.intern(revision) }
            for device in dictionaries.devices { _ = try transaction.intern(device) }
            for unit in dictionaries.units { _ = try transaction.intern(unit: unit) }
            for type in dictionaries.types {
                _ = try transaction.intern(typeIdentifier: type.identifier, kind: type.kind)
            }
            // Equal entries would have been given the same number, and all after them another one.
            let written = try transaction.dictionaries()
            guard written.sources.prefix(dictionaries.sources.count).elementsEqual(dictionaries.sources),
                written.revisions == dictionaries.revisions, written.devices == dictionaries.devices,
                written.units == dictionaries.units
            else { throw BackupError(.damaged, "The table of sources, devices and units is damaged.") }
            try repair.writePages(salvage, dictionaries, last, transaction)
            try repair.writeObjects(salvage, dictionaries, last, transaction)
            try repair.writeRest(salvage, last, transaction)
        }
        repair.report.losses += salvage.losses
        self = repair
    }

    // MARK: Pages

    private mutating func writePages(
        _ salvage: SQLiteSalvage, _ dictionaries: StoreDictionaries, _ last: Int64,
        _ transaction: any StorageTransaction
    ) throws {
        var previous: (type: TypeCode, start: Double, sequence: Int64)?
        for key in salvage.pageKeys() {
            let name = dictionaries.type(key.type)?.identifier ?? key.type.description
            let (header, body) = salvage.page(key)
            guard let header else {
                report.losses.append("A page of \(name) cannot be read.")
                continue
            }
            do {
                let outline = try PageHeader(decoding: header, of: key)
                guard let body else {
                    report.losses.append("A page of \(name) with \(outline.count) samples has no body.")
                    continue
                }
                let page = try body.withUnsafeBytes { try PageReader(header: outline, body: $0).read(.all) }
                // The header has its own checksum; the columns of the row don't.
                let stored = StoredPage(
                    key: PageKey(type: outline.type, firstStart: outline.firstStart, firstSequence: page.sequences[0]),
                    bounds: PageBounds(outline), header: header, body: body)
                if let reason = problem(of: page, dictionaries, last) {
                    // The row of a page with a changed key is found under both.
                    if !(stored.key != key && preserved.contains(page.sequences[0])) {
                        report.losses.append("A page of \(name) with \(outline.count) samples \(reason).")
                    }
                    continue
                }
                if let previous, previous.type == outline.type,
                    (page.starts[0], page.sequences[0]) <= (previous.start, previous.sequence)
                {
                    report.losses.append("A page of \(name) with \(outline.count) samples is out of order.")
                    continue
                }
                try transaction.putPage(stored)
                for row in page.starts.indices {
                    preserved.insert(page.sequences[row])
                    guard !page.uuids.isEmpty, let uuid = page.uuids[row] else { continue }
                    try transaction.putIdentity(uuid, StoredIdentity(type: outline.type, sequence: page.sequences[row]))
                }
                report.samples += outline.count
                previous = (outline.type, page.starts[page.starts.count - 1], page.sequences[page.starts.count - 1])
            } catch let error as PageError {
                report.losses.append("A page of \(name) cannot be read: \(error).")
            }
        }
    }

    /// Why a page that can be decoded isn't kept.
    private func problem(of page: SampleColumns, _ dictionaries: StoreDictionaries, _ last: Int64) -> String? {
        if page.sequences.contains(where: { $0 < 1 || $0 > last }) { return "uses numbers that were never taken" }
        if page.sequences.contains(where: preserved.contains) { return "uses numbers of other samples" }
        if (page.revisions.max() ?? 0) > dictionaries.revisions.count
            || (page.devices.max() ?? 0) > dictionaries.devices.count
            || (page.units.max() ?? 0) > dictionaries.units.count
        {
            return "refers to a source, device or unit that is lost"
        }
        return nil
    }

    // MARK: Objects and the rest

    private mutating func writeObjects(
        _ salvage: SQLiteSalvage, _ dictionaries: StoreDictionaries, _ last: Int64,
        _ transaction: any StorageTransaction
    ) throws {
        for sequence in salvage.objectSequences() {
            guard let object = salvage.object(sequence) else {
                report.losses.append("Object \(sequence) cannot be read.")
                continue
            }
            let name = dictionaries.type(object.type)?.identifier ?? object.type.description
            do {
                _ = try ObjectCoder.decode(object.payload)
            } catch {
                report.losses.append("Object \(sequence) of \(name) cannot be read: \(error).")
                continue
            }
            guard sequence >= 1, sequence <= last, object.start <= object.end, !preserved.contains(sequence),
                object.revision <= dictionaries.revisions.count, object.device <= dictionaries.devices.count
            else {
                report.losses.append(
                    "Object \(sequence) of \(name) has a number, dates or a source that it can’t have.")
                continue
            }
            try transaction.putObject(object)
            preserved.insert(sequence)
            report.objects += 1
        }
    }

    private mutating func writeRest(_ salvage: SQLiteSalvage, _ last: Int64, _ transaction: any StorageTransaction)
        throws
    {
        let links = salvage.links()
        let whole = links.filter { preserved.contains($0.owner) && preserved.contains($0.member) }
        for (_, links) in Dictionary(grouping: whole, by: \.owner).sorted(by: { $0.key < $1.key }) {
            try transaction.addLinks(links)
        }
        if whole.count < links.count {
            report.losses.append("\(links.count - whole.count) links lead to what is lost.")
        }
        for sync in salvage.syncs() where preserved.contains(sync.sequence) { try transaction.putSync(sync) }
        for tombstone in salvage.tombstones()
        where tombstone.sequence <= last && !preserved.contains(tombstone.sequence) {
            try transaction.putTombstone(tombstone)
            report.deletions += 1
        }
        for setting in salvage.settings() {
            try transaction.setValue(setting.value, namespace: setting.namespace, key: setting.key)
        }
    }
}
