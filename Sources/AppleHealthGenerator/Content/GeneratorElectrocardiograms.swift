/// Electrocardiograms with 30 seconds of voltages each, in files with a localized heading.
struct GeneratorElectrocardiograms {
    let options: GeneratorOptions
    let clock: GeneratorClock

    struct Recording {
        var second: Int
        var path: String
        var index: Int
    }

    /// The recordings: two on one day, then one every two weeks.
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
                        second: second, path: "/electrocardiograms/\(name)\(hour == 21 ? "_1" : "").csv",
                        index: list.count))
            }
        }
        return list
    }

    /// Writes one file and returns the number of its voltages.
    func write(_ recording: Recording, to buffer: inout GeneratorBuffer) throws -> Int {
        let words = buffer.style.locale.electrocardiogramWords
        let mark = UInt8(ascii: buffer.style.locale.decimalMark == "," ? "," : ".")
        let classification = [words.sinusRhythm, words.inconclusive, words.fibrillation][recording.index % 3]
        let symptom = recording.index % 3 == 2 ? "\"\(words.palpitations)\"" : ""
        let rate = recording.index % 2 == 0 ? "512" : "512\(buffer.style.locale.decimalMark)844"
        // The first line exists with and without a comma.
        buffer.text(
            """
            \(words.name)\(recording.index % 2 == 0 ? "," : "")
            \(words.birth),"May 4, 1987"
            \(words.recorded),\(clock.text(recording.second))
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
        return hill(90, 22, 110_000) + hill(135, 5, -120_000) + hill(145, 8, 980_000) + hill(156, 6, -230_000)
            + hill(240, 45, 240_000)
    }
}

/// The terms in the heading of an electrocardiogram's file, in one language.
struct ElectrocardiogramWords: Sendable {
    var name: String
    var birth: String
    var recorded: String
    var classification: String
    var symptoms: String
    var software: String
    var device: String
    var rate: String
    /// The unit after the sample rate, with a leading space if there is one.
    var hertz: String
    var lead: String
    var leadOne: String
    var unit: String
    var sinusRhythm: String
    var fibrillation: String
    var inconclusive: String
    /// A symptom that contains a comma.
    var palpitations: String

    static let english = ElectrocardiogramWords(
        name: "Name", birth: "Date of Birth", recorded: "Recorded Date", classification: "Classification",
        symptoms: "Symptoms", software: "Software Version", device: "Device", rate: "Sample Rate", hertz: " hertz",
        lead: "Lead", leadOne: "Lead I", unit: "Unit", sinusRhythm: "Sinus Rhythm", fibrillation: "Atrial Fibrillation",
        inconclusive: "Inconclusive", palpitations: "Rapid, pounding, or fluttering heartbeat")
    static let french = ElectrocardiogramWords(
        name: "Nom", birth: "Date de naissance", recorded: "Date d’enregistrement", classification: "Classification",
        symptoms: "Symptômes", software: "Version du logiciel", device: "Appareil", rate: "Fréquence d’échantillonnage",
        hertz: " hertz", lead: "Dérivation", leadOne: "Dérivation I", unit: "Unité", sinusRhythm: "Rythme sinusal",
        fibrillation: "Fibrillation auriculaire", inconclusive: "Non concluant", palpitations: "Palpitations, rapides")
    static let german = ElectrocardiogramWords(
        name: "Name", birth: "Geburtsdatum", recorded: "Aufzeichnungsdatum", classification: "Klassifizierung",
        symptoms: "Symptome", software: "Softwareversion", device: "Gerät", rate: "Messrate", hertz: " Hertz",
        lead: "Ableitung", leadOne: "Ableitung I", unit: "Einheit", sinusRhythm: "Sinusrhythmus",
        fibrillation: "Vorhofflimmern", inconclusive: "Uneindeutig", palpitations: "Rasender, pochender Herzschlag")
    static let spanish = ElectrocardiogramWords(
        name: "Nombre", birth: "Fecha de nacimiento", recorded: "Fecha de registro", classification: "Clasificación",
        symptoms: "Síntomas", software: "Versión del software", device: "Dispositivo", rate: "Frecuencia de muestreo",
        hertz: " hercios", lead: "Derivación", leadOne: "Derivación I", unit: "Unidad", sinusRhythm: "Ritmo sinusal",
        fibrillation: "Fibrilación auricular", inconclusive: "No concluyente", palpitations: "Latido rápido, fuerte")
    static let portuguese = ElectrocardiogramWords(
        name: "Nome", birth: "Data de nascimento", recorded: "Data de registo", classification: "Classificação",
        symptoms: "Sintomas", software: "Versão do software", device: "Dispositivo", rate: "Taxa de amostragem",
        hertz: " hertz", lead: "Derivação", leadOne: "Derivação I", unit: "Unidade", sinusRhythm: "Ritmo sinusal",
        fibrillation: "Fibrilhação auricular", inconclusive: "Inconclusivo", palpitations: "Batimento rápido, forte")
    static let japanese = ElectrocardiogramWords(
        name: "名前", birth: "生年月日", recorded: "記録日", classification: "分類", symptoms: "症状", software: "ソフトウェアバージョン",
        device: "デバイス", rate: "サンプルレート", hertz: "ヘルツ", lead: "誘導", leadOne: "第I誘導", unit: "単位", sinusRhythm: "洞調律",
        fibrillation: "心房細動", inconclusive: "判定不能", palpitations: "動悸, 頻脈")
}
