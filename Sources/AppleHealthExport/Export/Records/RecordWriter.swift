import Foundation
import HealthEngine
import HealthModel
import HealthPages

/// Writes the samples of pages as `Record` elements. What records have in common is made once and copied
/// from then on; only dates and numbers are written anew. Used by one thread at a time.
final class RecordWriter {
    /// What a record says beside its dates, value and metadata.
    private struct Face: Hashable {
        var type: TypeCode
        var revision: UInt32
        var device: UInt32
        var unit: UInt32
    }

    private let style: RecordStyle
    private var dates: DateStamp
    private var creationDates: DateStamp
    private var faces: [Face: [UInt8]] = [:]
    private var categories: [TypeCode: CategoryNames] = [:]
    private var plain: PlainContent

    /// A store may hold any number of sources; beyond this the faces are made anew.
    private static let facesKept = 4_096
    private static let columns: SampleColumnSet = [
        .starts, .ends, .values, .units, .revisions, .devices, .metadata, .creations,
    ]

    init(style: RecordStyle) {
        self.style = style
        dates = style.dates
        creationDates = style.dates
        plain = PlainContent(dictionaries: style.dictionaries)
    }

    /// Appends the records of one page that a selection asks for, with the lists of heartbeats that stand
    /// under some of them, by row.
    func write(
        _ header: PageHeader, _ body: [UInt8], _ beats: [Int: RecordBeats.Placed], _ selection: ContentsSelection,
        to piece: ExportPiece
    ) throws {
        let page = try body.withUnsafeBytes {
            try PageReader(header: header, body: $0).read(style.isSupplemented ? Self.columns.union(.uuids) : Self.columns)
        }
        guard let type = style.dictionaries.type(page.type) else { return }
        let rows =
            selection.since == nil && selection.until == nil
            ? 0..<page.starts.count
            : page.starts.firstIndex { selection.includes(start: $0) }.map { first in
                // Starts ascend within a page.
                first..<(page.starts[first...].firstIndex { !selection.includes(start: $0) } ?? page.starts.count)
            } ?? 0..<0
        guard !rows.isEmpty else { return }
        write(page, rows, type, beats, to: piece)
        piece.tally.written[page.type, default: 0] += rows.count
        if style.isSupplemented {
            let isTold = style.toldTypes.contains(page.type) || !plain.isPlain(page, rows)
            try SupplementPages.add(header, body, rows, isTold: isTold, beats, style, to: piece)
        }
    }

    private func write(
        _ page: SampleColumns, _ rows: Range<Int>, _ type: TypeDescription, _ beats: [Int: RecordBeats.Placed],
        to piece: ExportPiece
    ) {
        let buffer = piece.text
        let extras = page.metadataTable.isEmpty ? [] : metadata(page, &piece.tally)
        let names = type.kind == .quantity ? nil : names(of: type)
        let hasCreations = !page.creations.isEmpty
        var outOfRange = 0
        var last = Face(type: page.type, revision: .max, device: .max, unit: .max)
        var face: [UInt8] = []
        page.starts.withUnsafeBufferPointer { starts in
            page.ends.withUnsafeBufferPointer { ends in
                page.values.withUnsafeBufferPointer { values in
                    for row in rows {
                        if last.revision != page.revisions[row] || last.device != page.devices[row]
                            || last.unit != page.units[row]
                        {
                            last.revision = page.revisions[row]
                            last.device = page.devices[row]
                            last.unit = page.units[row]
                            face = self.face(last, type, &piece.tally)
                        }
                        let start = buffer.room(face.count + 256)
                        var target = start
                        face.withUnsafeBufferPointer { target.update(from: $0.baseAddress!, count: $0.count) }
                        target += face.count
                        if hasCreations, !page.creations[row].isNaN {
                            target = Self.put(" creationDate=\"", target)
                            creationDates.write(page.creations[row], to: target)
                            target += DateStamp.length
                            target = Self.put("\"", target)
                        }
                        target = Self.put(" startDate=\"", target)
                        dates.write(starts[row], to: target)
                        target += DateStamp.length
                        target = Self.put("\" endDate=\"", target)
                        dates.write(ends[row], to: target)
                        target += DateStamp.length
                        target = Self.put("\" value=\"", target)
                        if let names {
                            target = names.write(values[row], to: target)
                        } else {
                            target += NumberBytes.write(values[row], to: target)
                        }
                        target = Self.put("\"", target)
                        if !DateStamp.holds(starts[row]) || !DateStamp.holds(ends[row]) { outOfRange += 1 }
                        let number = page.metadata.isEmpty ? 0 : Int(page.metadata[row])
                        if !beats.isEmpty, let list = beats[row] {
                            buffer.advance(by: target - start)
                            let own = number == 0 ? RecordExtras.none : extras[number - 1]
                            own.write(closing: "Record", with: list.element, to: buffer, &piece.tally)
                        } else if number == 0 || extras[number - 1].isPlain {
                            target = Self.put("/>\n", target)
                            buffer.advance(by: target - start)
                        } else {
                            buffer.advance(by: target - start)
                            extras[number - 1].write(closing: "Record", to: buffer)
                        }
                    }
                }
            }
        }
        piece.tally.note("date beyond the years 1 to 9999", count: outOfRange)
    }

    // MARK: What records have in common

    private func face(_ face: Face, _ type: TypeDescription, _ tally: inout ExportTally) -> [UInt8] {
        if let known = faces[face] { return known }
        let buffer = ByteBuffer(capacity: 512)
        buffer.append(" <Record" as StaticString)
        var element = ArchivedElement(name: "Record")
        element.append("type", RecordStyle.identifier(type))
        element.appendOrigin(
            style.dictionaries.revision(face.revision), style.dictionaries.device(face.device))
        element.append("unit", face.unit == 0 ? nil : style.dictionaries.unit(face.unit))
        ElementMarkup.writeAttributes(of: element, to: buffer, &tally)
        let bytes = Array(buffer.bytes)
        if faces.count >= Self.facesKept { faces.removeAll(keepingCapacity: true) }
        faces[face] = bytes
        return bytes
    }

    private func names(of type: TypeDescription) -> CategoryNames {
        if let known = categories[type.code] { return known }
        let names = CategoryNames(type)
        categories[type.code] = names
        return names
    }

    private func metadata(_ page: SampleColumns, _ tally: inout ExportTally) -> [RecordExtras] {
        page.metadataTable.map { RecordExtras($0, depth: 2, &tally) }
    }

    @inline(__always)
    private static func put(_ text: StaticString, _ target: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        memcpy(target, text.utf8Start, text.utf8CodeUnitCount)
        return target + text.utf8CodeUnitCount
    }
}
