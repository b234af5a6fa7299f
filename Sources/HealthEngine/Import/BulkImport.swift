import HealthModel
import HealthStorage
import Synchronization

/// One import of an archive into a store, batch by batch.
///
/// Archives carry no identities, so what is stored already is recognised by content, each stored
/// sample answering for one of the archive: the same or a newer archive adds only what is new, and two
/// equal samples stay two. What the store held before the import, and which of it the batches so far
/// have claimed, is remembered here; so it makes no difference how an archive is cut into batches.
///
/// Two samples are equal when their dates, value, unit, device, metadata and creation date are and
/// their sources agree in name and version (an archive tells no more of a source). Objects are equal
/// when in addition their bodies are and, for correlations, their members. A recording (a route, an
/// electrocardiogram, heartbeats) is known by its series alone, as an archive words the rest anew each
/// time, and a workout also without the routes that an archive only names. A day has one activity
/// summary: another one for the same day takes its place.
///
/// Parts are objects like others, linked to their owners; a stored owner gains those it lacks.
///
/// A member of a correlation is the stored sample of equal dates, value, unit, source and device that
/// belongs to no correlation yet, or else is added; an archive that also lists it by itself, before or
/// after, does not add it again. Sync identifiers among the metadata are kept but not acted upon.
///
/// May be used from any thread; batches are committed one after the other.
public final class BulkImport: Sendable {
    let engine: HealthEngine
    private let memory = Mutex(BulkMemory())

    /// Begins an import; nothing is read before the first batch.
    public init(engine: HealthEngine) {
        self.engine = engine
    }

    /// Writes one batch in one transaction: sorted, numbered, in full pages. When it throws, nothing of
    /// the batch is in the store and a corrected batch may be tried again.
    ///
    /// The records must have passed ``RecordValidation`` as far as the importer cares; here only what
    /// would break the order of pages is refused.
    /// - Throws: ``EngineError/invalidArgument(_:)`` for columns of different lengths, dates that are
    ///   not in order, and numbers that lead outside the batch's dictionaries.
    public func commit(_ batch: BulkBatch) throws -> BulkOutcome {
        let (outcome, kinds) = try memory.withLock { memory in
            memory.beginBatch()
            do {
                let result = try engine.commitUntold { transaction, draft in
                    var run = try BulkRun(
                        engine: engine, transaction: transaction, batch: batch, memory: memory)
                    // What the run learns goes back even if it throws, so that it can be undone.
                    defer { memory = run.memory }
                    memory = BulkMemory()
                    try run.write(draft: &draft)
                    return (run.outcome, run.kinds)
                }
                memory.keepBatch()
                return result
            } catch {
                memory.undoBatch()
                throw error
            }
        }
        engine.rememberWritten(kinds)
        engine.commits.deliver()
        return outcome
    }

    /// Lets `body` see and change what the import remembers, alone.
    func withMemory<Value>(_ body: (inout BulkMemory) throws -> Value) rethrows -> Value {
        try memory.withLock { try body(&$0) }
    }
}
