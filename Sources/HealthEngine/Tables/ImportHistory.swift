import HealthModel
package import HealthStorage

/// A store's record of its imports, apart from samples and characteristics.
package struct ImportHistory: Sendable {
    /// The key of the metadata that names the person's time zone.
    package static let timeZoneKey = "timeZone"
    /// The key of the metadata that names the locale of the last archive.
    package static let localeKey = "locale"

    let engine: HealthEngine

    // MARK: - Metadata

    /// Returns what the imported archives contained beyond samples and characteristics, by key
    /// (export date, locale, unrecognized attributes of the person's element).
    package func metadata() throws -> [String: String] {
        try engine.storage.read { try metadata(in: $0) }
    }

    /// Returns the metadata with a key; `nil` if there is none.
    package func metadata(_ key: String) throws -> String? {
        try engine.storage.read { try metadata(key, in: $0) }
    }

    func metadata(_ key: String, in snapshot: any StorageSnapshot) throws -> String? {
        try snapshot.value(namespace: Self.metadataNamespace, key: key).map { String(decoding: $0, as: UTF8.self) }
    }

    package func metadata(in snapshot: any StorageSnapshot) throws -> [String: String] {
        try snapshot.values(namespace: Self.metadataNamespace).mapValues { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes metadata in one transaction, each in place of an older one with the same key. Unchanged metadata is not
    /// written again.
    package func setMetadata(_ metadata: [String: String]) throws {
        try engine.commit { transaction, _ in
            for (key, text) in metadata.sorted(by: { $0.key < $1.key }) {
                let bytes = Array(text.utf8)
                if try transaction.value(namespace: Self.metadataNamespace, key: key) == bytes { continue }
                try transaction.setValue(bytes, namespace: Self.metadataNamespace, key: key)
            }
        }
    }

    // MARK: - Person

    /// Returns the person that the imported archives belong to; `nil` if none of them says.
    package func person() throws -> ImportedPerson? {
        try engine.storage.read {
            try Settings.read(ImportedPerson.self, namespace: Self.namespace, key: Self.personKey, in: $0)
        }
    }

    /// Records the characteristics of an archive's person, each in place of an earlier one.
    package func updatePerson(_ person: ImportedPerson) throws {
        let before = try self.person()
        var after = before ?? ImportedPerson(Profile())
        after.update(with: person)
        guard after != before else { return }
        try engine.commit { transaction, _ in
            try Settings.write(after, namespace: Self.namespace, key: Self.personKey, in: transaction)
        }
    }

    // MARK: - The last complete archive

    /// An archive with the state of the store after it was imported.
    private struct Entry: Codable {
        var archive: KnownArchive
        var sequence: Int64
        var settings: Int64
    }

    /// Returns the last archive that was imported completely if all of it is certainly still stored: nothing has
    /// been deleted or replaced since, no other import has added anything, and the characteristics are unchanged.
    package func knownArchive() throws -> KnownArchive? {
        try engine.storage.read { snapshot in
            guard
                let entry = try Settings.read(
                    Entry.self, namespace: Self.namespace, key: Self.archiveKey, in: snapshot),
                try SettingsGeneration.current(in: snapshot) == entry.settings
            else { return nil }
            var isComplete = true
            try snapshot.visitTombstones(after: entry.sequence, types: nil) { _ in
                isComplete = false
                return false
            }
            return isComplete ? entry.archive : nil
        }
    }

    /// Records an archive that has just been imported completely, in place of the previous one.
    package func setKnownArchive(_ archive: KnownArchive) throws {
        try engine.commit { transaction, _ in
            let entry = Entry(
                archive: archive, sequence: try transaction.lastSequence(),
                settings: try SettingsGeneration.current(in: transaction))
            try Settings.write(entry, namespace: Self.namespace, key: Self.archiveKey, in: transaction)
        }
    }

    /// Removes the record of the archive because something else is being imported.
    package static func removeKnownArchive(in transaction: any StorageTransaction) throws {
        try transaction.setValue(nil, namespace: namespace, key: archiveKey)
    }

    // MARK: - Activity summaries

    /// The key, in ``namespace``, of when summaries were exported that may have been incomplete.
    package static let summariesKey = "summaries"

    /// Returns the dates of export by ``summaryName(_:)``. Summaries that were complete have none.
    package static func summaryExports(in snapshot: any StorageSnapshot) throws -> [String: Double] {
        try Settings.read([String: Double].self, namespace: namespace, key: summariesKey, in: snapshot) ?? [:]
    }

    /// The name of a summary by its start.
    package static func summaryName(_ start: Double) -> String { String(Int64(clamping: Int(start.rounded()))) }

    // MARK: - Reports

    /// The number of reports that are kept.
    package static let maximumReports = 100

    /// Returns the reports of the last imports, the newest first, as the importer encoded them, with their numbers.
    package func reports() throws -> [(number: Int, report: [UInt8])] {
        try engine.storage.read { try $0.values(namespace: Self.reportsNamespace) }
            .sorted { $0.key > $1.key }.compactMap { key, report in Int(key).map { ($0, report) } }
    }

    /// Adds a report, in place of the oldest one if there are too many.
    ///
    /// - Parameter added: The sequence numbers that the import has taken, by which it can be undone.
    package func addReport(_ report: [UInt8], added: [ClosedRange<Int64>] = []) throws {
        try engine.commit { transaction, _ in
            let keys = try transaction.values(namespace: Self.reportsNamespace).keys.sorted()
            let last = try Settings.read(Int.self, namespace: Self.namespace, key: Self.lastReportKey, in: transaction)
            // The number of an import that was undone isn't given again.
            let number = max(last ?? 0, keys.last.flatMap { Int($0) } ?? 0) + 1
            try Settings.write(number, namespace: Self.namespace, key: Self.lastReportKey, in: transaction)
            let key = Self.key(ofReport: number)
            try transaction.setValue(report, namespace: Self.reportsNamespace, key: key)
            if !added.isEmpty { try Self.write(added, ofReport: key, in: transaction) }
            for old in keys.dropLast(Self.maximumReports - 1) { try Self.removeReport(old, in: transaction) }
        }
    }

    /// Removes the report of an import that was undone.
    package static func removeReport(_ number: Int, in transaction: any StorageTransaction) throws {
        try removeReport(key(ofReport: number), in: transaction)
    }

    /// Returns the sequence numbers that an import has taken, in ascending order; `nil` if there is no such import.
    package static func sequences(
        ofReport number: Int, in snapshot: any StorageSnapshot
    ) throws -> [ClosedRange<Int64>]? {
        let key = key(ofReport: number)
        guard try snapshot.value(namespace: reportsNamespace, key: key) != nil else { return nil }
        return try sequences(ofReport: key, in: snapshot)
    }

    /// Records that samples and objects of imports have been replaced by others, which are undone in their place.
    static func replace(_ pairs: [(old: Int64, new: Int64)], in transaction: any StorageTransaction) throws {
        for key in try transaction.values(namespace: sequencesNamespace).keys.sorted() {
            var ranges = try sequences(ofReport: key, in: transaction)
            let new = pairs.filter { pair in ranges.contains { $0.contains(pair.old) } }.map(\.new)
            guard !new.isEmpty else { continue }
            for sequence in new.sorted() { ranges.join(sequence...sequence, within: 1) }
            try write(ranges, ofReport: key, in: transaction)
        }
    }

    /// The keys have one length, so that they sort like numbers.
    private static func key(ofReport number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }

    private static func sequences(
        ofReport key: String, in snapshot: any StorageSnapshot
    ) throws -> [ClosedRange<Int64>] {
        let bounds = try Settings.read([Int64].self, namespace: sequencesNamespace, key: key, in: snapshot) ?? []
        guard bounds.count.isMultiple(of: 2), zip(bounds, bounds.dropFirst()).allSatisfy({ $0 <= $1 }) else {
            throw StorageError(.damaged, "the list of an import’s sequences is out of order")
        }
        return stride(from: 0, to: bounds.count, by: 2).map { bounds[$0]...bounds[$0 + 1] }
    }

    private static func write(
        _ ranges: [ClosedRange<Int64>], ofReport key: String, in transaction: any StorageTransaction
    ) throws {
        try Settings.write(
            ranges.flatMap { [$0.lowerBound, $0.upperBound] }, namespace: sequencesNamespace, key: key, in: transaction)
    }

    private static func removeReport(_ key: String, in transaction: any StorageTransaction) throws {
        for namespace in [reportsNamespace, sequencesNamespace] {
            try transaction.setValue(nil, namespace: namespace, key: key)
        }
    }

    static let metadataNamespace = "archive"
    private static let reportsNamespace = "archive.reports"
    private static let sequencesNamespace = "archive.sequences"
    private static let lastReportKey = "lastReport"
    package static let namespace = "archive.state"
    private static let personKey = "person"
    private static let archiveKey = "known"
}

extension HealthEngine {
    /// The store's record of imported archives.
    package var imports: ImportHistory { ImportHistory(engine: self) }
}

/// The last archive that was imported completely. As long as nothing has been removed from the store since, the
/// same bytes add nothing.
package struct KnownArchive: Hashable, Sendable, Codable {
    /// The importer's fingerprint of the archive's bytes.
    package var fingerprint: String
    /// The version of the reader that imported it; a later one may find more in the same bytes.
    package var reader: Int
    /// The number of samples and objects in the archive, by type identifier.
    package var counts: [String: Int]
    /// The importer's summary, to be shown again.
    package var summary: String

    /// Creates the record of an archive.
    package init(fingerprint: String, reader: Int, counts: [String: Int], summary: String) {
        self.fingerprint = fingerprint
        self.reader = reader
        self.counts = counts
        self.summary = summary
    }
}

/// The characteristics that distinguish one person's archive from another's because they do not change.
package struct ImportedPerson: Hashable, Sendable, Codable {
    /// A characteristic that differs between two archives.
    package enum Difference: Hashable, Sendable, CaseIterable {
        /// The date of birth.
        case dateOfBirth
        /// The biological sex.
        case biologicalSex
        /// The blood type.
        case bloodType
    }

    /// The person's date of birth.
    package var dateOfBirth: Profile.Day?
    /// As in ``Profile/biologicalSex``.
    package var biologicalSex: Int?
    /// As in ``Profile/bloodType``.
    package var bloodType: Int?

    /// Takes the characteristics from a profile.
    package init(_ profile: Profile) {
        dateOfBirth = profile.dateOfBirth
        biologicalSex = profile.biologicalSex
        bloodType = profile.bloodType
    }

    /// Returns the characteristics that are set in both and differ.
    package func differences(from other: ImportedPerson) -> [Difference] {
        func differ<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
            guard let left, let right else { return false }
            return left != right
        }
        return Difference.allCases.filter { difference in
            switch difference {
            case .dateOfBirth: differ(dateOfBirth, other.dateOfBirth)
            case .biologicalSex: differ(biologicalSex, other.biologicalSex)
            case .bloodType: differ(bloodType, other.bloodType)
            }
        }
    }

    /// Replaces the characteristics that are set in the other.
    mutating func update(with other: ImportedPerson) {
        dateOfBirth = other.dateOfBirth ?? dateOfBirth
        biologicalSex = other.biologicalSex ?? biologicalSex
        bloodType = other.bloodType ?? bloodType
    }
}
