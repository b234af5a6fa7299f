import Foundation
import HealthFiles
import HealthModel

extension ArchiveParser {
    /// The number of bytes that must be readable for the fast path: a template, a device's address, three dates, a
    /// value and the markup between them.
    private static let reach = RecordTemplate.maximumLength + 512

    /// Reads consecutive records that match a template, which saves 0.7 s per million records: they take 0.17 s instead of
    /// 0.87 s tag by tag (Docs/Decisions/Archive-reading.md). Stops before anything else and near the window's end, with
    /// no change of state for the markup it stopped at.
    mutating func readByTemplates() {
        guard templates.count > 0 else { return }
        let base = UnsafePointer(window.base)
        let last = window.count - Self.reach
        var position = window.position
        var taken = 0
        var room = options.batchSize - batchRecords
        // Local copies: the loop's state should live in registers.
        var dates = self.dates
        var creationDates = self.creationDates
        var recent = templates.last
        let count = templates.count
        scan: while room > 0 {
            while TagScanner.isBlank(base[position]), position < last { position += 1 }
            guard position < last, base[position] == UInt8(ascii: "<") else { break }
            let text = base + position
            var index = recent
            var rest = templates[index].pointee.match(text)
            if rest == nil {
                index = 0
                while index < count {
                    rest = templates[index].pointee.match(text)
                    if rest != nil { break }
                    index += 1
                }
            }
            guard var next = rest else { break }
            recent = index
            let template = templates[index]

            var creation = Double.nan
            if template.pointee.hasCreation {
                creation = creationDates.parse(next)
                next += DateCursor.length
                guard !creation.isNaN, memcmp(next, "\" startDate=\"", 13) == 0 else { break }
                next += 13
            }
            let start = dates.parse(next)
            next += DateCursor.length
            guard memcmp(next, "\" endDate=\"", 11) == 0 else { break }
            next += 11
            let end = dates.parse(next)
            next += DateCursor.length
            // False for NaN on either side too.
            guard start <= end, memcmp(next, "\" value=\"", 9) == 0 else { break }
            next += 9

            let value: Double
            if template.pointee.isQuantity {
                var length = 0
                value = DecimalText.parsePrefix(next, limit: 24, length: &length)
                guard !value.isNaN else { break }
                next += length
            } else {
                let known = template.pointee.knownValue(at: next)
                guard known.length > 0 else { break }
                value = known.value
                next += known.length
            }
            guard next[0] == UInt8(ascii: "\"") else { break }
            var metadata: UInt32 = 0
            if next[1] == UInt8(ascii: "/"), next[2] == UInt8(ascii: ">") {
                next += 3
            } else {
                guard next[1] == UInt8(ascii: ">") else { break }
                next += 2
                let span = template.pointee.builder.pointee.knownSpan(at: next, limit: window.count - (next - base))
                guard span.length > 0 else { break }
                metadata = span.number
                next += span.length
            }
            template.pointee.builder.pointee.append(
                start: start, end: end, value: value, unit: template.pointee.unit, revision: template.pointee.revision,
                device: template.pointee.device, metadata: metadata, creation: creation)
            position = next - base
            taken += 1
            room -= 1
        }
        window.position = position
        self.dates = dates
        self.creationDates = creationDates
        templates.last = recent
        records += taken
        batchRecords += taken
    }

    /// Makes a template of a record, or adds its category value to the template it matches.
    mutating func learn(_ shape: RecordTemplate.Shape, _ sample: ParsedSample, _ fields: RecordFields) {
        guard let builder = types[sample.type].builder else { return }
        let base = UnsafePointer(window.base)
        let isQuantity = types[sample.type].kind == .quantity
        // A category's unit is kept in each record's metadata.
        guard isQuantity || !fields.unit.exists else { return }
        var known: Int?
        for index in 0..<templates.count where templates[index].pointee.isExactly(base, shape) { known = index }
        if known == nil {
            templates.insert(
                RecordTemplate(
                    base, shape, builder: builder, isQuantity: isQuantity, unit: sample.unit,
                    revision: sample.revision, device: sample.device))
            known = templates.last
        }
        guard !isQuantity, let known else { return }
        let text = fields.value.bytes(in: base)
        // A constant: the compiler can't instrument this change through the table for thread sanitizer.
        let template = templates[known]
        if template.pointee.knownValue(at: base + fields.value.start).length == 0 {
            template.pointee.remember(text, as: sample.value)
        }
    }
}
