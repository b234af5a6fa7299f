import Foundation
import HealthEngine
import HealthFiles
import HealthModel
import HealthPages

/// Writes the samples of pages as `Record` elements.
///
/// Attributes that records have in common are formatted once and then copied; only dates and numbers are formatted
/// for each record. Use it on one thread at a time.
final class RecordWriter {
    /// The attributes of a record other than its dates, value and metadata.
    private struct CommonAttributes: Hashable {
        var type: TypeCode
        var revision: UInt32
        var device: UInt32
        var unit: UInt32
    }

    private let style: RecordStyle
    private var dates: DateStamp
    private var creationDates: DateStamp
    private var attributes: [CommonAttributes: [UInt8]] = [:]
    private var categories: [TypeCode: CategoryNames] = [:]
    private var plain: SupplementCriteria

    /// The size of the cache; a store may have any number of sources.
    private static let maximumCachedAttributes = 4_096
    private static let columns: SampleColumnSet = [
        .starts, .ends, .values, .units, .revisions, .devices, .metadata, .creations,
    ]

    init(style: RecordStyle) {
        self.style = style
        dates = style.dates
        creationDates = style.dates
        plain = SupplementCriteria(dictionaries: style.dictionaries)
    }

    /// Appends the selected records of one page, with the heartbeat lists under some of them, by row.
    func write(
        _ header: PageHeader, _ body: [UInt8], _ beats: [Int: RecordBeats.Placed], _ selection: ContentsSelection,
        to piece: ExportPiece
    ) throws {
        let page = try body.withUnsafeBytes {
            try PageReader(header: header, body: $0).read(
                style.writesSupplement ? Self.columns.union(.uuids) : Self.columns)
        }
        guard let type = style.dictionaries.type(page.type) else { return }
        let rows =
            selection.since == nil && selection.until == nil
            ? 0..<page.starts.count
            : page.starts.firstIndex { selection.includes(start: $0) }.map { first in
                // Starts are in ascending order within a page.
                first..<(page.starts[first...].firstIndex { !selection.includes(start: $0) } ?? page.starts.count)
            } ?? 0..<0
        guard !rows.isEmpty else { return }
        write(page, rows, type, beats, to: piece)
        piece.tally.written[page.type, default: 0] += rows.count
        if style.writesSupplement {
            let isSupplemented = style.supplementedTypes.contains(page.type) || !plain.isPlain(page, rows)
            try SupplementPages.add(header, body, rows, isSupplemented: isSupplemented, beats, style, to: piece)
        }
    }

    private func write(
        _ page: SampleColumns, _ rows: Range<Int>, _ type: TypeDescription, _ beats: [Int: RecordBeats.Placed],
        to piece: ExportPiece
    ) {
        let buffer = piece.text
        let extras = page.metadata.table.isEmpty ? [] : metadata(page, &piece.tally)
        let names = type.kind == .quantity ? nil : names(of: type)
        let hasCreations = !page.creations.isEmpty
        var outOfRange = 0
        var last = CommonAttributes(type: page.type, revision: .max, device: .max, unit: .max)
        var text: [UInt8] = []
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
                            text = self.text(of: last, type, &piece.tally)
                        }
                        let start = buffer.room(text.count + 256)
                        var target = start
                        text.withUnsafeBufferPointer { target.update(from: $0.baseAddress!, count: $0.count) }
                        target += text.count
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
                        if !DateStamp.canWrite(starts[row]) || !DateStamp.canWrite(ends[row]) { outOfRange += 1 }
                        let number = page.metadata.number(at: row)
                        if !beats.isEmpty, let list = beats[row] {
                            buffer.advance(by: target - start)
                            let own = number == 0 ? RecordExtras.none : extras[number - 1]
                            own.complete(buffer, with: list.element, &piece.tally)
                        } else if number == 0 || extras[number - 1].isEmpty {
                            target = Self.put("/>\n", target)
                            buffer.advance(by: target - start)
                        } else {
                            buffer.advance(by: target - start)
                            extras[number - 1].complete(buffer)
                        }
                    }
                }
            }
        }
        piece.tally.report("date outside the years 1 to 9999, clamped", count: outOfRange)
    }

    // MARK: - Common attributes

    private func text(of common: CommonAttributes, _ type: TypeDescription, _ tally: inout ExportTally) -> [UInt8] {
        if let known = attributes[common] { return known }
        let buffer = ByteBuffer(capacity: 512)
        buffer.append(" <Record" as StaticString)
        var element = ArchivedElement(name: "Record")
        element.append("type", RecordStyle.identifier(type))
        element.appendOrigin(style.dictionaries.revision(common.revision), style.dictionaries.device(common.device))
        element.append("unit", common.unit == 0 ? nil : style.dictionaries.unit(common.unit))
        ElementMarkup.writeAttributes(of: element, to: buffer, &tally)
        let bytes = Array(buffer.bytes)
        if attributes.count >= Self.maximumCachedAttributes { attributes.removeAll(keepingCapacity: true) }
        attributes[common] = bytes
        return bytes
    }

    private func names(of type: TypeDescription) -> CategoryNames {
        if let known = categories[type.code] { return known }
        let names = CategoryNames(type)
        categories[type.code] = names
        return names
    }

    private func metadata(_ page: SampleColumns, _ tally: inout ExportTally) -> [RecordExtras] {
        page.metadata.table.map { RecordExtras($0, &tally) }
    }

    @inline(__always)
    private static func put(_ text: StaticString, _ target: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
    {
        memcpy(target, text.utf8Start, text.utf8CodeUnitCount)
        return target + text.utf8CodeUnitCount
    }
}

/// The settings that all writers of one export share.
struct RecordStyle: Sendable {
    let dictionaries: StoreDictionaries
    /// Formats the archive's dates.
    let dates: DateStamp
    /// Whether content that the format cannot hold is written to a supplement.
    let writesSupplement: Bool
    /// Derives the UUIDs of samples that were not given one.
    var identities: DerivedIdentities?
    /// Types whose samples are all in the supplement, because attachments belong to some of them.
    var supplementedTypes: Set<TypeCode> = []

    init(dictionaries: StoreDictionaries, offset: Int, writesSupplement: Bool = false) {
        self.dictionaries = dictionaries
        self.writesSupplement = writesSupplement
        dates = DateStamp(offset: offset)
    }

    /// An instant as the archive writes it.
    func date(_ instant: Double) -> String { dates.text(instant) }

    /// A type's identifier as the archive writes it. The store appends `#` and the family to an identifier that was
    /// imported in two families; see ``TypeTable``.
    static func identifier(_ type: TypeDescription) -> String {
        let suffix = "#\(type.kind)"
        return type.code >= .firstUnknown && type.identifier.hasSuffix(suffix)
            ? String(type.identifier.dropLast(suffix.count)) : type.identifier
    }
}

/// The names of one category type's values as UTF-8.
struct CategoryNames {
    /// Names by raw value.
    private var names: [[UInt8]?] = []

    /// The maximum raw value of all enumerations.
    private static let maximum = 31

    init(_ type: TypeDescription) {
        names = (0...Self.maximum).map { value in CategoryValueWriter.name(of: value, type).map { Array($0.utf8) } }
    }

    /// Writes a value's name, or its number if it has none, and returns the end of what was written.
    @inline(__always)
    func write(_ value: Double, to target: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        if value >= 0, value <= Double(Self.maximum), let name = names[Int(value)], Double(Int(value)) == value {
            name.withUnsafeBufferPointer { target.update(from: $0.baseAddress!, count: $0.count) }
            return target + name.count
        }
        return target + NumberBytes.write(value, to: target)
    }
}

/// A category value as the archive writes it: by name if it has one.
enum CategoryValueWriter {
    static func text(_ value: Double, _ type: TypeDescription) -> String {
        Int(exactly: value).flatMap { name(of: $0, type) } ?? DecimalText.print(value)
    }

    /// The name of a raw value in the type's enumeration.
    static func name(of value: Int, _ type: TypeDescription) -> String? {
        // Values of an unknown type are imported and exported as numbers.
        type.categoryEnumeration.flatMap { CategoryValueNames.name(of: value, in: $0) }
    }
}
