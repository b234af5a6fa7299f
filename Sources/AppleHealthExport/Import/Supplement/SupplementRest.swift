import Foundation
import HealthEngine
import HealthModel
import HealthPages

/// Gathers what a supplement has and the main file does not: objects, quantities of series, files, and what
/// belongs to what.
struct SupplementRest {
    private struct Attachment {
        var owner: UUID
        var record: AttachmentRecord
        var bytes: [UInt8] = []
    }

    private let nouns: SupplementNouns
    private var gathered = BulkBatch()
    private var weight = 0
    /// The file whose bytes are being read.
    private var attachment: Attachment?
    private(set) var notes: [String: Int] = [:]

    private static let greatestWeight = 4 << 20
    private static let greatestCount = 1_024

    init(nouns: SupplementNouns) {
        self.nouns = nouns
    }

    var isEmpty: Bool { gathered.objects.isEmpty && gathered.additions.isEmpty }
    /// Whether there is enough for a batch.
    var isFull: Bool {
        weight >= Self.greatestWeight || gathered.objects.count + gathered.additions.count >= Self.greatestCount
    }

    /// Hands over what there is so far.
    mutating func batch() -> BulkBatch {
        defer { (gathered, weight) = (BulkBatch(), 0) }
        return gathered
    }

    /// Takes the next line of so many bytes.
    mutating func take(_ line: SupplementLine, bytes: Int) {
        weight += bytes
        if case .piece(let bytes) = line { return take(bytes) }
        end()
        switch line {
        case .object(let identifier, nil, _, _, _, _, _, _, _):
            guard let type = TypeCatalog.description(for: identifier),
                let object = SupplementObject.read(line, type: type.code, nouns, { TypeCatalog.description(for: $0)?.code }),
                SupplementObject.isSound(object, type.kind)
            else { return refuse() }
            gathered.objects.append(object)
        case .members(let owner, let data):
            guard let uuids = SupplementLine.uuids(data) else { return refuse() }
            gathered.additions.append(.members(uuids, of: owner))
        case .quantities(let sample, let payload):
            guard let content = try? ObjectCoder.decode(Array(payload)), let series = SupplementSeries.series(content.body)
            else { return refuse() }
            gathered.additions.append(.quantities(series, of: sample))
        case .attachment(let owner, let identifier, let name, let contentType, let size, let payload):
            guard (0...AttachmentRecord.greatestSize).contains(size),
                let content = try? ObjectCoder.decode(Array(payload)), let creation = content.creation, creation.isFinite
            else { return refuse() }
            attachment = Attachment(
                owner: owner,
                record: AttachmentRecord(
                    identifier: identifier, name: name, contentType: contentType, size: size, creation: creation,
                    metadata: content.metadata))
            take(Data())
        default: refuse()
        }
    }

    /// Nothing more comes, or nothing more of a file.
    mutating func end() {
        guard attachment != nil else { return }
        attachment = nil
        note("file of the supplement that is not whole, left out")
    }

    private mutating func take(_ bytes: Data) {
        guard var file = attachment, file.bytes.count + bytes.count <= file.record.size else {
            if attachment != nil { end() } else { refuse() }
            return
        }
        file.bytes += bytes
        attachment = file
        guard file.bytes.count == file.record.size else { return }
        gathered.additions.append(.attachment(file.record, bytes: file.bytes, of: file.owner))
        attachment = nil
    }

    private mutating func refuse() {
        note("line of the supplement that makes no sense, left out")
    }

    private mutating func note(_ text: String) {
        notes[text, default: 0] += 1
    }
}
