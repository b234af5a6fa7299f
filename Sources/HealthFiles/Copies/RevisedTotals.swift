import HealthEngine
import HealthModel

/// Amounts that have grown since an earlier archive: some applications write the steps of a day as one record until the
/// day is over, and each archive has it as it was by then. Of amounts from the same moment on, the grown one counts.
struct RevisedTotals {
    /// A type of a source.
    private struct Key: Hashable {
        let type: TypeCode
        let unit: String
        let source: String
    }

    private struct Amount: Equatable {
        let end: Double
        let value: Double

        func isGrown(from other: Amount) -> Bool { self != other && end >= other.end && value >= other.value }
    }

    private let engine: HealthEngine
    /// The sources that the store had before the import.
    private let sources: Set<String>
    /// The amounts that the store and the import have, by start.
    private var amounts: [Key: [Double: Amount]] = [:]
    /// The amounts that have grown since.
    private var outdated: [Key: [(start: Double, amount: Amount)]] = [:]

    init(_ engine: HealthEngine) throws {
        self.engine = engine
        sources = try Set(engine.dictionaries().sources.map(\.bundleIdentifier))
    }

    /// Removes from a content what has grown since, and takes note of the rest.
    mutating func leaveOutOutdated(of content: inout FileContent) throws {
        let growing = content.growing
        guard !growing.isEmpty else { return }
        let before = content.count
        var kept: [SampleRecord] = []
        for sample in content.samples {
            let amount = Amount(end: sample.end, value: sample.value)
            if growing.contains(sample.type), let source = sample.revision?.source.bundleIdentifier,
                try !take(amount, from: sample.start, of: Key(type: sample.type, unit: sample.unit, source: source))
            {
                continue
            }
            kept.append(sample)
        }
        content.samples = kept
        for place in content.series.indices where growing.contains(content.series[place].type) {
            let series = content.series[place]
            let source = series.origin.revision.source.bundleIdentifier
            let key = Key(type: series.type, unit: series.unit, source: source)
            var rest = SampleSeries(of: series)
            for row in 0..<series.count {
                let (start, amount) = (series.starts[row], Amount(end: series.ends[row], value: series.values[row]))
                if try take(amount, from: start, of: key) { rest.append(amount.value, start, amount.end) }
            }
            content.series[place] = rest
        }
        let count = before - content.count
        if count > 0 { content.leaveOut("amount that has grown since", count: count) }
    }

    /// Takes note of an amount. Returns whether none is known that has grown from it.
    private mutating func take(_ amount: Amount, from start: Double, of key: Key) throws -> Bool {
        if amounts[key] == nil { amounts[key] = try stored(key) }
        if let other = amounts[key]?[start] {
            if other.isGrown(from: amount) { return false }
            if amount.isGrown(from: other) { outdated[key, default: []].append((start, other)) }
        }
        amounts[key]?[start] = amount
        return true
    }

    private func stored(_ key: Key) throws -> [Double: Amount] {
        guard sources.contains(key.source) else { return [:] }
        let parts = [SampleRequest.Part(type: key.type, filter: .source([key.source]))]
        var found: [Double: Amount] = [:]
        for batch in try engine.samples(SampleRequest(parts: parts, columns: .values), as: .reader).batches {
            for (row, start) in batch.starts.enumerated() {
                let amount = Amount(end: batch.ends[row], value: batch.values[row])
                if let other = found[start], other.isGrown(from: amount) { continue }
                found[start] = amount
            }
        }
        return found
    }

    /// Removes from the store what has grown since.
    ///
    /// - Returns: The number of samples removed.
    func removeOutdated() throws -> Int {
        try outdated.reduce(0) { count, entry in
            let (key, rows) = entry
            let old = rows.map { start, amount in
                let quantity = QuantityRecord(amount.value, unit: key.unit)
                return SampleFilter.and([.start(.equal, start), .end(.equal, amount.end), .quantity(.equal, quantity)])
            }
            let filter = SampleFilter.and([.source([key.source]), .or(old)])
            return try count + engine.deleteObjects(of: key.type, matching: filter, as: .reader)
        }
    }
}
