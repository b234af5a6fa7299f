import Foundation

/// The beginning that many records share byte for byte, up to their first date, and what it stands for.
/// The address of a device in it may differ.
struct RecordTemplate {
    /// A category value's name, with its closing quote, and its raw value.
    struct KnownValue {
        var bytes: UnsafeMutablePointer<UInt8>
        var length: Int
        var value: Double
    }

    /// From `<Record` to the quote that opens the first date; without the device's address.
    let bytes: UnsafeMutablePointer<UInt8>
    /// Of them, those before the address; all of them when there is none.
    let headLength: Int
    let restLength: Int
    let hasAddress: Bool
    let hasCreation: Bool
    let isQuantity: Bool
    let builder: UnsafeMutablePointer<ColumnBuilder>
    let unit: UInt32
    let revision: UInt32
    let device: UInt32
    private(set) var values: UnsafeMutablePointer<KnownValue>
    private(set) var valueCount = 0
    private var nextValue = 0

    private static let valuesKept = 8
    static let longest = 1_024
    private static let longestValue = 128

    init(
        _ base: UnsafePointer<UInt8>, _ shape: Shape, builder: UnsafeMutablePointer<ColumnBuilder>,
        isQuantity: Bool, unit: UInt32, revision: UInt32, device: UInt32
    ) {
        headLength = shape.address.exists ? shape.address.start - shape.start : shape.prefixEnd - shape.start
        restLength = shape.address.exists ? shape.prefixEnd - shape.address.end : 0
        hasAddress = shape.address.exists
        hasCreation = shape.hasCreation
        bytes = .allocate(capacity: headLength + restLength)
        bytes.update(from: base + shape.start, count: headLength)
        if restLength > 0 { (bytes + headLength).update(from: base + shape.address.end, count: restLength) }
        self.builder = builder
        self.isQuantity = isQuantity
        self.unit = unit
        self.revision = revision
        self.device = device
        values = .allocate(capacity: Self.valuesKept)
    }

    func deallocate() {
        for index in 0..<valueCount { values[index].bytes.deallocate() }
        values.deallocate()
        bytes.deallocate()
    }

    /// Where the bytes after the shared beginning start, when the record at `text` begins with it; else
    /// `nil`. At least ``longest`` bytes must be readable.
    @inline(__always)
    func match(_ text: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        guard memcmp(text, bytes, headLength) == 0 else { return nil }
        guard hasAddress else { return text + headLength }
        let rest = text + DeviceAddress.skipDigits(text, from: headLength, end: headLength + 17)
        // No digit at all is no address, and is read the long way.
        guard rest > text + headLength, memcmp(rest, bytes + headLength, restLength) == 0 else { return nil }
        return rest + restLength
    }

    /// Whether a record of this shape is what the template was made from, address aside.
    func isExactly(_ base: UnsafePointer<UInt8>, _ shape: Shape) -> Bool {
        let head = shape.address.exists ? shape.address.start - shape.start : shape.prefixEnd - shape.start
        let rest = shape.address.exists ? shape.prefixEnd - shape.address.end : 0
        return head == headLength && rest == restLength && hasAddress == shape.address.exists
            && hasCreation == shape.hasCreation && memcmp(base + shape.start, bytes, head) == 0
            && (rest == 0 || memcmp(base + shape.address.end, bytes + head, rest) == 0)
    }

    /// The raw value whose name stands at `text`, and the name's length; a length of 0 for one not
    /// remembered.
    @inline(__always)
    func knownValue(at text: UnsafePointer<UInt8>) -> (length: Int, value: Double) {
        for index in 0..<valueCount where memcmp(values[index].bytes, text, values[index].length) == 0 {
            return (values[index].length - 1, values[index].value)
        }
        return (0, 0)
    }

    /// Remembers what a category value's raw text stands for.
    mutating func remember(_ text: UnsafeBufferPointer<UInt8>, as value: Double) {
        guard let base = text.baseAddress, text.count < Self.longestValue else { return }
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: text.count + 1)
        copy.update(from: base, count: text.count)
        copy[text.count] = UInt8(ascii: "\"")
        let known = KnownValue(bytes: copy, length: text.count + 1, value: value)
        if valueCount < Self.valuesKept {
            values[valueCount] = known
            valueCount += 1
        } else {
            values[nextValue].bytes.deallocate()
            values[nextValue] = known
            nextValue = (nextValue + 1) % Self.valuesKept
        }
    }
}
