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
            let items = try lines.withUnsafeBufferPointer { try reader.lines($0).items }
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
        var numbers = Numbers()
        // UUIDs are given, so that none is derived.
        let identities = DerivedIdentities(seed: 0)
        for type in batches.query.types {
            var rest = (records[type.code] ?? [])[...]
            while !rest.isEmpty {
                var rows = SampleColumns(type: type.code)
                for sample in rest.prefix(SampleBatches.batchRows) { numbers.append(sample, to: &rows) }
                rest = rest.dropFirst(SampleBatches.batchRows)
                let values = SampleValues(of: type, in: batches.units[type.code], numbers.dictionaries)
                var batch = batches.batch(numbers.dictionaries, identities)
                batch.append(rows, count: rows.starts.count, of: type, values)
                if let full = batch.next() { try output.write(full) }
            }
        }
    }

    /// Dictionaries that contain what samples refer to.
    private struct Numbers {
        var dictionaries = StoreDictionaries()
        private var units: [String: UInt32] = [:]
        private var revisions: [SourceRevisionRecord: UInt32] = [:]
        private var devices: [DeviceRecord: UInt32] = [:]

        mutating func append(_ sample: SampleRecord, to rows: inout SampleColumns) {
            let unit = Self.number(of: sample.unit.isEmpty ? nil : sample.unit, in: &units, &dictionaries.units)
            let revision = Self.number(of: sample.revision, in: &revisions, &dictionaries.revisions)
            let device = Self.number(of: sample.device, in: &devices, &dictionaries.devices)
            var metadata: UInt32 = 0
            if !sample.metadata.isEmpty {
                rows.metadata.table.append(sample.metadata)
                metadata = UInt32(rows.metadata.table.count)
            }
            rows.append(sample, unit: unit, revision: revision, device: device, metadata: metadata, sequence: 0)
        }

        private static func number<Entry: Hashable>(
            of entry: Entry?, in numbers: inout [Entry: UInt32], _ entries: inout [Entry]
        ) -> UInt32 {
            guard let entry else { return 0 }
            if let number = numbers[entry] { return number }
            entries.append(entry)
            numbers[entry] = UInt32(entries.count)
            return UInt32(entries.count)
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
