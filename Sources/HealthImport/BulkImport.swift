package import HealthEngine
import HealthModel
import HealthStorage
import Synchronization

/// The import of one archive into a store, batch by batch.
///
/// Archives contain no identities, so stored samples are recognized by content, and each one matches at most one
/// sample of the archive: importing the same or a newer archive adds only what is new, and two equal samples remain
/// two. An import remembers what the store held before it and what its batches have matched, so the way an
/// archive is divided into batches makes no difference.
///
/// Two samples are equal if their dates, values, devices, metadata and creation dates are equal and
/// their sources have the same name and version (an archive contains no more about a source). A value in another unit,
/// which the person preferred when the other archive was exported, is equal within the precision of an archive.
/// Objects are equal if their bodies and, for correlations, their members are equal, too. A recording (a route, an
/// electrocardiogram, heartbeats) is compared by its series only, because an archive writes the rest differently each
/// time; a workout is compared without the routes that an archive only names, and one of an archive before iOS 16
/// without statistics and activities, which the stored one gains. A new activity summary replaces the one of the same
/// day, unless that is from an archive that was exported later.
///
/// Parts are ordinary objects, linked to their owners; a stored owner gains the parts it lacks.
///
/// A member of a correlation matches the stored sample of equal dates, value, unit, source and device that
/// does not belong to a correlation yet; otherwise it is added. If the archive also lists it as a separate sample,
/// before or after, it is not added again. Sync identifiers in metadata are stored but have no effect.
///
/// An import may be used from any thread; its batches are committed in order.
package final class BulkImport: Sendable {
    let engine: HealthEngine
    private let matchState = Mutex(ImportMatchState())

    /// Creates an import. Nothing is read before the first batch.
    package init(engine: HealthEngine) {
        self.engine = engine
    }

    /// Writes one batch in one transaction, sorted, numbered and in full pages. If it throws, nothing of
    /// the batch is stored, and a corrected batch may be tried again.
    ///
    /// Validating the records with ``RecordValidation`` is up to the importer; only what would break the order of
    /// pages is rejected here.
    ///
    /// - Throws: ``EngineError/invalidArgument(_:)`` for columns of different lengths, samples that end before they
    ///   start, and numbers outside the batch's dictionaries.
    package func commit(_ batch: BulkBatch) throws -> BulkOutcome {
        let outcome = try matchState.withLock { matchState in
            let (outcome, after) = try engine.commitWithoutNotifying { [matchState] transaction, pending in
                var run = try BulkRun(engine: engine, transaction: transaction, batch: batch, matchState: matchState)
                try run.write(pending: &pending)
                return (run.outcome, run.matchState)
            }
            matchState = after
            return outcome
        }
        engine.commits.deliver()
        return outcome
    }

    /// Removes what earlier imports added and this one, which must be complete, did not contain, so that the store
    /// mirrors the archive. Samples that applications saved stay, even if an archive contains them, too.
    ///
    /// Members of a remaining object stay with it: an archive need not list them separately.
    /// Everything is removed in one transaction and leaves tombstones, except for activity summaries, which anchored
    /// queries do not report.
    ///
    /// - Parameter protected: Identifiers of types of which nothing is removed because parts of the archive could not
    ///   be read.
    /// - Returns: The number of removed samples and objects, by type identifier.
    package func removeMissing(protecting protected: Set<String> = []) throws -> [String: Int] {
        let counts = try matchState.withLock { matchState in
            try engine.commitWithoutNotifying { transaction, pending in
                var removal = try BulkRemoval(
                    engine: engine, transaction: transaction, matchState: matchState, protected: protected)
                return try removal.run(pending: &pending)
            }
        }
        engine.commits.deliver()
        return counts
    }
}

/// The result of a batch, by type identifier.
package struct BulkOutcome: Hashable, Sendable {
    /// The number of samples and objects that were written.
    package var added: [String: Int]
    /// The number of samples and objects that were already stored.
    package var alreadyThere: [String: Int]
    /// The number of additions that were skipped because their sample or object is not stored or cannot have them.
    package var unmatchedAdditions: Int

    package init(added: [String: Int] = [:], alreadyThere: [String: Int] = [:], unmatchedAdditions: Int = 0) {
        self.added = added
        self.alreadyThere = alreadyThere
        self.unmatchedAdditions = unmatchedAdditions
    }
}
