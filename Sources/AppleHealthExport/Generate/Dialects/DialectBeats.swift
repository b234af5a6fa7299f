/// Heart-rate variability with the beats behind it: clock times without date or zone, in the season of
/// their day, in the language of the telephone; some lists cross midnight.
struct DialectBeats {
    let options: GeneratorOptions
    let clock: GeneratorClock
    let dialect: ArchiveDialect

    func write(to buffer: inout GeneratorBuffer) throws {
        let type = "HKQuantityTypeIdentifierHeartRateVariabilitySDNN"
        guard dialect.has(type: type) else { return }
        var random = GeneratorRandom(seed: options.seed, stream: "dialect beats")
        for day in 0..<clock.dayCount {
            let isLate = day % 7 == 2
            let second = isLate
                ? clock.dayStarts[day + 1] - random.integer(10...50) : clock.dayStarts[day] + 9 * 3_600 + random.integer(0...7_000)
            guard second + 60 <= clock.exportSecond else { continue }
            var record = GeneratorRecord(
                type: type, source: .watch, unit: "ms", start: second, end: second + 60, creation: second + 62,
                value: .number(random.integer(180_000...950_000), digits: 4))
            if dialect.hasBeats {
                record.children = beats(from: second, &random, buffer.voice.locale)
                buffer.archive.beats += Self.count
                buffer.archive.count("HKDataTypeIdentifierHeartbeatSeries")
            }
            record.write(to: &buffer)
            buffer.countRecord(type)
            try buffer.flushIfLarge()
        }
    }

    /// Beats of a list: about a minute of them.
    static let count = 56

    private func beats(from second: Int, _ random: inout GeneratorRandom, _ locale: GeneratorLocale) -> String {
        var text = "  <HeartRateVariabilityMetadataList>\n"
        // Hundredths of a second since the record's start.
        var place = random.integer(20...90)
        for _ in 0..<Self.count {
            let local = clock.localSecond(second + place / 100)
            let time = locale.clockTime(secondOfDay: (local % 86_400 + 86_400) % 86_400, hundredths: place % 100)
            let interval = random.integer(86...105)
            text += "   <InstantaneousBeatsPerMinute bpm=\"\(6_000 / interval)\" time=\"\(time)\"/>\n"
            place += interval
        }
        return text + "  </HeartRateVariabilityMetadataList>\n"
    }
}
