import HealthEngine
import HealthImport
import HealthModel

@testable import AppleHealthExport

/// Keeps everything a parser hands over.
final class CollectingSink: ArchiveSink {
    var samples: [PlainSample] = []
    var objects: [ObjectRecord] = []
    var parts: [ObjectRecord] = []
    var batches = 0
    /// Type codes of the objects by identifier.
    var identifiers: [TypeCode: String] = [:]

    var headers: [ArchiveHeader] = []

    func readHeader(_ header: ArchiveHeader) throws {
        headers.append(header)
    }

    func append(_ batch: BulkBatch) throws {
        batches += 1
        for columns in batch.columns { samples += PlainSample.list(columns, batch.dictionaries) }
        objects += batch.objects
        parts += batch.parts.map(\.object)
        for object in batch.objects {
            identifiers[object.type] = batch.dictionaries.type(object.type)?.identifier
        }
    }

    func advance(bytes: Int, records: Int) {}
}
