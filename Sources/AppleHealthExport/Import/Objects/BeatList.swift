import HealthFiles
import HealthModel

/// The list of beats in a heart-rate variability record, with clock times that have no date.
struct BeatList: Equatable {
    /// For each beat, hundredths of a second since the full hour.
    var ticks: [Int]
    /// For each beat, the rate in beats per minute.
    var rates: [Double]
    /// The text of the first time in each hour, which determines the format; see ``BeatClock``.
    var clocks: [String]
    /// The texts of the rates, if they differ from the formatted numbers.
    var rateTexts: [String]?

    /// The maximum number of beats.
    static let maximumCount = 100_000
    private static let beat = "InstantaneousBeatsPerMinute"
}

extension BeatList {
    /// Reads a list from an element; `nil` for one with other content. ``BeatListScanner`` is the fast equivalent.
    init?(_ element: ArchivedElement) {
        guard element.name == ArchivedMetadata.beats, element.attributes.isEmpty, !element.children.isEmpty,
            element.children.count <= Self.maximumCount
        else { return nil }
        self.init(ticks: [], rates: [], clocks: [])
        var texts: [String] = []
        var clock: BeatClock?
        for child in element.children {
            guard child.name == Self.beat, child.children.isEmpty, child.attributes.count == 2,
                let rateText = child["bpm"], let rate = DecimalText.parse(rateText), rate.isFinite,
                !rateText.contains(where: \.isNewline), let text = child["time"], let next = BeatClock(text),
                append(next, text, after: clock)
            else { return nil }
            clock = next
            rates.append(rate)
            texts.append(rateText)
        }
        if zip(rates, texts).contains(where: { DecimalText.print($0) != $1 }) { rateTexts = texts }
    }

    private mutating func append(_ next: BeatClock, _ text: String, after last: BeatClock?) -> Bool {
        let wraps = last.map { next.ticks < $0.ticks } ?? true
        // Within an hour only the numbers change.
        guard wraps || last?.hasSameFormat(as: next) == true else { return false }
        // The writer must be able to make the same text.
        guard next.text(ticks: next.ticks) == text, !text.contains(where: \.isNewline) else { return false }
        if wraps { clocks.append(text) }
        ticks.append(next.ticks)
        return true
    }

    /// The element of the list.
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
                        .init(name: "bpm", value: rateTexts?[index] ?? DecimalText.print(rates[index])),
                        .init(name: "time", value: clock?.text(ticks: ticks[index]) ?? ""),
                    ]))
        }
        return ArchivedElement(name: ArchivedMetadata.beats, children: children)
    }

    /// The seconds from `start` to each beat: for each beat, the first instant after the start with its minutes,
    /// seconds and hundredths. `nil` if the beats are not in order.
    ///
    /// The list and the record's dates are in the same time zone, where daylight saving usually changes only the hour.
    /// Where it changes half an hour (Lord Howe Island), the half hour that puts all beats between start and end is
    /// used.
    ///
    /// - Parameter zoneMinutes: The minutes beyond full hours of the dates' offset from UTC.
    func offsets(start: Double, end: Double, zoneMinutes: Int) -> [Double]? {
        guard abs(start) < 1e12, start * 100 == (start * 100).rounded() else { return nil }
        let startTicks = Int(start * 100) + zoneMinutes * 6_000
        let span = Int(min((end - start) * 100, Double(BeatClock.hour))) + 100
        var fallback: [Double]?
        for half in [0, 1] {
            let zero = startTicks + half * 180_000
            var offsets: [Double] = []
            offsets.reserveCapacity(ticks.count)
            var last = Int.min
            for tick in ticks {
                var offset = (tick - zero) % BeatClock.hour
                if offset < 0 { offset += BeatClock.hour }
                // A truncated start comes before its beats; a rounded one may not.
                if offset > BeatClock.hour - 100 { offset -= BeatClock.hour }
                guard offset >= last else { break }
                last = offset
                offsets.append(Double(offset) / 100)
            }
            guard offsets.count == ticks.count else { continue }
            if last <= span { return offsets }
            if fallback == nil { fallback = offsets }
        }
        return fallback
    }
}

/// Reads the beats of a heart-rate variability record as a heartbeat series with the source, device and dates of the
/// record, which identify it.
enum HeartbeatSeriesReader {
    static let identifier = "HKDataTypeIdentifierHeartbeatSeries"
    /// The metadata key of the first time in each hour, one per line, which determines the format.
    static let clockKey = MetadataKey.archivedPrefix + "beats.clock"
    /// The metadata key of the texts of the rates, one per line, if they differ from the formatted numbers.
    static let ratesKey = MetadataKey.archivedPrefix + "beats.rates"

    /// The series without source and device; `nil` for a list whose beats are not in order.
    static func read(
        _ list: BeatList, start: Double, end: Double, zoneMinutes: Int, creation: Double?
    ) -> ObjectRecord? {
        guard let offsets = list.offsets(start: start, end: end, zoneMinutes: zoneMinutes) else { return nil }
        var metadata = Metadata([.init(key: clockKey, value: .string(list.clocks.joined(separator: "\n")))])
        metadata.set(ratesKey, list.rateTexts.map { .string($0.joined(separator: "\n")) })
        return ObjectRecord(
            type: type, start: start, end: end, metadata: metadata, creation: creation,
            body: .document(
                DocumentBody(series: [
                    // Archives have no information on gaps.
                    HeartbeatSeriesDocument.offsets: offsets, HeartbeatSeriesDocument.rates: list.rates,
                ])))
    }

    static let type = TypeCatalog.description(for: identifier)!.code
}

/// The parts of a localized clock time: `7:47:41.86 PM`, `08:33:44,67`, `午後7:47:41.86`.
///
/// Only minutes, seconds and hundredths are interpreted. The hour is part of the surrounding text in every language, as
/// the instant of a beat does not depend on it.
struct BeatClock: Equatable {
    /// The text before the minutes: the hour, and in some languages AM or PM.
    var head: String
    /// The text between minutes and seconds.
    var middle: String
    /// The text between seconds and hundredths.
    var point: String
    /// The text after the hundredths.
    var tail: String
    /// The digit zero of the script.
    var zero: Unicode.Scalar = "0"
    /// Hundredths of a second since the full hour.
    var ticks: Int

    /// The maximum length of a time.
    static let maximumLength = 64
    /// Hundredths of a second in an hour.
    static let hour = 360_000

    /// Parses a text with four numbers, the last three of two digits; `nil` for any other text.
    init?(_ text: String) {
        var runs: [(digits: [Int], start: Int, end: Int)] = []
        let scalars = Array(text.unicodeScalars)
        guard scalars.count <= Self.maximumLength else { return nil }
        var zero: Unicode.Scalar?
        for (index, scalar) in scalars.enumerated() {
            guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue,
                let digit = Int(exactly: value), let ownZero = Unicode.Scalar(scalar.value - UInt32(digit))
            else { continue }
            guard zero == nil || zero == ownZero else { return nil }
            zero = ownZero
            if let last = runs.last, last.end == index {
                runs[runs.count - 1].digits.append(digit)
                runs[runs.count - 1].end = index + 1
            } else {
                runs.append(([digit], index, index + 1))
            }
        }
        guard runs.count == 4, runs[0].digits.count <= 2, runs[1...].allSatisfy({ $0.digits.count == 2 }), let zero
        else { return nil }
        let numbers = runs[1...].map { $0.digits[0] * 10 + $0.digits[1] }
        guard numbers[0] < 60, numbers[1] < 60 else { return nil }
        func between(_ start: Int, _ end: Int) -> String {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[start..<end])
            return String(text)
        }
        head = between(0, runs[1].start)
        middle = between(runs[1].end, runs[2].start)
        point = between(runs[2].end, runs[3].start)
        tail = between(runs[3].end, scalars.count)
        self.zero = zero
        ticks = numbers[0] * 6_000 + numbers[1] * 100 + numbers[2]
    }

    /// Whether another time has the same format and hour.
    func hasSameFormat(as other: BeatClock) -> Bool {
        var other = other
        other.ticks = ticks
        return self == other
    }

    /// The text of a time in the same hour.
    func text(ticks: Int) -> String {
        head + pair(ticks / 6_000) + middle + pair(ticks / 100 % 60) + point + pair(ticks % 100) + tail
    }

    private func pair(_ number: Int) -> String {
        var text = String.UnicodeScalarView()
        for digit in [number / 10, number % 10] {
            text.append(Unicode.Scalar(zero.value + UInt32(digit)) ?? "0")
        }
        return String(text)
    }
}
