/// Collects XML text and passes it on in large pieces.
struct GeneratorBuffer {
    private var bytes: [UInt8] = []
    private let flushAt = 1 << 20
    private let output: (UnsafeRawBufferPointer) throws -> Void
    let clock: GeneratorClock
    /// The totals of the records written so far.
    var tally: GeneratorTally
    /// The style of the archive.
    let style: ArchiveStyle
    /// The changes of a scenario.
    let plan: ScenarioPlan?
    /// The contents written so far.
    var archive = GeneratedArchive()
    /// The last heart rate written, which the clinical document repeats.
    var lastHeartRate: (value: Int, second: Int)?

    init(
        clock: GeneratorClock, style: ArchiveStyle, plan: ScenarioPlan? = nil,
        output: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) {
        self.clock = clock
        self.style = style
        self.plan = plan
        tally = GeneratorTally(days: clock.dayCount)
        self.output = output
        bytes.reserveCapacity(flushAt + 4_096)
    }

    mutating func text(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends an attribute with the date of an object's creation, which the first archives do not have.
    mutating func creationDate(_ second: Int) {
        if style.dialect?.hasFirstForm != true { date("creationDate", second) }
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

    /// Appends an attribute with the decimal `value` / 10^`digits`, without trailing zeros.
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

    /// Appends the attributes of a source to an element that starts at `second`.
    mutating func source(_ source: GeneratorSource, at second: Int) {
        bytes += style.attributes(of: source, at: second)
    }

    /// Whether the archive has what a source wrote at a second.
    func keeps(_ type: String, _ source: GeneratorSource, at second: Int) -> Bool {
        plan?.keeps(type, source.role, second) ?? true
    }

    /// Counts a top-level record.
    mutating func countRecord(_ type: String) {
        archive.records += 1
        archive.count(type)
    }

    /// Passes on the collected text if there is enough of it.
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
