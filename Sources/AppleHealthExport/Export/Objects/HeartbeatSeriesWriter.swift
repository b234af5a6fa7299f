import HealthModel

/// A series of heartbeats as the list under a heart-rate variability: the twin of ``HeartbeatSeriesReader``.
///
/// The list belongs into the record of equal source, device and span. Times are printed as the archive
/// printed them that the series came from, or as an English phone does.
enum HeartbeatSeriesWriter {
    /// `nil` for a record that holds no beats. `offset` is the seconds east of UTC in which the archive gives
    /// its dates.
    static func element(_ series: ObjectRecord, offset: Int) -> ArchivedElement? {
        guard case .document(let document) = series.body,
            let offsets = document.series[HeartbeatSeriesDocument.offsets], !offsets.isEmpty,
            offsets.allSatisfy({ abs($0) < 1e9 }), abs(series.start) < 1e12
        else { return nil }
        let rates = document.series[HeartbeatSeriesDocument.rates] ?? computedRates(offsets)
        guard rates.count == offsets.count else { return nil }
        let given = text(HeartbeatSeriesReader.clockKey, of: series)
        let list =
            given.flatMap { kept(offsets, rates, clocks: $0) } ?? list(offsets, rates, from: series.start + Double(offset))
        var beats = list
        if let texts = text(HeartbeatSeriesReader.ratesKey, of: series)?.split(separator: "\n").map(String.init),
            texts.count == rates.count
        {
            beats.rateTexts = texts
        }
        return beats.element
    }

    /// The list as it was printed; `nil` where the clocks do not go with the beats.
    private static func kept(_ offsets: [Double], _ rates: [Double], clocks text: String) -> BeatList? {
        let clocks = text.split(separator: "\n").map(String.init)
        guard let first = clocks.first.flatMap(BeatClock.init) else { return nil }
        let ticks = offsets.map { (first.ticks + Int((($0 - offsets[0]) * 100).rounded())) % BeatClock.hour }
        let hours = 1 + zip(ticks, ticks.dropFirst()).count { $0 > $1 }
        guard hours == clocks.count, ticks.allSatisfy({ $0 >= 0 }) else { return nil }
        return BeatList(ticks: ticks, rates: rates, clocks: clocks)
    }

    /// The list of an English phone whose clock shows `local` at the start.
    private static func list(_ offsets: [Double], _ rates: [Double], from local: Double) -> BeatList {
        var list = BeatList(ticks: [], rates: rates, clocks: [])
        for offset in offsets {
            let ticks = Int(((local + offset) * 100).rounded())
            let day = ((ticks % 8_640_000) + 8_640_000) % 8_640_000
            let tick = day % BeatClock.hour
            if list.ticks.isEmpty || tick < list.ticks[list.ticks.count - 1] { list.clocks.append(english(day)) }
            list.ticks.append(tick)
        }
        return list
    }

    /// `7:47:41.86 PM`, of hundredths of a second since midnight.
    private static func english(_ ticks: Int) -> String {
        func pair(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let hour = ticks / BeatClock.hour
        let rest = ticks % BeatClock.hour
        return "\(hour % 12 == 0 ? 12 : hour % 12):\(pair(rest / 6_000)):\(pair(rest / 100 % 60)).\(pair(rest % 100)) \(hour < 12 ? "AM" : "PM")"
    }

    /// Beats a minute from the time since the beat before; the first one has its successor's.
    private static func computedRates(_ offsets: [Double]) -> [Double] {
        var rates = zip(offsets.dropFirst(), offsets).map { later, earlier in
            later > earlier ? (60 / (later - earlier)).rounded() : 0
        }
        rates.insert(rates.first ?? 0, at: 0)
        return rates
    }

    private static func text(_ key: String, of record: ObjectRecord) -> String? {
        if case .string(let text)? = record.metadata[key] { text } else { nil }
    }
}
