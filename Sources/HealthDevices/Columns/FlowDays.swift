import HealthFiles
import HealthModel

/// The days with menstrual flow of a file, of which only all together say which of them begin a cycle.
struct FlowDays {
    private var samples: [SampleRecord] = []

    private static let type = MeasuredType.code("HKCategoryTypeIdentifierMenstrualFlow")
    private static let key = MetadataKey.menstrualCycleStart
    /// The raw value of a day on which there was none.
    private static let none = 5.0
    /// The time without flow after which flow begins a cycle, as for the cycles that are computed: ten days.
    private static let pause = 10.5 * 86_400

    /// Hands on what was read of a file when it is much, without such days, and these at its end.
    mutating func hand(
        on reading: inout FileContent, isEnd: Bool = false, _ yield: (FileContent) throws -> Void
    ) throws {
        guard isEnd || reading.count >= 4_096 || reading.damages.count >= 1_024 else { return }
        take(from: &reading)
        try yield(reading)
        // Any type of a table may have totals in another one.
        reading = FileContent(coversTotals: true)
        if isEnd, let content { try yield(content) }
    }

    /// Moves the days of which nothing says whether they begin a cycle from a part of a file.
    private mutating func take(from content: inout FileContent) {
        let isOpen = { (sample: SampleRecord) in
            sample.type == Self.type && !sample.metadata.entries.contains { $0.key == Self.key }
        }
        guard content.samples.contains(where: isOpen) else { return }
        samples += content.samples.filter(isOpen)
        content.samples.removeAll(where: isOpen)
    }

    /// The days, each with what it begins.
    private var content: FileContent? {
        guard !samples.isEmpty else { return nil }
        var (content, last) = (FileContent(), -Double.infinity)
        for var sample in samples.sorted(by: { $0.start < $1.start }) {
            let isStart = sample.value != Self.none && sample.start - last > Self.pause
            if sample.value != Self.none { last = sample.start }
            sample.metadata.entries.append(.init(key: Self.key, value: .bool(isStart)))
            content.samples.append(sample)
        }
        return content
    }
}
