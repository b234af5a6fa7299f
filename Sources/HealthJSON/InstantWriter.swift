package import Foundation
package import HealthModel

/// Writes instants as ISO 8601 with an offset, with as many fractional digits as are needed to read back exactly the
/// same number. The counterpart is `LocalClock.instant(of:)`.
///
/// Use from one thread at a time, because the clock remembers what it looked up.
package struct InstantWriter {
    private let clock: LocalClock

    /// Creates a writer for a time zone.
    package init(timeZone: TimeZone) {
        clock = LocalClock(timeZone: timeZone)
    }

    /// Creates a writer with a clock, which no other thread uses.
    package init(clock: LocalClock) {
        self.clock = clock
    }

    /// The time zone of the texts.
    package var timeZone: TimeZone { clock.timeZone }

    /// The length of the offset at the end, `+01:00`.
    private static let offsetLength = 6
    /// Numbers up to this magnitude are exact in the product with a power of ten.
    private static let exactLimit = 0x1p53

    /// Appends the text of an instant, in seconds since 2001.
    package func write(_ instant: Double, to bytes: inout [UInt8]) {
        let whole = instant.rounded(.down)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: LocalClock.maximumInstantLength) { buffer in
            guard let start = buffer.baseAddress else { return }
            let length = clock.writeInstant(whole, to: start)
            let text = UnsafeBufferPointer(start: start, count: length)
            guard instant != whole, instant.isFinite, abs(instant) < LocalClock.farthestInstant else {
                return bytes.append(contentsOf: text)
            }
            bytes.append(contentsOf: text.dropLast(Self.offsetLength))
            bytes.append(UInt8(ascii: "."))
            Self.writeFraction(of: instant, whole: whole, to: &bytes)
            bytes.append(contentsOf: text.suffix(Self.offsetLength))
        }
    }

    /// The text of an instant, in seconds since 2001.
    package func text(_ instant: Double) -> String {
        var bytes: [UInt8] = []
        write(instant, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func writeFraction(of instant: Double, whole: Double, to bytes: inout [UInt8]) {
        for (digits, scale) in [(3, 1e3), (6, 1e6)] {
            let scaled = (instant * scale).rounded()
            guard abs(scaled) < exactLimit, scaled / scale == instant else { continue }
            let fraction = Int(scaled - whole * scale)
            var place = Int(scale) / 10
            for _ in 0..<digits {
                bytes.append(UInt8(48 + fraction / place % 10))
                place /= 10
            }
            return
        }
        bytes += decimals(of: instant)
    }

    /// The digits after the point of `instant - floor(instant)`, from the shortest text of the instant.
    private static func decimals(of instant: Double) -> [UInt8] {
        let text = "\(abs(instant))"
        let parts = text.split(separator: "e")
        let number = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        var digits = Array((number[0] + (number.count > 1 ? number[1] : "")).utf8)
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let point = number[0].utf8.count + exponent
        if point < 0 { digits.insert(contentsOf: [UInt8](repeating: 48, count: min(-point, 330)), at: 0) }
        var fraction = Array(digits.dropFirst(max(point, 0)))
        while fraction.last == 48 { fraction.removeLast() }
        if instant < 0, !fraction.isEmpty {
            // The fraction above the next lower whole number is the complement.
            for index in fraction.indices { fraction[index] = 48 + 57 - fraction[index] }
            fraction[fraction.count - 1] += 1
        }
        return fraction.isEmpty ? [48] : fraction
    }
}

extension LocalClock {
    /// Instants are written within about 8,000 years of 2001.
    fileprivate static let farthestInstant = 2.6e11
}
