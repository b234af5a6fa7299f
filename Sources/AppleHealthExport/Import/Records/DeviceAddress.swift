/// The memory address at the beginning of a device's raw text, `&lt;&lt;HKDevice: 0x282e3a260&gt;, …`.
/// It differs between equal devices, so nothing may compare it.
enum DeviceAddress {
    private static let mark: StaticString = "&lt;&lt;HKDevice: 0x"

    /// Where the address' digits stand within a device attribute's value; ``ByteRange/none`` without one.
    static func digits(in device: ByteRange, _ base: UnsafePointer<UInt8>) -> ByteRange {
        guard device.exists, TagScanner.hasPrefix(mark, base, at: device.start, end: device.end) else { return .none }
        let start = device.start + mark.utf8CodeUnitCount
        let end = skipDigits(base, from: start, end: device.end)
        return end > start ? ByteRange(start: start, end: end) : .none
    }

    /// What of the value is left to compare.
    static func skip(_ device: ByteRange, _ base: UnsafePointer<UInt8>) -> ByteRange {
        let digits = digits(in: device, base)
        return digits.exists ? ByteRange(start: digits.end, end: device.end) : device
    }

    /// The offset of the first byte that is no lower-case hexadecimal digit.
    @inline(__always)
    static func skipDigits(_ base: UnsafePointer<UInt8>, from start: Int, end: Int) -> Int {
        var position = start
        while position < end {
            let byte = base[position]
            guard byte &- 0x30 < 10 || byte &- 0x61 < 6 else { break }
            position += 1
        }
        return position
    }
}
