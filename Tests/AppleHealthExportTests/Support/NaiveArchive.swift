import ArchiveTestSupport
import Foundation
import HealthFiles
import HealthModel

@testable import AppleHealthExport

/// The slow reference for `ArchiveParser` and records: tags by `NaiveScanner`, attributes in a dictionary,
/// numbers by `strtod`, dates by the calendar. It shares with the parser only what has no fast way:
/// units, metadata values, devices, sources.
struct NaiveArchive {
    var samples: [PlainSample] = []
    var skippedLines: [Int] = []
    var isTruncated = false

    private enum Read {
        case done(end: Int)
        case needsMore
        case malformed(resume: Int)
    }

    private struct Element {
        var attributes: [String: String] = [:]
        var entries: [Metadata.Entry] = []
    }

    private let bytes: [UInt8]
    private let scanner: NaiveScanner

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        scanner = NaiveScanner(bytes: bytes)
        run()
    }

    private mutating func run() {
        var position = 0
        var isInside = false
        while let next = tagStart(from: position) {
            switch scanner.scan(at: next) {
            case .needsMore:
                isTruncated = true
                return
            case .malformed(let resume):
                position = recover(at: next, resume: resume)
            case .tag(let kind, let name, let attributes, let end):
                position = end
                if kind == .aside { continue }
                if !isInside {
                    isInside = true
                    if kind == .empty { return }
                    continue
                }
                if kind == .close {
                    if name == Array("HealthData".utf8) { return }
                    continue
                }
                var element = Element()
                let isRecord = name == Array("Record".utf8)
                let read: Read =
                    kind == .empty ? .done(end: end) : readChildren(of: name, from: end, into: &element)
                for attribute in attributes {
                    let key = String(decoding: attribute.name, as: UTF8.self)
                    if element.attributes[key] == nil { element.attributes[key] = decode(attribute.value) }
                }
                switch read {
                case .needsMore:
                    isTruncated = true
                    return
                case .malformed(let resume):
                    position = recover(at: next, resume: resume)
                case .done(let end):
                    position = end
                    if isRecord { take(element, at: next, attributes) }
                }
            }
        }
        isTruncated = true
    }

    private func readChildren(of parent: [UInt8], from start: Int, into element: inout Element) -> Read {
        var position = start
        let isSampleElement = parent == Array("Record".utf8) || parent == Array("Correlation".utf8)
        var open = [parent]
        while let next = tagStart(from: position) {
            switch scanner.scan(at: next) {
            case .needsMore: return .needsMore
            case .malformed(let resume): return .malformed(resume: resume)
            case .tag(let kind, let name, let attributes, let end):
                position = end
                if kind == .open || kind == .empty {
                    let isBeside =
                        isSampleElement
                        ? isNeighbour(at: next, in: open)
                        : known.contains(String(decoding: parent, as: UTF8.self))
                            && marks.contains { scanner.begins($0, next) }
                    if isBeside { return .malformed(resume: next) }
                }
                switch kind {
                case .aside: continue
                case .open:
                    open.append(name)
                    if open.count > (isSampleElement ? 101 : 100) { return .malformed(resume: end) }
                case .close:
                    guard open.last == name else { return .malformed(resume: next) }
                    open.removeLast()
                    if open.isEmpty { return .done(end: end) }
                case .empty:
                    if open.count == 1, name == Array("MetadataEntry".utf8), attributes.count == 2 {
                        var values: [String: String] = [:]
                        for attribute in attributes {
                            values[String(decoding: attribute.name, as: UTF8.self)] = decode(attribute.value)
                        }
                        if let key = values["key"], let value = values["value"] {
                            element.entries.append(MetadataText.parse(key: key, text: value))
                        }
                    }
                }
            }
        }
        return .needsMore
    }

    /// Elements directly in `HealthData` that are known not to hold each other.
    private let known = [
        "Workout", "ActivitySummary", "ClinicalRecord", "Audiogram", "VisionPrescription", "ExportDate", "Me",
    ]
    private let marks = [
        "<Record ", "<Workout ", "<Correlation ", "<ActivitySummary ", "<ClinicalRecord ", "<Audiogram ",
        "<VisionPrescription ", "</HealthData", "<ExportDate ", "<Me ",
    ]

    /// Whether the tag that begins here belongs beside a record, not into it.
    private func isNeighbour(at start: Int, in open: [[UInt8]]) -> Bool {
        guard marks.contains(where: { scanner.begins($0, start) }) else { return false }
        let record = Array("Record".utf8)
        if open.count == 1 { return open[0] == record || !scanner.begins("<Record", start) }
        return open.count == 2 && open[0] != record && open[1] == record
    }

    private mutating func recover(at start: Int, resume: Int) -> Int {
        skip(start)
        var position = max(resume, start + 1)
        while let next = tagStart(from: position) {
            if marks.contains(where: { scanner.begins($0, next) }) { return next }
            position = next + 1
        }
        return bytes.count
    }

    private mutating func take(_ given: Element, at start: Int, _ attributes: [NaiveScanner.Attribute]) {
        var element = given
        let fields = element.attributes
        guard let type = fields["type"], !type.isEmpty else { return skip(start) }
        // With an unknown value, it is preserved.
        let source = fields["sourceName"] ?? fields["source"] ?? "Unknown"
        guard let from = date(fields["startDate"]), let to = date(fields["endDate"]), from <= to,
            fields["creationDate"] == nil || date(fields["creationDate"]) != nil
        else { return skip(start) }
        guard let description = TypeCatalog.description(for: type) else { return }
        var sample = PlainSample(type: type, start: from, end: to, value: 0, unit: "", metadata: .empty)
        switch description.kind {
        case .quantity:
            guard let text = fields["value"], let value = number(text) else { return skip(start) }
            guard value.isFinite else { return }
            let unit = fields["unit"] ?? (description.canonicalUnit == "count" ? "count" : "")
            guard let expression = try? UnitExpression(parsing: unit), !unit.isEmpty,
                let canonical = try? UnitExpression(parsing: description.canonicalUnit ?? ""),
                expression.isCompatible(with: canonical)
            else { return skip(start) }
            sample.value = value
            sample.unit = unit
        case .category:
            let allowed = description.categoryValues ?? 0...0
            let text = fields["value"] ?? (allowed == 0...0 ? "0" : "")
            let value = Int(text) ?? CategoryValueNames.rawValue(of: text, in: description.categoryEnumeration ?? "")
            guard fields["value"] != nil || allowed == 0...0 else { return skip(start) }
            guard let value, allowed.contains(value) else { return }
            sample.value = Double(value)
        default:
            return
        }
        let known: Set = [
            fields["sourceName"] == nil ? "source" : "sourceName", "type", "sourceName", "sourceVersion", "device",
            "unit", "creationDate", "startDate", "endDate", "value",
        ]
        var entries: [Metadata.Entry] = []
        for attribute in attributes {
            let name = String(decoding: attribute.name, as: UTF8.self)
            if !known.contains(name) { entries.append(ArchivedMetadata.attribute(name, decode(attribute.value))) }
        }
        // Metadata among the attributes follows what is unknown.
        entries =
            entries.filter { ArchivedMetadata.attribute(of: $0) != nil }
            + entries.filter { ArchivedMetadata.attribute(of: $0) == nil }
        if description.kind == .category, let unit = fields["unit"] {
            element.entries.append(ArchivedMetadata.attribute("unit", unit))
        }
        // Children other than entries are not followed here.
        sample.metadata = Metadata(entries + element.entries)
        sample.device = fields["device"].flatMap(DeviceText.parse)
        sample.revision = SourceText.revision(name: source, version: fields["sourceVersion"], device: sample.device)
        sample.creation = date(fields["creationDate"])
        samples.append(sample)
    }

    private mutating func skip(_ start: Int) {
        skippedLines.append(bytes[..<start].filter { $0 == 10 }.count + 1)
    }

    private func tagStart(from position: Int) -> Int? {
        guard position < bytes.count else { return nil }
        return bytes[position...].firstIndex(of: UInt8(ascii: "<"))
    }

    private func decode(_ value: [UInt8]) -> String {
        value.withUnsafeBufferPointer(AttributeText.decode)
    }

    private func number(_ text: String) -> Double? {
        guard !text.isEmpty, text.utf8.count <= 512 else { return nil }
        switch text.lowercased() {
        case "nan", "+nan", "-nan": return .nan
        case "inf", "infinity", "+inf", "+infinity": return .infinity
        case "-inf", "-infinity": return -.infinity
        default: break
        }
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
        return Double(text)
            ?? text.withCString { start in
                var end: UnsafeMutablePointer<CChar>?
                let value = strtod(start, &end)
                return end.map { $0.pointee == 0 } == true ? value : nil
            }
    }

    /// Seconds since 2001 of the usual spelling, by counting days; other spellings by the parser's own
    /// slow way, which has its own tests.
    private func date(_ text: String?) -> Double? {
        guard let text else { return nil }
        let bytes = Array(text.utf8)
        let digits = [0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18, 21, 22, 23, 24]
        guard bytes.count == 25, digits.allSatisfy({ (48...57).contains(bytes[$0]) }),
            bytes[4] == 45, bytes[7] == 45, bytes[10] == 32, bytes[13] == 58, bytes[16] == 58, bytes[19] == 32,
            bytes[20] == 43 || bytes[20] == 45
        else { return ArchiveDate.parse(text) }
        func number(_ start: Int, _ count: Int) -> Int {
            bytes[start..<(start + count)].reduce(0) { $0 * 10 + Int($1) - 48 }
        }
        let (year, month, day) = (number(0, 4), number(5, 2), number(8, 2))
        let (hour, minute, second) = (number(11, 2), number(14, 2), number(17, 2))
        guard year >= 1, (1...12).contains(month), day >= 1, hour < 24, minute < 60, second < 60,
            number(21, 2) <= 18, number(23, 2) < 60
        else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= lengths[month - 1] else { return nil }
        let offset = (number(21, 2) * 60 + number(23, 2)) * 60 * (bytes[20] == 45 ? -1 : 1)
        return ArchiveText.instant(year, month, day, hour, minute, second) - Double(offset)
    }
}
