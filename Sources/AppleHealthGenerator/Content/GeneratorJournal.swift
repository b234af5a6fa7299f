/// Occasional entries and measurements: weight, meals, blood pressure, and values that a watch computes once a day.
struct GeneratorJournal {
    let options: GeneratorOptions
    let clock: GeneratorClock
    private var meals: [(second: Int, members: [GeneratorRecord])] = []
    private var pressures: [(second: Int, members: [GeneratorRecord])] = []

    init(options: GeneratorOptions, clock: GeneratorClock) {
        self.options = options
        self.clock = clock
    }

    /// Writes top-level records, including the members of correlations.
    mutating func writeRecords(to buffer: inout GeneratorBuffer) throws {
        try writeBody(to: &buffer)
        try writeDaily(to: &buffer)
        if options.dialect == nil { try writeBeats(to: &buffer) }
        makeMeals()
        makePressures()
        for member in meals.flatMap(\.members) { try write(member, to: &buffer) }
        for (index, pressure) in pressures.enumerated() {
            for member in pressure.members {
                if isOnlyInside(index) {
                    // It is also a sample of the archive.
                    buffer.archive.count(member.type)
                } else {
                    try write(member, to: &buffer)
                }
            }
        }
    }

    /// Writes correlations, which contain their members again.
    func writeCorrelations(to buffer: inout GeneratorBuffer) throws {
        for meal in meals {
            try correlation(
                "HKCorrelationTypeIdentifierFood", .food, meal.second, meal.members,
                metadata: (key: "HKFoodType", value: "Bowl &quot;Nº 7&quot; 🥣"), to: &buffer)
        }
        for pressure in pressures {
            try correlation(
                "HKCorrelationTypeIdentifierBloodPressure", .byHand, pressure.second, pressure.members,
                metadata: (key: "HKWasUserEntered", value: "1"), to: &buffer)
        }
    }

    /// Whether the members of a blood pressure are missing at top level.
    private func isOnlyInside(_ index: Int) -> Bool {
        options.hasDefects && index % 3 == 1 && options.dialect?.hasMembersOnlyInside ?? false
    }

    private func write(_ record: GeneratorRecord, to buffer: inout GeneratorBuffer) throws {
        guard record.end <= clock.exportSecond, buffer.style.has(type: record.type) else { return }
        record.write(to: &buffer)
        try buffer.flushIfLarge()
    }

    private func correlation(
        _ type: String, _ source: GeneratorSource, _ second: Int, _ members: [GeneratorRecord],
        metadata: (key: String, value: String), to buffer: inout GeneratorBuffer
    ) throws {
        guard buffer.keeps(type, source, at: second) else { return }
        let members = buffer.plan.map { members.flatMap($0.change) } ?? members
        let second = members.first?.start ?? second
        buffer.text(" <Correlation type=\"\(type)\"")
        buffer.source(source, at: second)
        buffer.creationDate(second)
        buffer.date("startDate", second)
        buffer.date("endDate", second)
        if options.dialect?.hasFirstForm ?? false {
            buffer.text(">\n")
        } else if options.dialect?.writesMetadataAsAttributes ?? false {
            buffer.text(" \(metadata.key)=\"\(metadata.value)\">\n")
        } else {
            buffer.text(">\n  <MetadataEntry key=\"\(metadata.key)\" value=\"\(metadata.value)\"/>\n")
        }
        for member in members { member.writeElement(to: &buffer, indent: "  ") }
        buffer.text(" </Correlation>\n")
        buffer.archive.count(type)
        try buffer.flushIfLarge()
    }

    private func instant(
        _ type: String, _ source: GeneratorSource, _ unit: String, _ second: Int, _ value: Int, digits: Int,
        metadata: [(key: String, value: String)] = []
    ) -> GeneratorRecord {
        GeneratorRecord(
            type: "HKQuantityTypeIdentifier" + type, source: source, unit: unit, start: second, end: second,
            creation: second, value: .number(value, digits: digits), metadata: metadata)
    }

    private func writeBody(to buffer: inout GeneratorBuffer) throws {
        var random = GeneratorRandom(seed: options.seed, stream: "body")
        let hand = [(key: "HKWasUserEntered", value: "1")]
        try write(
            instant("Height", .byHand, "cm", clock.dayStarts[0] + 30_000, 172, digits: 0, metadata: hand), to: &buffer)
        var weight = 7_240
        for day in 0..<clock.dayCount where day % 3 == 0 {
            weight += random.integer(-35...34)
            let second = clock.dayStarts[day] + 25_000 + random.integer(0...3_000)
            try write(
                random.chance(150)
                    ? instant("BodyMass", .byHand, "kg", second, weight, digits: 2, metadata: hand)
                    : instant("BodyMass", .scale, "kg", second, weight, digits: 2), to: &buffer)
        }
        for day in 0..<clock.dayCount where day % 9 == 0 {
            let second = clock.dayStarts[day] + 25_100
            try write(
                instant("BodyFatPercentage", .scale, "%", second, random.integer(220...262), digits: 3), to: &buffer)
        }
    }

    private func writeDaily(to buffer: inout GeneratorBuffer) throws {
        var random = GeneratorRandom(seed: options.seed, stream: "daily")
        for (type, unit, low, high, digits, every) in [
            ("RestingHeartRate", "count/min", 49, 62, 0, 1), ("WalkingHeartRateAverage", "count/min", 85, 112, 0, 1),
            ("VO2Max", "mL/min·kg", 3_450, 4_480, 2, 7), ("AppleSleepingWristTemperature", "degC", 3_480, 3_650, 2, 1),
        ] {
            for day in 0..<clock.dayCount where day % every == 0 {
                let start = clock.dayStarts[day] + 60
                try write(
                    GeneratorRecord(
                        type: "HKQuantityTypeIdentifier" + type, source: .watch, unit: unit, start: start,
                        end: start + (every == 1 ? 79_000 : 0), creation: start + 80_000,
                        value: .number(random.integer(low...high), digits: digits)), to: &buffer)
            }
        }
    }

    /// Writes heart-rate variability with beats, whose local clock times have no date.
    private func writeBeats(to buffer: inout GeneratorBuffer) throws {
        var random = GeneratorRandom(seed: options.seed, stream: "beats")
        for day in 0..<clock.dayCount {
            let second = clock.dayStarts[day] + 9 * 3_600 + random.integer(0...7_000)
            var beats = "  <HeartRateVariabilityMetadataList>\n"
            let base = second - clock.dayStarts[day]
            for beat in 0..<12 {
                let at = base + beat
                let hour = at / 3_600
                let minute = at / 60 % 60
                let hundredths = random.integer(0...99)
                beats +=
                    "   <InstantaneousBeatsPerMinute bpm=\"\(random.integer(54...78))\" time=\"\((hour + 11) % 12 + 1):"
                beats += "\(minute < 10 ? "0" : "")\(minute):\(at % 60 < 10 ? "0" : "")\(at % 60)."
                beats += "\(hundredths < 10 ? "0" : "")\(hundredths) \(hour < 12 ? "AM" : "PM")\"/>\n"
            }
            beats += "  </HeartRateVariabilityMetadataList>\n"
            var record = instant(
                "HeartRateVariabilitySDNN", .watch, "ms", second, random.integer(180_000...950_000), digits: 4)
            record.end = second + 60
            record.creation = second + 62
            record.children = beats
            try write(record, to: &buffer)
        }
    }

    private mutating func makeMeals() {
        var random = GeneratorRandom(seed: options.seed, stream: "meals")
        for day in 0..<clock.dayCount {
            for hour in [8, 13, 19] where random.chance(700) {
                let second = clock.dayStarts[day] + hour * 3_600 + random.integer(0...3_000)
                guard second < clock.exportSecond else { continue }
                let name = [(key: "HKFoodType", value: "Bowl &quot;Nº 7&quot; 🥣")]
                let members = [
                    ("DietaryEnergyConsumed", "kcal", 280...950, 0), ("DietaryProtein", "g", 80...520, 1),
                    ("DietaryFatTotal", "g", 50...400, 1),
                ].map { type, unit, range, digits in
                    instant(type, .food, unit, second, random.integer(range), digits: digits, metadata: name)
                }
                meals.append((second, members))
            }
        }
    }

    private mutating func makePressures() {
        var random = GeneratorRandom(seed: options.seed, stream: "pressure")
        let hand = [(key: "HKWasUserEntered", value: "1")]
        for day in 0..<clock.dayCount where day % 5 == 2 {
            let second = clock.dayStarts[day] + 7 * 3_600 + random.integer(0...3_000)
            guard second < clock.exportSecond else { continue }
            let members = [("Systolic", 108...134), ("Diastolic", 66...86)].map { part, range in
                instant(
                    "BloodPressure" + part, .byHand, "mmHg", second, random.integer(range), digits: 0, metadata: hand)
            }
            pressures.append((second, members))
        }
    }
}
