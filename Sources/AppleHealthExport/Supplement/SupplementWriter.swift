import Foundation
import HealthEngine
import HealthModel
import HealthPages

/// Collects what an archive's format cannot hold while the main file is written, and writes it as a separate file
/// afterwards: the counterpart of ``SupplementReader``. Use it on one thread.
///
/// Lines about elements of the main file come first, in its order, so that a reader can stream both files together;
/// content that the main file lacks follows.
final class SupplementWriter {
    private let dictionaries: StoreDictionaries
    private var placed: SupplementSpool?
    private var others: SupplementSpool?
    private var lines = 0
    /// The number of elements of each type in the main file so far.
    private var places: [TypeCode: Int] = [:]

    init(dictionaries: StoreDictionaries) {
        self.dictionaries = dictionaries
    }

    /// Whether there are no lines.
    var isEmpty: Bool { lines == 0 }

    /// Adds the lines that the next piece of the main file needs.
    func append(_ piece: ExportPiece) throws {
        for entry in piece.supplement { try add(entry) }
        places.merge(piece.placed, uniquingKeysWith: +)
    }

    /// Adds a line, whose positions are relative to the elements written so far.
    func add(_ entry: SupplementEntry) throws {
        switch entry {
        case .records(let type, let place, let page):
            try append(.records(place: places[type, default: 0] + place, page: page), to: &placed)
        case .object(let object, let place, let members):
            let line = SupplementLine.object(
                type: identifier(object.type), place: place.map { places[object.type, default: 0] + $0 },
                uuid: object.uuid,
                start: object.start, end: object.end, source: object.revision.flatMap { revisionNumbers[$0] },
                device: object.device.flatMap { deviceNumbers[$0] },
                payload: Data(
                    ObjectCoder.encode(metadata: object.metadata, creation: object.creation, body: object.body)),
                members: members)
            if place == nil { try add(line) } else { try append(line, to: &placed) }
        }
    }

    /// Adds a line that is not about an element of the main file.
    func add(_ line: SupplementLine) throws {
        try append(line, to: &others)
    }

    /// Adds a file attached to a sample or object.
    func add(_ record: AttachmentRecord, of owner: UUID, pieces: (Int) throws -> [UInt8]) throws {
        try add(
            .attachment(
                of: owner, identifier: record.identifier, name: record.name, contentType: record.contentType,
                size: record.size,
                payload: Data(ObjectCoder.encode(metadata: record.metadata, creation: record.creation, body: .none))))
        for number in 0..<record.pieceCount { try add(.piece(bytes: Data(try pieces(number)))) }
    }

    /// Writes the file beside a main file of `mainBytes` bytes.
    func write(mainBytes: Int, to pipeline: PiecePipeline) throws {
        var entries = [SupplementLine.supplement(version: SupplementLine.version, mainBytes: mainBytes)]
        entries += dictionaries.revisions.enumerated().map {
            SupplementLine.source(number: UInt32($0 + 1), revision: $1)
        }
        entries += dictionaries.devices.enumerated().map { SupplementLine.device(number: UInt32($0 + 1), device: $1) }
        entries += dictionaries.units.enumerated().map { SupplementLine.unit(number: UInt32($0 + 1), unit: $1) }
        let head = try entries.flatMap { try SupplementText.encode($0) }
        let count = lines + entries.count
        try pipeline.submit(beginning: SupplementLine.fileName) { $0.text.append(head) }
        for spool in [placed, others] {
            try spool?.visit { part in try pipeline.submit { $0.text.append(part) } }
        }
        let end = try SupplementText.encode(.end(lines: count))
        try pipeline.submit { $0.text.append(end) }
    }

    private func append(_ line: SupplementLine, to spool: inout SupplementSpool?) throws {
        let open = try spool ?? SupplementSpool()
        spool = open
        try open.append(SupplementText.encode(line))
        lines += 1
    }

    private func identifier(_ type: TypeCode) -> String {
        dictionaries.type(type)?.identifier ?? ""
    }

    private lazy var revisionNumbers = Self.numbers(dictionaries.revisions)
    private lazy var deviceNumbers = Self.numbers(dictionaries.devices)

    private static func numbers<Entry: Hashable>(_ entries: [Entry]) -> [Entry: UInt32] {
        Dictionary(entries.enumerated().map { ($1, UInt32($0 + 1)) }, uniquingKeysWith: { first, _ in first })
    }
}

/// A line that a piece of the main file adds to the supplement.
enum SupplementEntry: Sendable {
    /// Samples, the first of which is at this position among the piece's records of its type.
    case records(TypeCode, place: Int, SupplementPage)
    /// An object, at this position among the piece's objects of its type; `nil` for one that is not in the archive.
    case object(ObjectRecord, place: Int?, members: [SupplementPage])
}

/// Lines of a supplement in an unlinked temporary file until the main file has been written. Use it on one thread
/// at a time.
final class SupplementSpool {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var written = 0

    private static let bufferLength = 1 << 18

    /// Throws ``ExportError`` if the temporary file cannot be created.
    init() throws {
        var template = Array((NSTemporaryDirectory() + "supplement-XXXXXX").utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw ExportError.writing(NSTemporaryDirectory(), errno: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
    }

    deinit {
        close(descriptor)
    }

    func append(_ line: [UInt8]) throws {
        buffer += line
        if buffer.count >= Self.bufferLength { try flush() }
    }

    /// Calls `visit` with everything that was appended, in parts.
    func visit(_ visit: ([UInt8]) throws -> Void) throws {
        try flush()
        var offset = 0
        while offset < written {
            let length = min(written - offset, 1 << 20)
            var part = [UInt8](repeating: 0, count: length)
            let count = pread(descriptor, &part, length, off_t(offset))
            guard count > 0 else { throw ExportError.writing(NSTemporaryDirectory(), errno: count == 0 ? EIO : errno) }
            try visit(Array(part[..<count]))
            offset += count
        }
    }

    private func flush() throws {
        let file = FileDescriptor(number: descriptor, path: NSTemporaryDirectory())
        try buffer.withUnsafeBytes { try file.write($0) }
        written += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }
}
