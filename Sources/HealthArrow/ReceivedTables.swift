import Foundation
import HealthAnswers
import HealthEngine
import HealthFormats
import HealthJSON
import HealthModel
import HealthSQL

/// Samples that a server has listed, one in a line, with the columns of the same question to a store on this machine.
struct ReceivedSamples: ArrowSource {
    private var batches: SampleBatches
    private let records: [TypeCode: [SampleRecord]]

    /// - Throws: ``ParameterError`` for text that isn't a list of samples.
    init(_ lines: [UInt8], for batches: SampleBatches, _ setting: QuestionSetting) throws {
        var reader = SampleJSONReader(
            dictionaries: try setting.engine.dictionaries(), timeZone: setting.calendar.timeZone)
        do {
            let items = try lines.withUnsafeBufferPointer { try reader.lines($0) }
            let samples = items.compactMap { if case .sample(let sample) = $0 { sample } else { nil } }
            records = Dictionary(grouping: samples, by: \.type)
        } catch {
            throw ParameterError("answer", "The server’s answer is not a list of samples. \(error)")
        }
        self.batches = batches
        // The server has converted quantities to the person's units, which this machine doesn't know.
        for (type, samples) in records {
            if self.batches.units[type] != nil, let first = samples.first { self.batches.units[type] = first.unit }
        }
    }

    func read(to output: any ArrowOutput) throws {
        try output.begin(batches.columns.map(batches.field))
        var dictionaries = IndexedDictionaries()
        // UUIDs are given, so that none is derived.
        let identities = DerivedIdentities(seed: 0)
        for type in batches.query.types {
            var rest = (records[type.code] ?? [])[...]
            while !rest.isEmpty {
                var rows = SampleColumns(type: type.code)
                var interner = MetadataInterner()
                for sample in rest.prefix(SampleBatches.batchRows) {
                    rows.append(
                        sample, unit: sample.unit.isEmpty ? 0 : dictionaries.intern(.unit(sample.unit)),
                        revision: sample.revision.map { dictionaries.intern(.revision($0)) } ?? 0,
                        device: sample.device.map { dictionaries.intern(.device($0)) } ?? 0, sequence: 0, &interner)
                }
                rest = rest.dropFirst(SampleBatches.batchRows)
                let values = SampleValues(of: type, in: batches.units[type.code], dictionaries.dictionaries)
                var batch = batches.batch(dictionaries.dictionaries, identities)
                batch.append(rows, count: rows.starts.count, of: type, values)
                if let full = batch.next() { try output.write(full) }
            }
        }
    }
}

/// Rows of SQL that a server has answered.
struct ReceivedRows: ArrowSource {
    private let names: [String]
    private let rows: [[SQLValue]]
    private let timeZone: TimeZone

    /// - Throws: ``ParameterError`` for text of another form, and for a result of which the server sent only a part.
    init(_ json: [UInt8], timeZone: TimeZone) throws {
        let value = try? json.withUnsafeBufferPointer { try JSONReader.scan($0) { try $0.value() } }
        guard let names = value?["columns"]?.elements?.compactMap(\.text), let rows = value?["rows"]?.elements else {
            throw ParameterError("answer", "The server’s answer is not a result of SQL.")
        }
        guard value?["isTruncated"]?.flag != true else {
            throw ParameterError("query", "The result has more rows than the server sends. Select fewer.")
        }
        self.names = names
        self.timeZone = timeZone
        self.rows = rows.map { row in
            let values = (row.elements ?? []).map(Self.value)
            return names.indices.map { $0 < values.count ? values[$0] : .null }
        }
    }

    private static func value(_ value: JSONValue) -> SQLValue {
        switch value {
        case .string(let text): .text(text)
        case .number(let number): Int64(exactly: number).map { .integer($0) } ?? .real(number)
        case .bool(let flag): .integer(flag ? 1 : 0)
        default: .null
        }
    }

    func read(to output: any ArrowOutput) throws {
        var rest = rows[...]
        try StatementRows(names: names, declared: names.map { _ in nil }, timeZone: timeZone).read(to: output) {
            rest.popFirst()
        }
    }
}
