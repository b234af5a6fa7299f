import HealthModel

/// A sample with its nouns spelled out, for comparing.
struct PlainSample: Hashable, CustomStringConvertible {
    var type: String
    var start: Double
    var end: Double
    var value: Double
    var unit: String
    var revision: SourceRevisionRecord?
    var device: DeviceRecord?
    var metadata: Metadata
    var creation: Double?

    var description: String {
        "\(type) \(start)–\(end) \(value) \(unit) by \(revision?.source.name ?? "nobody") \(revision?.version ?? "") \(metadata.entries.map { "\($0.key)=\($0.value)" }) \(creation ?? -1)"
    }

    /// The samples of columns, in their order.
    static func list(_ columns: SampleColumns, _ dictionaries: StoreDictionaries) -> [PlainSample] {
        (0..<columns.count).map { row in
            PlainSample(
                type: dictionaries.type(columns.type)?.identifier ?? "unknown", start: columns.starts[row],
                end: columns.ends[row], value: columns.values[row], unit: dictionaries.unit(columns.units[row]),
                revision: dictionaries.revision(columns.revisions[row]),
                device: dictionaries.device(columns.devices[row]), metadata: columns.metadata(at: row),
                creation: columns.creation(at: row))
        }
    }
}
