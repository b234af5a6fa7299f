import Foundation
import HealthEngine
import HealthImport
import HealthModel
import HealthPages

/// Collects the content of a supplement that the main file lacks: objects, quantities of series, attachments and
/// memberships.
struct SupplementContent {
    private struct Attachment {
        var owner: UUID
        var record: AttachmentRecord
        var bytes: [UInt8] = []
    }

    private let tables: SourceTables
    private var gathered = BulkBatch()
    private var weight = 0
    /// The attachment whose bytes are being read.
    private var attachment: Attachment?
    private(set) var irregularities: [String: Int] = [:]

    private static let maximumWeight = 4 << 20
    private static let maximumCount = 1_024

    init(tables: SourceTables) {
        self.tables = tables
    }

    var isEmpty: Bool { gathered.objects.isEmpty && gathered.additions.isEmpty }
    /// Whether there is enough content for a batch.
    var isFull: Bool {
        weight >= Self.maximumWeight || gathered.objects.count + gathered.additions.count >= Self.maximumCount
    }

    /// Returns the content collected so far and starts over.
    mutating func batch() -> BulkBatch {
        defer { (gathered, weight) = (BulkBatch(), 0) }
        return gathered
    }

    /// Appends the next line, whose length is `bytes`.
    mutating func append(_ line: SupplementLine, bytes: Int) {
        weight += bytes
        if case .piece(let bytes) = line { return append(bytes) }
        end()
        switch line {
        case .object(let identifier, nil, _, _, _, _, _, _, _):
            guard let type = TypeCatalog.description(for: identifier),
                let object = SupplementObject.read(
                    line, type: type.code, tables, { TypeCatalog.description(for: $0)?.code }),
                SupplementObject.isValid(object, type.kind)
            else { return skip() }
            gathered.objects.append(object)
        case .members(let owner, let data):
            guard let uuids = SupplementLine.uuids(data) else { return skip() }
            gathered.additions.append(.members(uuids, of: owner))
        case .quantities(let sample, let payload):
            guard let content = try? ObjectCoder.decode(Array(payload)),
                let series = QuantitySeries(content.body), series.count > 0
            else { return skip() }
            gathered.additions.append(.quantities(series, of: sample))
        case .attachment(let owner, let identifier, let name, let contentType, let size, let payload):
            guard (0...AttachmentRecord.maximumSize).contains(size),
                let content = try? ObjectCoder.decode(Array(payload)), let creation = content.creation,
                creation.isFinite
            else { return skip() }
            attachment = Attachment(
                owner: owner,
                record: AttachmentRecord(
                    identifier: identifier, name: name, contentType: contentType, size: size, creation: creation,
                    metadata: content.metadata))
            append(Data())
        default: skip()
        }
    }

    /// Ends the current attachment: no more of its bytes follow.
    mutating func end() {
        guard attachment != nil else { return }
        attachment = nil
        report("incomplete file of the supplement, left out")
    }

    private mutating func append(_ bytes: Data) {
        guard var file = attachment, file.bytes.count + bytes.count <= file.record.size else {
            if attachment != nil { end() } else { skip() }
            return
        }
        file.bytes += bytes
        attachment = file
        guard file.bytes.count == file.record.size else { return }
        gathered.additions.append(.attachment(file.record, bytes: file.bytes, of: file.owner))
        attachment = nil
    }

    private mutating func skip() {
        report("invalid line of the supplement, left out")
    }

    private mutating func report(_ text: String) {
        irregularities[text, default: 0] += 1
    }
}

/// Reads an object from its line of a supplement: the counterpart of ``SupplementObjects``.
enum SupplementObject {
    /// The object; `nil` for an invalid line: an unknown number, a payload that cannot be decoded, members that are
    /// not samples, or impossible dates.
    static func read(
        _ line: SupplementLine, type: TypeCode, _ tables: SourceTables, _ code: (String) -> TypeCode?
    ) -> ObjectRecord? {
        guard case .object(_, _, let uuid, let start, let end, let source, let device, let payload, let pages) = line,
            start.isFinite, end.isFinite, start <= end, source == nil || tables.revision(source ?? 0) != nil,
            device == nil || tables.device(device ?? 0) != nil,
            let content = try? ObjectCoder.decode(Array(payload))
        else { return nil }
        var object = ObjectRecord(
            uuid: uuid, type: type, start: start, end: end, revision: source.flatMap { tables.revision($0) },
            device: device.flatMap { tables.device($0) }, metadata: content.metadata, creation: content.creation,
            body: content.body)
        for page in pages {
            guard let type = code(page.type), TypeCatalog.description(for: type)?.kind.isPaged ?? true,
                let samples = try? tables.samples(page, type: type)
            else { return nil }
            object.members += samples
        }
        return object
    }

    /// Whether objects of a kind can have this body.
    static func isValid(_ object: ObjectRecord, _ kind: TypeKind) -> Bool {
        switch (object.body, kind) {
        case (.workout, .workout), (.none, .correlation), (.activitySummary, .activitySummary), (.document, .document),
            (.document, .series), (.archived, _):
            !kind.isPaged && kind != .characteristic
        default: false
        }
    }
}
