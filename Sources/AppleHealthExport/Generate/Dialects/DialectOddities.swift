/// Records that are rare and that real archives have: odd units, keys, sources and characters.
struct DialectOddities {
    let options: GeneratorOptions
    let clock: GeneratorClock
    let dialect: ArchiveDialect

    func write(to buffer: inout GeneratorBuffer) throws {
        var random = GeneratorRandom(seed: options.seed, stream: "oddities")
        let isCustomary = buffer.voice.locale.hasCustomaryUnits
        for day in 0..<clock.dayCount {
            let second = clock.dayStarts[day] + 6 * 3_600 + random.integer(0...900)
            try write(
                GeneratorRecord(
                    type: "HKQuantityTypeIdentifierBloodGlucose", source: .byHand,
                    unit: isCustomary ? "mg/dL" : "mmol&lt;180.1558800000541&gt;/L", start: second, end: second, creation: second,
                    value: isCustomary ? .number(random.integer(80...130), digits: 0) : .number(random.integer(440...720), digits: 2),
                    metadata: metadata(day)), to: &buffer)
            guard day % 6 == 0 else { continue }
            try write(
                GeneratorRecord(
                    type: "HKDataTypeSleepDurationGoal", source: .phone, unit: "hr", start: second, end: second,
                    creation: second, value: .number(75 + day % 2 * 5, digits: 1)), to: &buffer)
            try write(
                GeneratorRecord(
                    type: "HKQuantityTypeIdentifierBodyMass", source: .scale, unit: "kg", start: second + 7, end: second + 7,
                    creation: second + 9, value: .number(random.integer(7_100...7_300), digits: 2),
                    metadata: [
                        ("Health Mate App Version", "2.6.0"), ("Modified Date", "2015-05-01 08:00:00 +0000"),
                        ("HKWasUserEntered", "0"),
                    ]), to: &buffer)
        }
    }

    private func write(_ record: GeneratorRecord, to buffer: inout GeneratorBuffer) throws {
        guard record.end <= clock.exportSecond, buffer.voice.has(type: record.type) else { return }
        record.write(to: &buffer)
        buffer.countRecord(record.type)
        if record.metadata.contains(where: { $0.value.contains("\u{0B}") }) { buffer.archive.controlCharacters += 1 }
        try buffer.flushIfLarge()
    }

    /// A line break as a reference, a key that comes twice, and where iOS wrote them, control characters.
    private func metadata(_ day: Int) -> [(key: String, value: String)] {
        let note = (key: "Glucose Note", value: "before&#10;breakfast")
        if options.hasDefects, dialect.hasControlCharacters, day % 3 == 0 {
            return [("Glucose Note", "before\u{0B}breakfast"), ("HKWasUserEntered", "1")]
        }
        // As attributes of one tag, two of a name would be one too many.
        return dialect.writesMetadataAsAttributes || day % 2 == 0 ? [note] : [note, ("Glucose Note", "again"), ("HKWasUserEntered", "1")]
    }
}
