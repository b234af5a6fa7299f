import Foundation
import HealthFiles

/// The bytes up to the first date that many records share, and the type, unit, source and device in them. Only a
/// device's memory address may differ.
struct RecordTemplate {
    /// A category value: its name with the closing quote, and its raw value.
    struct KnownValue {
        var bytes: UnsafeMutablePointer<UInt8>
        var length: Int
        var value: Double
    }

    /// The bytes from `<Record` to the opening quote of the first date, without the device's address.
    let bytes: UnsafeMutablePointer<UInt8>
    /// The number of bytes before the address; of all bytes if there is none.
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

    private static let preservedValues = 8
    static let maximumLength = 1_024
    private static let maximumValueLength = 128

    init(
        _ base: UnsafePointer<UInt8>, _ shape: Shape, builder: UnsafeMutablePointer<ColumnBuilder>,
        isQuantity: Bool, unit: UInt32, revision: UInt32, device: UInt32
    ) {
        (headLength, restLength) = (shape.headLength, shape.restLength)
        hasAddress = shape.address.exists
        hasCreation = shape.hasCreation
        bytes = .allocate(capacity: headLength + restLength)
        bytes.update(from: base + shape.start, count: headLength)
        if restLength > 0 { (bytes + headLength).update(from: base + shape.address.end, count: restLength) }
        (self.builder, self.isQuantity) = (builder, isQuantity)
        (self.unit, self.revision, self.device) = (unit, revision, device)
        values = .allocate(capacity: Self.preservedValues)
    }

    func deallocate() {
        for index in 0..<valueCount { values[index].bytes.deallocate() }
        values.deallocate()
        bytes.deallocate()
    }

    /// Returns a pointer just past the shared bytes if the record at `text` begins with them; `nil` otherwise. At least
    /// ``maximumLength`` bytes must be readable.
    @inline(__always)
    func match(_ text: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        guard memcmp(text, bytes, headLength) == 0 else { return nil }
        guard hasAddress else { return text + headLength }
        let rest = text + DeviceAddress.skipDigits(text, from: headLength, end: headLength + 17)
        // An address without digits is left to the slow path.
        guard rest > text + headLength, memcmp(rest, bytes + headLength, restLength) == 0 else { return nil }
        return rest + restLength
    }

    /// Whether a record of this shape has the template's bytes, except for the address.
    func isExactly(_ base: UnsafePointer<UInt8>, _ shape: Shape) -> Bool {
        headLength == shape.headLength && restLength == shape.restLength && hasAddress == shape.address.exists
            && hasCreation == shape.hasCreation && memcmp(base + shape.start, bytes, headLength) == 0
            && (restLength == 0 || memcmp(base + shape.address.end, bytes + headLength, restLength) == 0)
    }

    /// Returns the raw value of the name at `text` and the name's length; a length of 0 if the name is not remembered.
    @inline(__always)
    func knownValue(at text: UnsafePointer<UInt8>) -> (length: Int, value: Double) {
        for index in 0..<valueCount where memcmp(values[index].bytes, text, values[index].length) == 0 {
            return (values[index].length - 1, values[index].value)
        }
        return (0, 0)
    }

    /// Remembers the raw value of a category value's text.
    mutating func remember(_ text: UnsafeBufferPointer<UInt8>, as value: Double) {
        guard let base = text.baseAddress, text.count < Self.maximumValueLength else { return }
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: text.count + 1)
        copy.update(from: base, count: text.count)
        copy[text.count] = UInt8(ascii: "\"")
        let known = KnownValue(bytes: copy, length: text.count + 1, value: value)
        if valueCount < Self.preservedValues {
            values[valueCount] = known
            valueCount += 1
        } else {
            values[nextValue].bytes.deallocate()
            values[nextValue] = known
            nextValue = (nextValue + 1) % Self.preservedValues
        }
    }
}

extension RecordTemplate {
    /// The layout of a record's tag if it is Apple's: repeating attributes first, then the dates, then the value,
    /// separated by one space, in double quotes.
    struct Shape {
        var start: Int
        /// The offset just past the opening quote of the first date.
        var prefixEnd: Int
        /// The device's address, if there is one.
        var address: ByteRange
        var hasCreation: Bool

        /// The number of bytes before the address, or of all bytes, and that after the address.
        var headLength: Int { (address.exists ? address.start : prefixEnd) - start }
        var restLength: Int { address.exists ? prefixEnd - address.end : 0 }

        static let toStart: StaticString = "\" startDate=\""
        static let toEnd: StaticString = "\" endDate=\""
        static let toValue: StaticString = "\" value=\""

        /// Fails if the tag has another layout.
        init?(
            _ base: UnsafePointer<UInt8>, _ start: Int, _ tag: ScannedTag, _ attributes: borrowing TagAttributes
        ) {
            let count = attributes.count
            guard count >= 4 else { return nil }
            let (from, to, value) = (
                attributes[count - 3].value, attributes[count - 2].value, attributes[count - 1].value
            )
            guard Self.follows(from, to, Self.toEnd, base), Self.follows(to, value, Self.toValue, base),
                base[value.end] == UInt8(ascii: "\""), tag.end - value.end == (tag.kind == .empty ? 3 : 2)
            else { return nil }
            var prefix = count - 3
            let before = attributes[count - 4]
            hasCreation =
                before.value.count == DateCursor.length && Self.follows(before.value, from, Self.toStart, base)
                && before.name.bytes(in: base).elementsEqual("creationDate".utf8)
            if hasCreation { prefix -= 1 }
            guard base[attributes[prefix].value.start - 1] == UInt8(ascii: "\""),
                hasCreation || attributes[prefix].name.bytes(in: base).elementsEqual("startDate".utf8)
            else { return nil }
            self.start = start
            prefixEnd = attributes[prefix].value.start
            address = .none
            for index in 0..<prefix {
                // Repeated or unknown attributes are left to the slow path.
                let name = attributes[index].name.bytes(in: base)
                guard Self.repeating.contains(where: { name.elementsEqual($0.utf8) }) else { return nil }
                for earlier in 0..<index where attributes[earlier].name.bytes(in: base).elementsEqual(name) {
                    return nil
                }
                if name.elementsEqual("device".utf8) {
                    address = DeviceAddress.digits(in: attributes[index].value, base)
                }
            }
            guard prefixEnd - start <= RecordTemplate.maximumLength / 2 else { return nil }
        }

        private static let repeating = ["type", "sourceName", "sourceVersion", "device", "unit"]

        /// Whether exactly `text` is between two values.
        private static func follows(
            _ first: ByteRange, _ second: ByteRange, _ text: StaticString, _ base: UnsafePointer<UInt8>
        ) -> Bool {
            second.start - first.end == text.utf8CodeUnitCount
                && memcmp(base + first.end, text.utf8Start, text.utf8CodeUnitCount) == 0
        }
    }
}

/// The templates in use. A new template replaces the oldest one.
struct TemplateTable: ~Copyable {
    static let capacity = 24

    private(set) var count = 0
    /// The template that matched last.
    var last = 0
    private let slots: UnsafeMutablePointer<RecordTemplate>
    private var next = 0

    init() {
        slots = .allocate(capacity: Self.capacity)
    }

    deinit {
        for index in 0..<count { slots[index].deallocate() }
        slots.deallocate()
    }

    /// A pointer to a template, valid until the next ``insert(_:)``.
    @inline(__always)
    subscript(index: Int) -> UnsafeMutablePointer<RecordTemplate> { slots + index }

    mutating func insert(_ template: RecordTemplate) {
        if count < Self.capacity {
            (slots + count).initialize(to: template)
            last = count
            count += 1
        } else {
            slots[next].deallocate()
            slots[next] = template
            last = next
            next = (next + 1) % Self.capacity
        }
    }
}
