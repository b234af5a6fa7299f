import HealthModel

/// The beats under a heart-rate variability as an object of their own: a series of heartbeats with the
/// record's source, device and span, by which the two belong together.
enum HeartbeatSeriesReader {
    static let identifier = "HKDataTypeIdentifierHeartbeatSeries"
    /// The first time of every hour in the list, a line each: how the phone printed times.
    static let clockKey = MetadataKey.archivedPrefix + "beats.clock"
    /// The texts of the rates, a line each, where they are not as numbers are printed.
    static let ratesKey = MetadataKey.archivedPrefix + "beats.rates"

    /// The series without source and device; `nil` for a list that is not one beat after the other.
    static func read(
        _ list: BeatList, start: Double, end: Double, zoneMinutes: Int, creation: Double?
    ) -> ObjectRecord? {
        guard let offsets = list.offsets(start: start, end: end, zoneMinutes: zoneMinutes) else { return nil }
        var metadata = Metadata([.init(key: clockKey, value: .string(list.clocks.joined(separator: "\n")))])
        if let texts = list.rateTexts {
            metadata.entries.append(.init(key: ratesKey, value: .string(texts.joined(separator: "\n"))))
        }
        return ObjectRecord(
            type: type, start: start, end: end, metadata: metadata, creation: creation,
            body: .document(
                DocumentBody(series: [
                    // Of gaps the archive says nothing.
                    HeartbeatSeriesDocument.offsets: offsets, HeartbeatSeriesDocument.rates: list.rates,
                ])))
    }

    static let type = TypeCatalog.description(for: identifier)!.code
}
