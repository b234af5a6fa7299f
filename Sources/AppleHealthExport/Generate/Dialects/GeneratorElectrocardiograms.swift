/// Electrocardiograms: half a minute of voltages each, in files of their own with a translated head.
struct GeneratorElectrocardiograms {
    let options: GeneratorOptions
    let clock: GeneratorClock

    struct Recording {
        var second: Int
        var path: String
        var index: Int
    }

    /// Two on one day and one every other week.
    var recordings: [Recording] {
        var list: [Recording] = []
        for day in 0..<clock.dayCount where day % 14 == 3 {
            for hour in day == 3 ? [9, 21] : [9] {
                let second = clock.dayStarts[day] + hour * 3_600 + 427
                guard second + 30 <= clock.exportSecond else { continue }
                let (year, month, number) = GeneratorClock.day(clock.localSecond(second))
                let name = "ecg_\(year)-\(GeneratorLocale.pad(month))-\(GeneratorLocale.pad(number))"
                list.append(
                    Recording(
                        second: second, path: "/electrocardiograms/\(name)\(hour == 21 ? "_1" : "").csv", index: list.count))
            }
        }
        return list
    }

    /// Writes one file and returns how many voltages it has.
    func write(_ recording: Recording, to buffer: inout GeneratorBuffer) throws -> Int {
        let words = buffer.voice.locale.electrocardiogramWords
        let mark = UInt8(ascii: buffer.voice.locale.decimalMark == "," ? "," : ".")
        let classification = [words.sinusRhythm, words.inconclusive, words.fibrillation][recording.index % 3]
        let symptom = recording.index % 3 == 2 ? "\"\(words.palpitations)\"" : ""
        let rate = recording.index % 2 == 0 ? "512" : "512\(buffer.voice.locale.decimalMark)844"
        // The first line is seen with its comma and without.
        buffer.text(
            """
            \(words.name)\(recording.index % 2 == 0 ? "," : "")
            \(words.birth),"May 4, 1987"
            \(words.recorded),\(DateText.print(Double(recording.second), offset: clock.offset))
            \(words.classification),\(classification)
            \(words.symptoms),\(symptom)
            \(words.software),1.90
            \(words.device),"Watch6,7"
            \(words.rate),\(rate.contains(",") ? "\"\(rate)\(words.hertz)\"" : rate + words.hertz)


            \(words.lead),\(words.leadOne)
            \(words.unit),µV


            """)
        var random = GeneratorRandom(seed: options.seed, stream: "ecg \(recording.index)")
        let count = recording.index % 2 == 0 ? 15_360 : 14_864
        for sample in 0..<count {
            buffer.appendNumber(Self.beat(sample % 410) + random.integer(-9_000...9_000), digits: 3, mark: mark)
            buffer.text("\n")
        }
        try buffer.flushIfLarge()
        return count
    }

    /// The shape of one heartbeat in thousandths of a microvolt: a small wave, a spike, a broad wave.
    private static func beat(_ place: Int) -> Int {
        func hill(_ centre: Int, _ width: Int, _ height: Int) -> Int {
            let distance = abs(place - centre)
            return distance >= width ? 0 : height * (width - distance) / width
        }
        return hill(90, 22, 110_000) + hill(135, 5, -120_000) + hill(145, 8, 980_000) + hill(156, 6, -230_000) + hill(240, 45, 240_000)
    }
}
