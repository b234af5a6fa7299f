import Foundation
import HealthEngine
import HealthModel
import HealthPages

/// Gathers what an archive's format cannot say while the main file is written, and writes it as a file of its
/// own afterwards: the twin of ``SupplementReader``. Used by one thread.
///
/// Lines that complete what the main file has come first, in its order, so that a reader can follow both at
/// once; all that the main file does not have comes after them.
final class SupplementWriter {
    private let dictionaries: StoreDictionaries
    private var placed: SupplementSpool?
    private var others: SupplementSpool?
    private var lines = 0
    /// How many elements of each type the main file has so far.
    private var places: [TypeCode: Int] = [:]

    init(dictionaries: StoreDictionaries) {
        self.dictionaries = dictionaries
    }

    /// Whether there is nothing to be said.
    var isEmpty: Bool { lines == 0 }

    /// Takes what the next piece of the main file wants told.
    func take(_ piece: ExportPiece) throws {
        for entry in piece.supplement { try add(entry) }
        places.merge(piece.placed, uniquingKeysWith: +)
    }

    /// Adds a line; places in it are counted from the elements written so far.
    func add(_ entry: SupplementEntry) throws {
        switch entry {
        case .records(let type, let place, let page):
            try addPlaced(.records(place: places[type, default: 0] + place, page: page))
        case .object(let object, let place, let members):
            let line = SupplementLine.object(
                type: identifier(object.type), place: place.map { places[object.type, default: 0] + $0 }, uuid: object.uuid,
                start: object.start, end: object.end, source: object.revision.flatMap { revisionNumbers[$0] },
                device: object.device.flatMap { deviceNumbers[$0] },
                payload: Data(
                    ObjectCoder.encode(metadata: object.metadata, creation: object.creation, body: object.body)),
                members: members)
            if place == nil { try add(line) } else { try addPlaced(line) }
        }
    }

    /// Adds a line that completes nothing of the main file.
    func add(_ line: SupplementLine) throws {
        try append(line, to: &others)
    }

    /// Adds a file kept with a sample or object.
    func add(_ record: AttachmentRecord, of owner: UUID, pieces: (Int) throws -> [UInt8]) throws {
        try add(
            .attachment(
                of: owner, identifier: record.identifier, name: record.name, contentType: record.contentType,
                size: record.size,
                payload: Data(ObjectCoder.encode(metadata: record.metadata, creation: record.creation, body: .none))))
        for number in 0..<record.pieceCount { try add(.piece(bytes: Data(try pieces(number)))) }
    }

    /// Writes the file; the main file has so many bytes.
    func write(mainBytes: Int, to pipeline: PiecePipeline) throws {
        var head = try SupplementText.encode(.supplement(version: SupplementLine.version, mainBytes: mainBytes))
        for (index, revision) in dictionaries.revisions.enumerated() {
            head += try SupplementText.encode(.source(number: UInt32(index + 1), revision: revision))
        }
        for (index, device) in dictionaries.devices.enumerated() {
            head += try SupplementText.encode(.device(number: UInt32(index + 1), device: device))
        }
        for (index, unit) in dictionaries.units.enumerated() {
            head += try SupplementText.encode(.unit(number: UInt32(index + 1), unit: unit))
        }
        let nouns = dictionaries.revisions.count + dictionaries.devices.count + dictionaries.units.count
        let count = lines + 1 + nouns
        try pipeline.submit(beginning: SupplementLine.fileName) { [head] in $0.text.append(head) }
        for spool in [placed, others] {
            try spool?.visit { part in try pipeline.submit { $0.text.append(part) } }
        }
        let end = try SupplementText.encode(.end(lines: count))
        try pipeline.submit { $0.text.append(end) }
    }

    private func addPlaced(_ line: SupplementLine) throws {
        try append(line, to: &placed)
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

    private static func numbers<Noun: Hashable>(_ nouns: [Noun]) -> [Noun: UInt32] {
        Dictionary(nouns.enumerated().map { ($1, UInt32($0 + 1)) }, uniquingKeysWith: { first, _ in first })
    }
}
