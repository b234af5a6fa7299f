/// Memory that grows at its end.
final class ArrowBuffer {
    private(set) var start: UnsafeMutableRawPointer
    private(set) var count = 0
    private var capacity: Int

    /// Arrow recommends an alignment of 64 bytes.
    private static let alignment = 64

    init(capacity: Int = 64) {
        self.capacity = max(64, capacity)
        start = .allocate(byteCount: self.capacity, alignment: Self.alignment)
    }

    deinit { start.deallocate() }

    /// Appends uninitialized memory, and returns it.
    @inline(__always)
    func extend(_ bytes: Int) -> UnsafeMutableRawPointer {
        if count + bytes > capacity { grow(to: count + bytes) }
        defer { count += bytes }
        return start + count
    }

    private func grow(to size: Int) {
        capacity = max(size, capacity * 2)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: Self.alignment)
        larger.copyMemory(from: start, byteCount: count)
        start.deallocate()
        start = larger
    }

    @inline(__always)
    func append<Value: BitwiseCopyable>(_ value: Value) {
        extend(MemoryLayout<Value>.size).storeBytes(of: value, as: Value.self)
    }

    func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            guard let source = bytes.baseAddress else { return }
            extend(bytes.count).copyMemory(from: source, byteCount: bytes.count)
        }
    }

    /// Sets or clears a bit, of bits that are appended in order.
    func appendBit(_ bit: Bool, at index: Int) {
        if index & 7 == 0 { append(UInt8(0)) }
        if bit { start.assumingMemoryBound(to: UInt8.self)[index >> 3] |= 1 << UInt8(index & 7) }
    }
}

/// The values of a column, with which nothing happens any more.
final class ArrowData {
    let count: Int
    let nullCount: Int
    /// The buffers that the type has, the bits of those that aren't null first.
    let buffers: [ArrowBuffer?]
    let children: [ArrowData]
    let dictionary: ArrowData?

    init(count: Int, nullCount: Int, buffers: [ArrowBuffer?], children: [ArrowData] = [], dictionary: ArrowData? = nil)
    {
        (self.count, self.nullCount, self.buffers) = (count, nullCount, buffers)
        (self.children, self.dictionary) = (children, dictionary)
    }
}

/// The texts that a dictionary's numbers mean. It only grows, so that the numbers of earlier batches stay valid.
///
/// Numbers have 16 bits: most consumers make their own of them, and need the memory of both meanwhile. A batch has less
/// texts than that, and a table with more gets another dictionary.
final class ArrowTexts {
    private var numbers: [String: UInt16] = [:]
    private var column = ArrowColumn(.text)
    private var known: ArrowData?

    /// Whether more texts have numbers.
    func hasRoom(for count: Int) -> Bool { numbers.count + count <= 1 << UInt16.bitWidth }

    func number(of text: String) -> UInt16 {
        if let number = numbers[text] { return number }
        let number = UInt16(numbers.count)
        numbers[text] = number
        column.append(text)
        return number
    }

    /// All texts so far.
    var data: ArrowData {
        if let known, known.count == column.count { return known }
        // Those of earlier batches may be in use on other threads.
        let data = column.copy()
        known = data
        return data
    }
}

/// A column of a batch while it is filled.
final class ArrowColumn {
    let type: ArrowType
    private(set) var count = 0
    private var nullCount = 0
    private var validity: ArrowBuffer?
    /// Values of one size, or the ends of texts and lists.
    private let values: ArrowBuffer
    private let bytes = ArrowBuffer()
    let children: [ArrowColumn]
    private let texts: ArrowTexts?

    /// Creates a column for about a number of rows.
    init(_ type: ArrowType, capacity: Int = 0, texts: ArrowTexts? = nil) {
        self.type = type
        children = type.children.map { ArrowColumn($0.type) }
        self.texts = texts ?? (type == .dictionary ? ArrowTexts() : nil)
        values = ArrowBuffer(capacity: capacity * (type == .uuid ? 16 : 8))
        if hasOffsets { values.append(Int32(0)) }
    }

    private var hasOffsets: Bool {
        switch type {
        case .text, .bytes, .list, .map: true
        default: false
        }
    }

    // MARK: Single values

    /// Appends a row without a value.
    func appendNull() {
        switch type {
        case .float64: values.append(0.0)
        case .int64, .timestamp: values.append(Int64(0))
        case .date: values.append(Int32(0))
        case .dictionary: values.append(UInt16(0))
        case .bool: values.appendBit(false, at: count)
        case .uuid: values.extend(16).initializeMemory(as: UInt8.self, repeating: 0, count: 16)
        case .text, .bytes: values.append(Int32(bytes.count))
        case .list, .map: values.append(Int32(children[0].count))
        case .structure: for child in children { child.appendNull() }
        }
        end(isNull: true)
    }

    func append(_ number: Double) { add(number) }
    func append(_ number: Int64) { add(number) }

    /// Appends a day, by its number from 1970 on.
    func append(day: Int) { add(Int32(clamping: day)) }

    /// Appends an instant in seconds since 2001.
    func append(instant: Double) { add(ArrowInstant.microseconds(instant)) }

    @inline(__always)
    private func add<Value: BitwiseCopyable>(_ value: Value) {
        values.append(value)
        end()
    }

    func append(_ flag: Bool) {
        values.appendBit(flag, at: count)
        end()
    }

    /// Appends a text, to a column of texts or to one of their numbers.
    func append(_ text: String) {
        if let texts {
            values.append(texts.number(of: text))
        } else {
            bytes.append(text)
            values.append(Int32(bytes.count))
        }
        end()
    }

    func append(_ blob: [UInt8]) {
        blob.withUnsafeBytes { blob in
            guard let source = blob.baseAddress else { return }
            bytes.extend(blob.count).copyMemory(from: source, byteCount: blob.count)
        }
        values.append(Int32(bytes.count))
        end()
    }

    /// Appends a list, a map or a structure, whose children are appended before.
    func appendChildren() {
        if hasOffsets { values.append(Int32(children[0].count)) }
        end()
    }

    private func end(isNull: Bool = false) {
        if isNull {
            let bits = validity ?? allValid(count)
            bits.appendBit(false, at: count)
            validity = bits
            nullCount += 1
        } else {
            validity?.appendBit(true, at: count)
        }
        count += 1
    }

    private func allValid(_ count: Int) -> ArrowBuffer {
        let bits = ArrowBuffer(capacity: count / 8 + 1)
        let bytes = (count + 7) / 8
        bits.extend(bytes).initializeMemory(as: UInt8.self, repeating: 0xFF, count: bytes)
        if count & 7 != 0 {
            bits.start.assumingMemoryBound(to: UInt8.self)[bytes - 1] = UInt8(1) << UInt8(count & 7) - 1
        }
        return bits
    }

    // MARK: Runs of values

    /// Appends a run of values of one size, none of which is null, that `fill` initializes.
    @inline(__always)
    func append<Value: BitwiseCopyable>(
        _ number: Int, of kind: Value.Type, _ fill: (UnsafeMutableBufferPointer<Value>) -> Void
    ) {
        let start = values.extend(number * MemoryLayout<Value>.size).bindMemory(to: Value.self, capacity: number)
        fill(UnsafeMutableBufferPointer(start: start, count: number))
        if let validity { for index in count..<(count + number) { validity.appendBit(true, at: index) } }
        count += number
    }

    // MARK: Results

    /// Whether the batch can have more rows: the offsets of texts have 31 bits, and the numbers of a dictionary 16.
    func hasRoom(for rows: Int) -> Bool {
        bytes.count <= 1 << 28 && texts?.hasRoom(for: rows) ?? true && children.allSatisfy { $0.hasRoom(for: rows) }
    }

    /// The values. The column isn't used any more.
    func finish() -> ArrowData {
        var buffers = [validity]
        switch type {
        case .structure: break
        case .text, .bytes: buffers += [values, bytes]
        default: buffers.append(values)
        }
        return ArrowData(
            count: count, nullCount: nullCount, buffers: buffers, children: children.map { $0.finish() },
            dictionary: texts?.data)
    }

    /// The values of a column of texts, which can be extended later.
    fileprivate func copy() -> ArrowData {
        let buffers = [values, bytes].map { buffer in
            let copy = ArrowBuffer(capacity: buffer.count)
            copy.extend(buffer.count).copyMemory(from: buffer.start, byteCount: buffer.count)
            return copy
        }
        return ArrowData(count: count, nullCount: 0, buffers: [nil] + buffers)
    }
}

/// Instants as Arrow has them.
enum ArrowInstant {
    /// Microseconds from 1970 to 2001.
    private static let reference: Int64 = 978_307_200_000_000

    /// The microseconds since 1970 of an instant in seconds since 2001.
    @inline(__always)
    static func microseconds(_ instant: Double) -> Int64 {
        let exact = instant * 1e6
        // Where a double has 52 bits for the integer, adding this number rounds, and leaves the integer in the low bits.
        let rounding = 0x1.8p52
        if abs(exact) < 0x1p51 {
            return Int64(bitPattern: (exact + rounding).bitPattern &- rounding.bitPattern) &+ reference
        }
        let microseconds = exact.rounded()
        // Samples can have any date, even one that no calendar has.
        guard abs(microseconds) < 9e18 else { return microseconds < 0 ? .min : .max }
        return Int64(microseconds) &+ reference
    }

    /// The seconds since 2001 of an instant in microseconds since 1970.
    static func seconds(_ microseconds: Int64) -> Double { Double(microseconds &- reference) / 1e6 }
}
