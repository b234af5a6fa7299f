/// Collects XML text and hands it on in large pieces.
struct GeneratorBuffer {
    private var bytes: [UInt8] = []
    private let flushAt = 1 << 20
    private let output: (UnsafeRawBufferPointer) throws -> Void
    let clock: GeneratorClock
    /// What the records written so far add up to.
    var tally: GeneratorTally
    /// How the archive's telephone says things.
    let voice: GeneratorVoice
    /// What was written so far.
    var archive = GeneratedArchive()

    init(clock: GeneratorClock, voice: GeneratorVoice, output: @escaping (UnsafeRawBufferPointer) throws -> Void) {
        self.clock = clock
        self.voice = voice
        tally = GeneratorTally(days: clock.dayCount)
        self.output = output
        bytes.reserveCapacity(flushAt + 4_096)
    }

    mutating func text(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    mutating func date(_ name: StaticString, _ second: Int) {
        attribute(name)
        clock.append(second, to: &bytes)
        bytes.append(34)
    }

    mutating func day(_ name: StaticString, _ second: Int) {
        attribute(name)
        clock.appendDay(second, to: &bytes)
        bytes.append(34)
    }

    /// A decimal of `value` / 10^`digits` without trailing zeros.
    mutating func number(_ name: StaticString, _ value: Int, digits: Int) {
        attribute(name)
        appendNumber(value, digits: digits)
        bytes.append(34)
    }

    mutating func appendNumber(_ value: Int, digits: Int, mark: UInt8 = UInt8(ascii: ".")) {
        var value = value
        var digits = digits
        while digits > 0, value % 10 == 0 {
            value /= 10
            digits -= 1
        }
        if value < 0 { bytes.append(45) }
        let text = Array(String(value.magnitude).utf8)
        let padded = Array(repeating: UInt8(48), count: max(0, digits + 1 - text.count)) + text
        bytes += padded.dropLast(digits)
        if digits > 0 {
            bytes.append(mark)
            bytes += padded.suffix(digits)
        }
    }

    /// The attributes of a source in an element that starts at `second`.
    mutating func source(_ source: GeneratorSource, at second: Int) {
        bytes += voice.attributes(of: source, at: second)
    }

    /// Counts a record at top level.
    mutating func countRecord(_ type: String) {
        archive.records += 1
        archive.count(type)
    }

    /// Passes on what has gathered once it is enough.
    mutating func flushIfLarge() throws {
        if bytes.count >= flushAt { try flush() }
    }

    mutating func flush() throws {
        if bytes.isEmpty { return }
        try bytes.withUnsafeBytes(output)
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func attribute(_ name: StaticString) {
        bytes.append(32)
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(61)
        bytes.append(34)
    }
}
