public import Foundation
import HealthModel

/// An entry's time of change, as zip files keep it: local, in steps of two seconds, from 1980 to 2107.
public struct ZipTime: Hashable, Sendable {
    /// Two-second steps, minutes and hours from the lowest bit up.
    public var time: UInt16
    /// Day, month and years since 1980 from the lowest bit up.
    public var date: UInt16

    /// The first instant of 1980, for files that should not tell when they were made.
    public static let earliest = ZipTime(time: 0, date: 0x21)

    /// Makes a time of its two numbers.
    public init(time: UInt16, date: UInt16) {
        self.time = time
        self.date = date
    }

    /// The time a clock in this zone shows; years that cannot be kept become the nearest that can.
    public init(_ instant: Date, in zone: TimeZone) {
        let seconds = (instant.timeIntervalSinceReferenceDate + Double(zone.secondsFromGMT(for: instant))).rounded(.down)
        let earliest = Double(CivilDate.dayNumber(year: 1980, month: 1, day: 1)) * 86_400
        let latest = Double(CivilDate.dayNumber(year: 2108, month: 1, day: 1)) * 86_400 - 1
        let local = Int(min(max(seconds, earliest), latest))
        let day = (local >= 0 ? local : local - 86_399) / 86_400
        let (year, month, dayOfMonth) = CivilDate.date(dayNumber: day)
        let second = local - day * 86_400
        time = UInt16((second / 3_600) << 11 | (second / 60 % 60) << 5 | second % 60 / 2)
        date = UInt16((year - 1980) << 9 | month << 5 | dayOfMonth)
    }
}
