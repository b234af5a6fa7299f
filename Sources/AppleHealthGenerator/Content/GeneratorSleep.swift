/// Nights, stand hours and other category samples.
struct GeneratorSleep {
    let options: GeneratorOptions
    let clock: GeneratorClock

    func write(to buffer: inout GeneratorBuffer) throws {
        try writeNights(to: &buffer)
        try writeStandHours(to: &buffer)
        try writeMindfulness(to: &buffer)
    }

    private func category(
        _ type: String, _ source: GeneratorSource, _ name: String, _ start: Int, _ end: Int,
        metadata: [(key: String, value: String)] = [], copies: Int = 1, to buffer: inout GeneratorBuffer
    ) throws {
        guard end <= clock.exportSecond, buffer.style.has(type: type) else { return }
        let record = GeneratorRecord(
            type: type, source: source, unit: nil, start: start, end: end,
            creation: min(end + 3_600, clock.exportSecond), value: .name(name), metadata: metadata)
        for _ in 0..<copies {
            record.write(to: &buffer)
        }
        try buffer.flushIfLarge()
    }

    private func writeNights(to buffer: inout GeneratorBuffer) throws {
        var random = GeneratorRandom(seed: options.seed, stream: "sleep")
        let zone = [(key: "HKTimeZone", value: clock.timeZoneName)]
        for day in 1..<clock.dayCount {
            var second = clock.dayStarts[day] - random.integer(0...4_800)
            let wake = clock.dayStarts[day] + 23_000 + random.integer(0...5_400)
            try category(
                "HKCategoryTypeIdentifierSleepAnalysis", .phone, "HKCategoryValueSleepAnalysisInBed", second, wake,
                metadata: zone, to: &buffer)
            // Before iOS 16 sleep had no stages.
            let stages =
                options.dialect?.hasSleepStages ?? true
                ? ["AsleepCore", "AsleepDeep", "AsleepCore", "AsleepREM", "Awake"]
                : ["Asleep", "Asleep", "Asleep", "Asleep", "Awake"]
            var index = 0
            while second < wake {
                let end = min(wake, second + random.integer(4...45) * 60)
                try category(
                    "HKCategoryTypeIdentifierSleepAnalysis", .watch, "HKCategoryValueSleepAnalysis" + stages[index % 5],
                    second, end, metadata: zone, copies: copies(day, index), to: &buffer)
                second = end
                index += 1
            }
        }
    }

    /// Archives contain some records two or three times, equal in every byte.
    private func copies(_ day: Int, _ index: Int) -> Int {
        guard options.dialect != nil, options.hasDefects, day % 5 == 1, index % 4 == 2 else { return 1 }
        return 2 + index / 4 % 2
    }

    private func writeStandHours(to buffer: inout GeneratorBuffer) throws {
        var random = GeneratorRandom(seed: options.seed, stream: "stand")
        for day in 0..<clock.dayCount {
            let hours = (clock.dayStarts[day + 1] - clock.dayStarts[day]) / 3_600
            for hour in 7..<min(23, hours) {
                let start = clock.dayStarts[day] + hour * 3_600
                let stood = random.chance(720)
                let name = stood ? "Stood" : "Idle"
                if stood, start + 3_600 <= clock.exportSecond { buffer.tally.addStoodHour(onDay: day) }
                try category(
                    "HKCategoryTypeIdentifierAppleStandHour", .watch, "HKCategoryValueAppleStandHour" + name, start,
                    start + 3_600, to: &buffer)
            }
        }
    }

    private func writeMindfulness(to buffer: inout GeneratorBuffer) throws {
        var random = GeneratorRandom(seed: options.seed, stream: "mind")
        for day in 0..<clock.dayCount where random.chance(300) {
            let start = clock.dayStarts[day] + 21 * 3_600 + random.integer(0...3_000)
            try category(
                "HKCategoryTypeIdentifierMindfulSession", .phone, "HKCategoryValueNotApplicable", start,
                start + random.integer(60...900), to: &buffer)
        }
    }
}
