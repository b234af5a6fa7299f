import HealthModel

/// The beats listed under a heart-rate variability, before it is known when they were.
struct BeatList: Equatable {
    /// Hundredths of a second since the full hour, by the clock of the list; one for each beat.
    var ticks: [Int]
    /// Beats a minute.
    var rates: [Double]
    /// The text of the first beat of every hour: how the times are printed, see ``BeatClock``.
    var clocks: [String]
    /// The texts of the rates, where printing the numbers gives others.
    var rateTexts: [String]?

    /// More than this is no list of an hour.
    static let greatestCount = 100_000
    private static let beat = "InstantaneousBeatsPerMinute"

    init(ticks: [Int], rates: [Double], clocks: [String], rateTexts: [String]? = nil) {
        self.ticks = ticks
        self.rates = rates
        self.clocks = clocks
        self.rateTexts = rateTexts
    }

    /// The beats of an element; `nil` for one that says more or less than a list of beats does. The slow
    /// twin of ``BeatListScanner``.
    init?(_ element: ArchivedElement) {
        guard element.name == ArchivedMetadata.beats, element.attributes.isEmpty, !element.children.isEmpty,
            element.children.count <= Self.greatestCount
        else { return nil }
        self.init(ticks: [], rates: [], clocks: [])
        var texts: [String] = []
        var clock: BeatClock?
        for child in element.children {
            guard child.name == Self.beat, child.children.isEmpty, child.attributes.count == 2,
                let rateText = child["bpm"], let rate = NumberText.parse(rateText), rate.isFinite,
                !rateText.contains(where: \.isNewline), let text = child["time"], let next = BeatClock(text),
                append(next, text, after: clock)
            else { return nil }
            clock = next
            rates.append(rate)
            texts.append(rateText)
        }
        if zip(rates, texts).contains(where: { NumberText.print($0) != $1 }) { rateTexts = texts }
    }

    private mutating func append(_ next: BeatClock, _ text: String, after last: BeatClock?) -> Bool {
        let wraps = last.map { next.ticks < $0.ticks } ?? true
        // Within an hour only the numbers change.
        guard wraps || last?.isLike(next) == true else { return false }
        // The writer makes the text anew.
        guard next.text(ticks: next.ticks) == text, !text.contains(where: \.isNewline) else { return false }
        if wraps { clocks.append(text) }
        ticks.append(next.ticks)
        return true
    }

    /// The element again, for a list that cannot be understood after all.
    var element: ArchivedElement {
        var children: [ArchivedElement] = []
        var hours = clocks.makeIterator()
        var clock: BeatClock?
        for index in ticks.indices {
            if index == 0 || ticks[index] < ticks[index - 1] { clock = hours.next().flatMap(BeatClock.init) }
            children.append(
                ArchivedElement(
                    name: Self.beat,
                    attributes: [
                        .init(name: "bpm", value: rateTexts?[index] ?? NumberText.print(rates[index])),
                        .init(name: "time", value: clock?.text(ticks: ticks[index]) ?? ""),
                    ]))
        }
        return ArchivedElement(name: ArchivedMetadata.beats, children: children)
    }

    /// Seconds from `start` to each beat: of every beat the instant nearest after the start whose minutes,
    /// seconds and hundredths fit. `nil` where that is not one beat after the other.
    ///
    /// The list's clock and the record's dates belong to one zone, of which daylight saving shifts only the
    /// hour. Where it shifts half an hour (Lord Howe Island), or a country has changed its time by as much,
    /// the half hour is taken that brings all beats between start and end.
    ///
    /// - Parameter zoneMinutes: Minutes beyond full hours by which the dates' offset differs from UTC.
    func offsets(start: Double, end: Double, zoneMinutes: Int) -> [Double]? {
        guard abs(start) < 1e12, start * 100 == (start * 100).rounded() else { return nil }
        let startTicks = Int(start * 100) + zoneMinutes * 6_000
        let longest = Int(min((end - start) * 100, Double(BeatClock.hour))) + 100
        var usual: [Double]?
        for half in [0, 1] {
            let zero = startTicks + half * 180_000
            var offsets: [Double] = []
            offsets.reserveCapacity(ticks.count)
            var last = Int.min
            for tick in ticks {
                var offset = (tick - zero) % BeatClock.hour
                if offset < 0 { offset += BeatClock.hour }
                // A start cut to whole seconds comes before its beats; one that was rounded need not.
                if offset > BeatClock.hour - 100 { offset -= BeatClock.hour }
                guard offset >= last else { break }
                last = offset
                offsets.append(Double(offset) / 100)
            }
            guard offsets.count == ticks.count else { continue }
            if last <= longest { return offsets }
            if usual == nil { usual = offsets }
        }
        return usual
    }
}
