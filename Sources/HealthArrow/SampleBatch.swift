import Foundation
import HealthEngine
import HealthJSON
import HealthModel

/// How the values of a type become values of a table.
struct SampleValues {
    let type: TypeDescription
    let unit: String?
    /// By the number of the unit, from 0 for none.
    private let conversions: [UnitConversion?]
    private let units: [String]

    init(of type: TypeDescription, in unit: String?, _ dictionaries: StoreDictionaries) {
        (self.type, self.unit) = (type, unit)
        units = [""] + dictionaries.units
        conversions = units.map { written in
            guard let unit, written != unit else { return .identity }
            return UnitConversion(between: written, and: unit)
        }
    }

    /// The conversion of a value that was written in a unit, by its number; `nil` for one of another kind.
    func conversion(from number: UInt32) -> UnitConversion? {
        number < conversions.count ? conversions[Int(number)] : nil
    }

    /// The unit of a value in the table.
    func unit(ofValueIn number: UInt32) -> String? {
        if let unit { return unit }
        return number > 0 && number < units.count ? units[Int(number)] : nil
    }
}

/// A batch of samples while it is filled.
struct SampleBatch {
    private let fields: [(column: SampleBatches.Column, field: ArrowField)]
    private var texts: [ArrowTexts?]
    private let dictionaries: StoreDictionaries
    private let identities: DerivedIdentities
    private let instants: InstantWriter
    private var columns: [ArrowColumn] = []
    private(set) var count = 0
    /// The numbers of texts in dictionaries, by the numbers in pages, for each column.
    private var numbers: [[UInt32: UInt16?]]

    init(
        fields: [(column: SampleBatches.Column, field: ArrowField)], _ dictionaries: StoreDictionaries,
        _ identities: DerivedIdentities, instants: InstantWriter
    ) {
        (self.fields, self.dictionaries, self.identities, self.instants) = (fields, dictionaries, identities, instants)
        texts = fields.map { $0.field.type == .dictionary ? ArrowTexts() : nil }
        numbers = fields.map { _ in [:] }
        begin(before: 0)
    }

    /// Whether rows can be appended.
    func hasRoom(for rows: Int) -> Bool { columns.allSatisfy { $0.hasRoom(for: rows) } }

    /// Begins a batch, with other dictionaries instead of those that may become full.
    private mutating func begin(before rows: Int) {
        for (index, list) in texts.enumerated() {
            guard let list, !list.hasRoom(for: max(rows, SampleBatches.batchRows / 2)) else { continue }
            (texts[index], numbers[index]) = (ArrowTexts(), [:])
        }
        // Consumers keep the buffers: ones that grow leave holes between them.
        columns = zip(fields, texts).map {
            ArrowColumn($0.field.type, capacity: SampleBatches.batchRows, texts: $1)
        }
        count = 0
    }

    /// Returns the batch, if it has rows, and begins another one.
    ///
    /// - Parameter rows: The number of rows for which there has to be room then, at most those of a page.
    mutating func next(before rows: Int = 0) -> ArrowBatch? {
        defer { begin(before: rows) }
        guard count > 0 else { return nil }
        return ArrowBatch(columns, count: count)
    }

    /// Appends the first rows of a page.
    mutating func append(_ rows: SampleColumns, count new: Int, of type: TypeDescription, _ values: SampleValues) {
        guard new > 0 else { return }
        for index in columns.indices {
            let column = columns[index]
            switch fields[index].column {
            case .type:
                let number = texts[index]?.number(of: type.shortName) ?? 0
                column.append(new, of: UInt16.self) { $0.initialize(repeating: number) }
            case .start: Self.append(rows.starts, new, to: column)
            case .end: Self.append(rows.ends, new, to: column)
            case .value:
                if column.type == .dictionary {
                    name(rows.values, new, of: type, at: index)
                } else {
                    Self.append(rows, new, values, to: column)
                }
            case .valueName:
                if type.kind == .category {
                    name(rows.values, new, of: type, at: index)
                } else {
                    for _ in 0..<new { column.appendNull() }
                }
            case .unit:
                look(up: rows.units, new, at: index) { type.kind == .quantity ? values.unit(ofValueIn: $0) : nil }
            case .source:
                look(up: rows.revisions, new, at: index) { [dictionaries] in
                    dictionaries.revision($0)?.source.name
                }
            case .bundleIdentifier:
                look(up: rows.revisions, new, at: index) { [dictionaries] in
                    dictionaries.revision($0)?.source.bundleIdentifier
                }
            case .device:
                look(up: rows.devices, new, at: index) { [dictionaries] in dictionaries.device($0)?.name }
            case .creation:
                for row in 0..<new {
                    if let creation = rows.creation(at: row) {
                        column.append(instant: creation)
                    } else {
                        column.appendNull()
                    }
                }
            case .metadata: append(rows.metadata, new, to: column)
            case .uuid:
                let identities = identities
                column.append(new, of: uuid_t.self) { target in
                    for row in 0..<new {
                        target[row] = (rows.uuid(at: row) ?? identities.uuid(for: rows.sequences[row])).uuid
                    }
                }
            }
        }
        count += new
    }

    private static func append(_ instants: [Double], _ count: Int, to column: ArrowColumn) {
        column.append(count, of: Int64.self) { target in
            instants.withUnsafeBufferPointer { instants in
                for row in 0..<count { target[row] = ArrowInstant.microseconds(instants[row]) }
            }
        }
    }

    private static func append(_ rows: SampleColumns, _ count: Int, _ values: SampleValues, to column: ArrowColumn) {
        let first = rows.units.first ?? 0
        let isUniform = values.type.kind == .category || rows.units.prefix(count).allSatisfy { $0 == first }
        if isUniform, let conversion = values.conversion(from: first) {
            column.append(count, of: Double.self) { target in
                rows.values.withUnsafeBufferPointer { source in
                    if conversion.isIdentity {
                        _ = target.update(fromContentsOf: source.prefix(count))
                    } else {
                        for row in 0..<count { target[row] = conversion(source[row]) }
                    }
                }
            }
            return
        }
        for row in 0..<count {
            // A value in a unit of another kind means nothing beside the others.
            if let conversion = values.conversion(from: row < rows.units.count ? rows.units[row] : 0) {
                column.append(conversion(rows.values[row]))
            } else {
                column.appendNull()
            }
        }
    }

    /// Appends the texts of numbers in pages; null for an unknown one.
    private mutating func look(up found: [UInt32], _ count: Int, at index: Int, _ text: (UInt32) -> String?) {
        let (column, texts) = (columns[index], texts[index])
        Self.forEachRun(of: found, or: 0, count) { number, length in
            let place = numbers[index][number] ?? text(number).flatMap { texts?.number(of: $0) }
            // The number of a unit means another unit for another type.
            if fields[index].column != .unit { numbers[index][number] = .some(place) }
            Self.append(place, length, to: column)
        }
    }

    /// Appends the names of category values; the number as text for a value without one.
    private mutating func name(_ values: [Double], _ count: Int, of type: TypeDescription, at index: Int) {
        let (column, texts) = (columns[index], texts[index])
        var places: [Double: UInt16] = [:]
        Self.forEachRun(of: values, or: 0, count) { value, length in
            let place =
                places[value]
                ?? texts?.number(
                    of: Int(exactly: value).map { ValueNames.name(of: $0, of: type) ?? "\($0)" } ?? "\(value)")
            places[value] = place
            Self.append(place, length, to: column)
        }
    }

    /// Calls a function for values of which equal ones often follow each other, with their count.
    private static func forEachRun<Value: Equatable>(
        of values: [Value], or missing: Value, _ count: Int, _ body: (Value, Int) -> Void
    ) {
        let known = min(count, values.count)
        values.withUnsafeBufferPointer { values in
            var row = 0
            while row < known {
                let (value, first) = (values[row], row)
                repeat { row += 1 } while row < known && values[row] == value
                body(value, row - first)
            }
        }
        if known < count { body(missing, count - known) }
    }

    /// Appends the number of a text some times; null for none.
    private static func append(_ place: UInt16?, _ count: Int, to column: ArrowColumn) {
        if let place {
            column.append(count, of: UInt16.self) { $0.initialize(repeating: place) }
        } else {
            for _ in 0..<count { column.appendNull() }
        }
    }

    private func append(_ metadata: MetadataColumn, _ count: Int, to column: ArrowColumn) {
        let entries = metadata.table.map { metadata in
            metadata.entries.filter { !$0.key.hasPrefix("_") }.map { (Array($0.key.utf8), Array(text($0.value).utf8)) }
        }
        let (keys, values) = (column.children[0].children[0], column.children[0].children[1])
        for row in 0..<count {
            let number = metadata.number(at: row)
            guard number > 0, !entries[number - 1].isEmpty else {
                column.appendNull()
                continue
            }
            for (key, value) in entries[number - 1] {
                keys.append(key)
                values.append(value)
                column.children[0].appendChildren()
            }
            column.appendChildren()
        }
    }

    private func text(_ value: MetadataValue) -> String {
        switch value {
        case .string(let text): text
        case .bool(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .date(let instant): instants.text(instant)
        case .quantity(let value, let unit): "\(value) \(unit)"
        }
    }
}
