package import Foundation
package import HealthEngine
import HealthModel
import HealthPages
import HealthStorage

/// Copies a store without what identifies its person, as a fixture for tests.
///
/// Samples and objects are read with their dates moved, their names, texts and identifiers replaced, and are written as
/// an import writes an archive. Permissions, settings, deletions, the history of imports and attachments aren't copied.
package enum RedactedCopy {
    /// The choices for a copy.
    package struct Options: Sendable {
        /// The seed of the shift of dates, the identifiers and the jitter. With it, the shift can be undone.
        package var seed: UInt64
        /// The largest change of a quantity, as a share of it; 0 keeps all.
        package var jitter = 0.0

        package init(seed: UInt64, jitter: Double = 0) {
            (self.seed, self.jitter) = (seed, jitter)
        }
    }

    /// The counts of what was copied, replaced and left out.
    package struct Report: Hashable, Sendable, Encodable {
        /// The number of quantity and category samples.
        package var samples = 0
        /// The number of other objects.
        package var objects = 0
        /// The numbers of replaced sources, devices, texts, keys of metadata, UUIDs and routes.
        package var sources = 0, devices = 0, texts = 0, keys = 0, identities = 0, routes = 0
        /// The numbers of samples, objects and attachments that the copy doesn’t have, by type identifier or what they are.
        package var leftOut: [String: Int] = [:]
        /// The end of the last sample or object in the copy; `nil` without any.
        package var end: Date?

        private enum CodingKeys: String, CodingKey {
            case samples, objects, sources, devices, texts, keys, routes, leftOut
            case identities = "identifiers"
        }
    }

    /// Copies one store into another one, which is empty.
    ///
    /// - Throws: Errors of the engines and their storage.
    package static func run(
        from source: HealthEngine, to destination: HealthEngine, options: Options
    ) throws -> Report {
        try source.readContents { contents in
            var run = Run(contents: contents, destination: destination, options: options)
            return try run.copy()
        }
    }

    /// Types whose contents are documents of institutions, which name the person in every line.
    private static func isDocument(_ identifier: String) -> Bool {
        identifier.hasPrefix("HKClinicalType") || identifier.hasPrefix("HKDocumentType")
            || identifier == "HKDataTypeIdentifierVerifiableClinicalRecord"
    }

    private struct Run {
        let contents: StoreContents
        let destination: HealthEngine
        let bulk: BulkImport
        var redaction: Redaction
        let dictionaries: StoreDictionaries
        var report = Report()
        /// The members of objects, and the samples that need an identity because of them.
        var members: [(owner: UUID, members: [UUID])] = []
        var referenced: Set<UUID> = []

        init(contents: StoreContents, destination: HealthEngine, options: Options) {
            self.contents = contents
            self.destination = destination
            bulk = BulkImport(engine: destination)
            redaction = Redaction(seed: options.seed, jitter: options.jitter)
            dictionaries = redaction.dictionaries(contents.dictionaries)
        }

        mutating func copy() throws -> Report {
            let types = try contents.types()
            let known = types.filter { $0.code < .firstUnknown && !RedactedCopy.isDocument($0.identifier) }
            for type in types where !known.contains(where: { $0.code == type.code }) { try leaveOut(type) }
            let objects = known.filter { !$0.kind.isPaged }
            for type in objects where type.kind != .correlation && type.kind != .activitySummary {
                try findMembers(of: type)
            }
            var series: [(UUID, QuantitySeries)] = []
            for type in known where type.kind == .quantity {
                try contents.visitQuantitySeries(of: type.code) { series.append(($0, $1)) }
            }
            referenced.formUnion(series.map(\.0))
            for type in known where type.kind.isPaged { try copyPages(of: type) }
            for type in objects { try copyObjects(of: type) }
            try addRest(series)
            try copyProfile()
            try contents.visitAttachments { _, _, records in report.leftOut["attachments", default: 0] += records.count
            }
            let counts = redaction.counts
            (report.sources, report.devices, report.texts) = (counts.sources, counts.devices, counts.texts)
            (report.keys, report.identities, report.routes) = (counts.keys, counts.identities, redaction.routes)
            return report
        }

        private mutating func leaveOut(_ type: TypeDescription) throws {
            var count = 0
            if type.kind.isPaged {
                count = try contents.countInPages(of: type.code)
            } else {
                try contents.visitObjects(of: type.code) { _ in
                    count += 1
                    return true
                }
            }
            // The identifier of an unknown type is a text of an app.
            report.leftOut[type.code < .firstUnknown ? type.identifier : "unknown types", default: 0] += count
        }

        private mutating func findMembers(of type: TypeDescription) throws {
            try contents.visitObjects(of: type.code) { object in
                guard let owner = object.uuid else { return true }
                var found = try contents.memberObjects(of: object.sequence)
                for rows in try contents.memberRows(of: object.sequence) {
                    for row in rows.starts.indices {
                        found.append(rows.uuid(at: row) ?? contents.identities.uuid(for: rows.sequences[row]))
                    }
                }
                guard !found.isEmpty else { return true }
                members.append((owner, found))
                referenced.formUnion(found)
                return true
            }
        }

        private mutating func copyPages(of type: TypeDescription) throws {
            try contents.visitPages(of: type.code) { header, body in
                let rows = try PageReader(header: header, body: body).read(.all)
                let identities = contents.identities
                let referenced = referenced
                let columns = redaction.columns(rows, isQuantity: type.kind == .quantity) { row in
                    if let given = rows.uuid(at: row) { return given }
                    guard !referenced.isEmpty else { return nil }
                    let derived = identities.uuid(for: rows.sequences[row])
                    return referenced.contains(derived) ? derived : nil
                }
                try commit(BulkBatch(columns: [columns], dictionaries: dictionaries))
                report.samples += columns.starts.count
                note(end: columns.ends.max())
                return true
            }
        }

        private mutating func copyObjects(of type: TypeDescription) throws {
            var batch: [ObjectRecord] = []
            func submit() throws {
                if type.kind == .correlation { try contents.fillMembers(of: &batch) }
                var redacted: [ObjectRecord] = []
                for original in batch {
                    guard var object = redaction.object(original) else {
                        report.leftOut[type.identifier, default: 0] += 1
                        continue
                    }
                    // Members are recognized by their contents.
                    object.members = original.members.map { member in
                        var member = redaction.sample(member)
                        member.uuid = nil
                        return member
                    }
                    redacted.append(object)
                    note(end: object.end)
                }
                try commit(BulkBatch(objects: redacted, dictionaries: dictionaries))
                report.objects += redacted.count
                batch = []
            }
            try contents.visitObjects(of: type.code) { object in
                batch.append(object)
                if batch.count >= 256 { try submit() }
                return true
            }
            if !batch.isEmpty { try submit() }
        }

        private mutating func addRest(_ series: [(UUID, QuantitySeries)]) throws {
            var batch = BulkBatch(dictionaries: dictionaries)
            for (sample, quantities) in series {
                var moved = quantities
                moved.starts = quantities.starts.map { $0 + redaction.shift }
                moved.ends = quantities.ends.map { $0 + redaction.shift }
                batch.additions.append(.quantities(moved, of: redaction.identity(sample)))
            }
            for (owner, found) in members {
                batch.additions.append(.members(found.map { redaction.identity($0) }, of: redaction.identity(owner)))
            }
            if !batch.additions.isEmpty { try commit(batch) }
        }

        /// The year of birth, and what has no date or name.
        private mutating func copyProfile() throws {
            let original = contents.profile
            let years = Int((Double(redaction.weeks) / 52.18).rounded())
            try destination.profile.update { profile in
                profile.dateOfBirth = original.dateOfBirth.map { .init(year: $0.year - years, month: 1, day: 1) }
                profile.activityMoveMode = original.activityMoveMode
            }
        }

        private func commit(_ batch: BulkBatch) throws {
            _ = try bulk.commit(batch)
        }

        private mutating func note(end: Double?) {
            guard let end else { return }
            let date = Date(timeIntervalSinceReferenceDate: end)
            report.end = report.end.map { max($0, date) } ?? date
        }
    }
}
