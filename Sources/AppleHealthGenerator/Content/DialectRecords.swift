import HealthModel

/// Heart-rate variability with beats, whose localized clock times have no date or time zone; some lists cross midnight.
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
            let second =
                isLate
                ? clock.dayStarts[day + 1] - random.integer(10...50)
                : clock.dayStarts[day] + 9 * 3_600 + random.integer(0...7_000)
            guard second + 60 <= clock.exportSecond else { continue }
            var record = GeneratorRecord(
                type: type, source: .watch, unit: "ms", start: second, end: second + 60, creation: second + 62,
                value: .number(random.integer(180_000...950_000), digits: 4))
            if dialect.hasBeats {
                record.children = beats(from: second, &random, buffer.style.locale)
                buffer.archive.beats += Self.count
                buffer.archive.count("HKDataTypeIdentifierHeartbeatSeries")
            }
            record.write(to: &buffer)
            try buffer.flushIfLarge()
        }
    }

    /// The number of beats in a list, for about a minute.
    static let count = 56

    private func beats(from second: Int, _ random: inout GeneratorRandom, _ locale: GeneratorLocale) -> String {
        var text = "  <HeartRateVariabilityMetadataList>\n"
        // The time in hundredths of a second since the start of the record.
        var place = random.integer(20...90)
        for _ in 0..<Self.count {
            let local = clock.localSecond(second + place / 100)
            let time = locale.clockTime(secondOfDay: CivilDate.split(local).second, hundredths: place % 100)
            let interval = random.integer(86...105)
            text += "   <InstantaneousBeatsPerMinute bpm=\"\(6_000 / interval)\" time=\"\(time)\"/>\n"
            place += interval
        }
        return text + "  </HeartRateVariabilityMetadataList>\n"
    }
}

/// Rare records of real archives, with unusual units, keys, sources and characters.
struct DialectDefects {
    let options: GeneratorOptions
    let clock: GeneratorClock
    let dialect: ArchiveDialect

    func write(to buffer: inout GeneratorBuffer) throws {
        var random = GeneratorRandom(seed: options.seed, stream: "oddities")
        let isCustomary = buffer.style.locale.hasCustomaryUnits
        for day in 0..<clock.dayCount {
            let second = clock.dayStarts[day] + 6 * 3_600 + random.integer(0...900)
            try write(
                GeneratorRecord(
                    type: "HKQuantityTypeIdentifierBloodGlucose", source: .byHand,
                    unit: isCustomary ? "mg/dL" : "mmol&lt;180.1558800000541&gt;/L", start: second, end: second,
                    creation: second,
                    value: isCustomary
                        ? .number(random.integer(80...130), digits: 0) : .number(random.integer(440...720), digits: 2),
                    metadata: metadata(day)), to: &buffer)
            guard day % 6 == 0 else { continue }
            try write(
                GeneratorRecord(
                    type: "HKDataTypeSleepDurationGoal", source: .phone, unit: "hr", start: second, end: second,
                    creation: second, value: .number(75 + day % 2 * 5, digits: 1)), to: &buffer)
            try write(
                GeneratorRecord(
                    type: "HKQuantityTypeIdentifierBodyMass", source: .scale, unit: "kg", start: second + 7,
                    end: second + 7, creation: second + 9, value: .number(random.integer(7_100...7_300), digits: 2),
                    metadata: [
                        ("Health Mate App Version", "2.6.0"), ("Modified Date", "2015-05-01 08:00:00 +0000"),
                        ("HKWasUserEntered", "0"),
                    ]), to: &buffer)
        }
    }

    private func write(_ record: GeneratorRecord, to buffer: inout GeneratorBuffer) throws {
        guard record.end <= clock.exportSecond, buffer.style.has(type: record.type) else { return }
        record.write(to: &buffer)
        if record.metadata.contains(where: { $0.value.contains("\u{0B}") }) { buffer.archive.controlCharacters += 1 }
        try buffer.flushIfLarge()
    }

    /// Metadata with a line break, a duplicate key, or, for versions with this defect, a control character.
    private func metadata(_ day: Int) -> [(key: String, value: String)] {
        let note = (key: "Glucose Note", value: "before&#10;breakfast")
        if options.hasDefects, dialect.hasControlCharacters, day % 3 == 0 {
            return [("Glucose Note", "before\u{0B}breakfast"), ("HKWasUserEntered", "1")]
        }
        // An element cannot have two attributes with one name.
        return dialect.writesMetadataAsAttributes || day % 2 == 0
            ? [note] : [note, ("Glucose Note", "again"), ("HKWasUserEntered", "1")]
    }
}
