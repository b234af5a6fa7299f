import HealthTesting
import Testing

@testable import AppleHealthExport

@Suite struct DateStampTests {
    private func text(_ stamp: inout DateStamp, _ instant: Double) -> String {
        let target = UnsafeMutablePointer<UInt8>.allocate(capacity: DateStamp.length)
        defer { target.deallocate() }
        stamp.write(instant, to: target)
        return String(decoding: UnsafeBufferPointer(start: target, count: DateStamp.length), as: UTF8.self)
    }

    @Test(arguments: [0, 3_600, -18_000, 20_700, -12_600, 50_400, -43_200])
    func agreesWithTheReferenceImplementation(_ offset: Int) {
        var random = SplitMix64(seed: UInt64(bitPattern: Int64(offset)) &+ 1)
        var stamp = DateStamp(offset: offset)
        var near = 7e8
        for index in 0..<20_000 {
            // Dates within a day, as in a file, and centuries apart.
            near =
                index % 7 == 0
                ? Double.random(in: -6e10...2.4e11, using: &random)
                : near + Double.random(in: -9_000...9_000, using: &random)
            let expected = ArchiveDate.print(near.rounded(.down), offset: offset)
            #expect(text(&stamp, near) == expected)
            #expect(stamp.text(near) == expected)
            #expect(ArchiveDate.parse(expected) == near.rounded(.down) && stamp.rounded(near) == near.rounded(.down))
        }
    }

    @Test func truncatesFractions() {
        var stamp = DateStamp(offset: 0)
        #expect(text(&stamp, 0.999_999) == "2001-01-01 00:00:00 +0000")
        #expect(text(&stamp, -0.000_001) == "2000-12-31 23:59:59 +0000")
    }

    @Test func recognizesTheEndsOfTheDay() {
        var stamp = DateStamp(offset: 3_600)
        #expect(text(&stamp, 82_799) == "2001-01-01 23:59:59 +0100")
        #expect(text(&stamp, 82_800) == "2001-01-02 00:00:00 +0100")
        #expect(text(&stamp, -3_600) == "2001-01-01 00:00:00 +0100")
        #expect(text(&stamp, -3_601) == "2000-12-31 23:59:59 +0100")
    }

    @Test func clampsDates() {
        var stamp = DateStamp(offset: -18_000)
        let first = "0001-01-01 00:00:00 +0000"
        let last = "9999-12-31 23:59:59 +0000"
        for far in [-1e300, -.infinity, -63_114_076_801.0 - 86_400] { #expect(text(&stamp, far) == first) }
        for far in [1e300, .infinity, 252_423_993_600.0 + 86_400] { #expect(text(&stamp, far) == last) }
        for near in [-63_113_904_001.0, 252_423_993_600] { #expect(!DateStamp.canWrite(near)) }
        #expect(text(&stamp, .nan) == first)
        #expect(ArchiveDate.parse(first) != nil && ArchiveDate.parse(last) != nil)
        #expect(DateStamp.canWrite(0) && !DateStamp.canWrite(1e300) && !DateStamp.canWrite(-.infinity))
    }

    /// A local date before the year 1 or after 9999 can't be written, but the same instant in UTC can.
    @Test(arguments: [-18_000, 0, 50_400])
    func everyInstantOfTheYears1To9999IsWritten(_ offset: Int) {
        var stamp = DateStamp(offset: offset)
        let (first, last): (Double, Double) = (-63_113_904_000, 252_423_993_599)
        for instant in [first, first + 3_600, first + 86_400, 0, last] {
            let written = text(&stamp, instant)
            #expect(ArchiveDate.parse(written) == instant && written == stamp.text(instant))
            #expect(stamp.rounded(instant) == instant && DateStamp.canWrite(instant))
            #expect(ArchiveDate.print(instant, offset: offset) == written)
        }
    }
}
