import Foundation
import HealthFiles

/// Reads a list of beats directly from bytes in Apple's form, as archives can have a million of them. Anything unusual
/// is left to ``BeatList/init(_:)``, with which tests compare it.
enum BeatListScanner {
    private static let beat: StaticString = "<InstantaneousBeatsPerMinute bpm=\""
    private static let time: StaticString = "\" time=\""
    private static let end: StaticString = "</HeartRateVariabilityMetadataList>"

    /// The usual number of beats in a minute.
    private static let usualCount = 64

    /// The format of the times in one hour, as ranges of the window.
    private struct Pattern {
        var head: ByteRange
        var middle: ByteRange
        var point: ByteRange
        var tail: ByteRange
    }

    /// The list whose start tag ends at `start`, and its end; `nil` for an unusual list, and if the window ends within
    /// it.
    static func scan(_ base: UnsafePointer<UInt8>, from start: Int, end limit: Int) -> (BeatList, end: Int)? {
        var ticks: [Int] = []
        var rates: [Double] = []
        var clocks: [String] = []
        ticks.reserveCapacity(usualCount)
        rates.reserveCapacity(usualCount)
        var pattern: Pattern?
        var last = -1
        var position = start
        while true {
            while position < limit, TagScanner.isBlank(base[position]) { position += 1 }
            guard TagScanner.hasPrefix(beat, base, at: position, end: limit) else { break }
            position += beat.utf8CodeUnitCount
            let rateStart = position
            var rate = 0
            while position < limit, base[position] &- UInt8(ascii: "0") < 10, position - rateStart < 4 {
                rate = rate * 10 + Int(base[position] &- UInt8(ascii: "0"))
                position += 1
            }
            // A rate with leading zeros or decimals would be written differently.
            guard position > rateStart, base[rateStart] != UInt8(ascii: "0") || position == rateStart + 1,
                TagScanner.hasPrefix(time, base, at: position, end: limit)
            else { return nil }
            position += time.utf8CodeUnitCount
            if let known = pattern, let (tick, next) = match(known, base, position, limit), tick >= last {
                last = tick
                position = next
            } else {
                let close = TagScanner.find(UInt8(ascii: "\""), base, from: position, end: min(limit, position + 80))
                guard close < limit, base[close] == UInt8(ascii: "\""),
                    let new = learn(base, position, close), let (tick, next) = match(new, base, position, limit),
                    tick < last || last < 0
                else { return nil }
                pattern = new
                last = tick
                clocks.append(String(decoding: ByteRange(start: position, end: close).bytes(in: base), as: UTF8.self))
                position = next
            }
            ticks.append(last)
            rates.append(Double(rate))
            guard ticks.count <= BeatList.maximumCount else { return nil }
            if position < limit, base[position] == UInt8(ascii: " ") { position += 1 }
            guard position + 1 < limit, base[position] == UInt8(ascii: "/"), base[position + 1] == UInt8(ascii: ">")
            else { return nil }
            position += 2
        }
        guard !ticks.isEmpty, TagScanner.hasPrefix(end, base, at: position, end: limit) else { return nil }
        return (BeatList(ticks: ticks, rates: rates, clocks: clocks), position + end.utf8CodeUnitCount)
    }

    /// The time at `start`, if it matches the pattern, and the position after its quote.
    @inline(__always)
    private static func match(
        _ pattern: Pattern, _ base: UnsafePointer<UInt8>, _ start: Int, _ limit: Int
    ) -> (ticks: Int, next: Int)? {
        var position = start
        guard limit - start > 80 else { return nil }
        guard step(pattern.head, base, &position), let minute = pair(base, &position), minute < 60,
            step(pattern.middle, base, &position), let second = pair(base, &position), second < 60,
            step(pattern.point, base, &position), let hundredths = pair(base, &position),
            step(pattern.tail, base, &position), base[position] == UInt8(ascii: "\"")
        else { return nil }
        return (minute * 6_000 + second * 100 + hundredths, position + 1)
    }

    @inline(__always)
    private static func step(_ part: ByteRange, _ base: UnsafePointer<UInt8>, _ position: inout Int) -> Bool {
        guard memcmp(base + part.start, base + position, part.count) == 0 else { return false }
        position += part.count
        return true
    }

    @inline(__always)
    private static func pair(_ base: UnsafePointer<UInt8>, _ position: inout Int) -> Int? {
        let (tens, ones) = (base[position] &- UInt8(ascii: "0"), base[position + 1] &- UInt8(ascii: "0"))
        guard tens < 10, ones < 10 else { return nil }
        position += 2
        return Int(tens) * 10 + Int(ones)
    }

    /// Makes the pattern of a time between quotes; `nil` unless it has four numbers in ASCII digits, the last three of
    /// two digits, and neither an entity nor digits of another script.
    private static func learn(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Pattern? {
        guard end - start <= BeatClock.maximumLength else { return nil }
        var runs: [ByteRange] = []
        var isASCII = true
        for position in start..<end {
            let byte = base[position]
            if byte >= 0x80 { isASCII = false }
            guard byte != UInt8(ascii: "&"), byte != UInt8(ascii: "<"), byte >= 0x20 else { return nil }
            guard byte &- UInt8(ascii: "0") < 10 else { continue }
            if let last = runs.last, last.end == position {
                runs[runs.count - 1].end = position + 1
            } else {
                runs.append(ByteRange(start: position, end: position + 1))
            }
        }
        guard runs.count == 4, runs[0].count <= 2, runs[1...].allSatisfy({ $0.count == 2 }),
            // Non-ASCII characters may be digits.
            isASCII
                || BeatClock(String(decoding: ByteRange(start: start, end: end).bytes(in: base), as: UTF8.self)) != nil
        else { return nil }
        return Pattern(
            head: ByteRange(start: start, end: runs[1].start),
            middle: ByteRange(start: runs[1].end, end: runs[2].start),
            point: ByteRange(start: runs[2].end, end: runs[3].start), tail: ByteRange(start: runs[3].end, end: end))
    }
}
