import Foundation
import HealthModel
import HealthTesting
import Testing

@testable import AppleHealthExport

/// Reading and writing electrocardiogram files in any language.
@Suite struct ElectrocardiogramReaderTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        var language: String
        var heading: String
        var kind: ElectrocardiogramClass
        var rate = 512.0
        var symptoms = 0
        var point = "."
        var minus = "-"
        var lineEnd = "\n"

        var text: String {
            heading + AuxiliaryText.voltages(200, seed: 5, point: point, minus: minus, lineEnd: lineEnd)
        }
        var testDescription: String { language }
    }

    private static func lines(_ lines: [String], end: String = "\n") -> String {
        lines.map { $0 + end }.joined()
    }

    private static let samples: [Sample] = [
        Sample(
            language: "English",
            heading: lines([
                "Name,", "Date of Birth,\"Jun 12, 1980\"", "Recorded Date,2023-03-04 20:55:07 -0500",
                "Classification,Sinus Rhythm", "Symptoms,", "Software Version,1.90", "Device,\"Watch6,7\"",
                "Sample Rate,512 hertz", "", "", "Lead,Lead I", "Unit,µV", "",
            ]), kind: .sinusRhythm),
        Sample(
            language: "German",
            heading: lines([
                "Name,\"Muster, Max\"", "Geburtsdatum,12.06.1980", "Aufnahmedatum,2023-03-04 20:55:07 -0500",
                "Klassifizierung,Vorhofflimmern", "Symptome,\"Schwindel, Brustenge\"", "Softwareversion,2.0",
                "Gerät,\"Watch6,7\"", "Abtastrate,512,844 Hertz", "", "", "Ableitung,Ableitung I", "Einheit,µV", "",
            ]), kind: .atrialFibrillation, rate: 512.844, symptoms: 2, point: ","),
        Sample(
            language: "Portuguese",
            heading: lines([
                "Nome", "Data de nascimento,12/06/1980", "Data da gravação,2023-03-04 20:55:07 -0500",
                "Classificação,Ritmo sinusal", "Sintomas,", "Versão do software,1.90", "Dispositivo,\"Watch6,7\"",
                "Taxa de amostragem,512 hertz", "", "", "Derivação,Derivação I", "Unidade,µV", "",
            ]), kind: .sinusRhythm, point: ","),
        Sample(
            language: "Swedish",
            heading: lines(
                [
                    "Namn,", "Födelsedatum,1980-06-12", "Inspelningsdatum,2023-03-04 20:55:07 -0500",
                    "Klassificering,Hög puls", "Symtom,Inga", "Programvaruversion,1.90", "Enhet,\"Watch6,7\"",
                    "Samplingsfrekvens,512,000 Hz", "", "", "Avledning,Avledning I", "Enhet,μV", "",
                ], end: "\r\n"), kind: .highHeartRate, symptoms: 1, point: ",", minus: "\u{2212}", lineEnd: "\r\n"),
        Sample(
            language: "Japanese",
            heading: lines([
                "名前,", "生年月日,1980/06/12", "記録日,2023-03-04 20:55:07 -0500", "分類,洞調律", "症状,", "ソフトウェアバージョン,1.90",
                "デバイス,\"Watch6,7\"", "サンプルレート,512ヘルツ", "", "", "誘導,第I誘導", "単位,µV", "",
            ]), kind: .sinusRhythm),
        Sample(
            language: "a language nobody has told us of",
            heading: lines([
                "Nmae,", "Dtae,x", "Rcorded,2023-03-04 20:55:07 -0500", "Clss,Snus Rythm", "Smptoms,", "Vrsion,1.90",
                "Dvice,\"Watch6,7\"", "Rte,512 hrtz", "", "", "Lad,Lad I", "Unt,µV", "",
            ]), kind: .unrecognized),
        Sample(
            language: "no device or version",
            heading: lines([
                "Recorded Date,2023-03-04 20:55:07 -0500", "Classification,Inconclusive", "Sample Rate,500.5 hertz", "",
                "Unit,mV",
            ]),
            kind: .inconclusive, rate: 500.5),
    ]

    private func read(_ text: String) throws(AuxiliaryFileError) -> ObjectRecord {
        try ElectrocardiogramReader.read(Array(text.utf8), path: "/electrocardiograms/ecg_2023-03-04.csv")
    }

    private func document(_ record: ObjectRecord) throws -> DocumentBody {
        guard case .document(let document) = record.body else { throw AuxiliaryFileError("no document") }
        return document
    }

    @Test(arguments: samples)
    func readsEveryLanguage(_ sample: Sample) throws {
        let record = try read(sample.text)
        let document = try document(record)
        #expect(record.start == ArchiveText.instant(2023, 3, 5, 1, 55, 7))
        #expect(record.end == record.start + 200 / sample.rate)
        #expect(document["classification"] == .integer(Int64(sample.kind.rawValue)))
        #expect(document["symptomsStatus"] == .integer(Int64(sample.symptoms)))
        #expect(document["samplingFrequency"] == .quantity(QuantityRecord(sample.rate, unit: "Hz")))
        let scale = sample.heading.contains("mV") ? "e-3" : "e-6"
        let numbers = AuxiliaryText.voltages(200, seed: 5).split(separator: "\n").map { Double($0 + scale)! }
        #expect(document.series["voltages.1"] == numbers)
        #expect(document.series["times"] == (0..<200).map { Double($0) / sample.rate })
        if sample.heading.contains("Watch6,7") {
            #expect(record.device?.hardwareVersion == "Watch6,7" && record.revision?.productType == "Watch6,7")
            #expect(["1.90", "2.0"].contains(record.revision?.version))
        } else {
            #expect(record.device == nil && record.revision?.version == nil)
        }
        #expect(record.revision?.source.name == "ECG")
    }

    @Test(arguments: samples)
    func roundTrips(_ sample: Sample) throws {
        let record = try read(sample.text)
        let file = try #require(ElectrocardiogramWriter.file(record, offset: 7_200))
        #expect(String(decoding: file, as: UTF8.self) == sample.text)
        #expect(ElectrocardiogramWriter.path(of: record, offset: 0) == "/electrocardiograms/ecg_2023-03-04.csv")
    }

    @Test(arguments: [
        ("Sinus Rhythm", 1), ("sinus  rhythm", 1), ("Atrial Fibrillation", 2), ("Inconclusive", 6),
        ("Poor Recording", 5),
        ("Low Heart Rate", 3), ("High Heart Rate", 4), ("Inconclusive – High Heart Rate", 4), ("", 0),
        ("Something", 100), ("Unrecognized", 100), ("Inconclusive: Heart Rate Over 150", 4),
        ("Rytm zatokowy", 1), ("Migotanie przedsionków", 2), ("Синусовый ритм", 1), ("Фибрилляция предсердий", 2),
        ("Sinüs Ritmi", 1), ("Nhịp xoang", 1), ("จังหวะไซนัส", 1), ("פרפור פרוזדורים", 2), ("رجفان أذيني", 2),
        ("Niejednoznaczny: niskie tętno", 3), ("Kein Vorhofflimmern", 100),
        ("Sinusrhythmus", 1), ("Rythme sinusal", 1), ("Fibrilación auricular", 2), ("Fibrillazione atriale", 2),
        ("Boezemfibrilleren", 2), ("Förmaksflimmer", 2), ("Atrieflimmer", 2), ("Atrieflimren", 2), ("Eteisvärinä", 2),
        ("心房細動", 2), ("窦性心律", 1), ("竇性心律", 1), ("동리듬", 1), ("Nicht eindeutig", 6), ("Non concluant", 6), ("判定不能", 6),
    ])
    func knowsTheClass(_ text: String, _ expected: Int) throws {
        #expect((ElectrocardiogramClass(text) ?? .unrecognized).rawValue == expected)
        let record = try read(AuxiliaryText.electrocardiogram(values: 3, classification: text))
        #expect(try document(record)["classification"] == .integer(Int64(expected)))
        #expect(record.metadata["_archived.electrocardiogram.classification"] == .string(text))
    }

    @Test func everyClassificationHasAnEnglishName() {
        for kind in ElectrocardiogramClass.allCases { #expect(ElectrocardiogramClass(kind.english) == kind) }
    }

    @Test(arguments: [
        ("", "its file contains no voltages"), ("Name,\n\n", "its file contains no voltages"),
        ("1.5\n2.5\n", "its file has no recording date"),
        ("Recorded Date,2023-03-04 20:55:07 -0500\nDevice,\"Watch6,7\"\n1\n", "its file has no sample rate"),
        ("Recorded Date,yesterday\nSample Rate,512 hertz\n1\n", "its file has no recording date"),
        ("Recorded Date,2023-03-04 20:55:07 -0500\nSample Rate,0 hertz\n1\n", "its file has no sample rate"),
        (
            "Recorded Date,2023-03-04 20:55:07 -0500\nSample Rate,512 hertz\n1\nnone\n",
            "its file contains a line that is not a voltage"
        ),
        ("Recorded Date,2023-03-04 20:55:07 -0500\nSample Rate,512 hertz\n1;2\n", "its file contains no voltages"),
    ])
    func reportsErrors(_ text: String, _ reason: String) {
        #expect(throws: AuxiliaryFileError(reason)) { try read(text) }
    }

    @Test func anEmptyLineIsAMissingVoltage() throws {
        let text = AuxiliaryText.electrocardiogram(values: 2) + "\n7.000\n\n\n"
        let volts = try #require(try document(read(text)).series["voltages.1"])
        #expect(volts.count == 4 && volts[2].isNaN && volts[3] == 7e-6)
    }

    @Test func writesRecordingsThatWereNotImported() throws {
        var document = DocumentBody()
        document["classification"] = .integer(2)
        document["symptomsStatus"] = .integer(2)
        document["averageHeartRate"] = .quantity(QuantityRecord(71.5, unit: "count/min"))
        document["samplingFrequency"] = .quantity(QuantityRecord(512, unit: "Hz"))
        document.series["voltages.1"] = [1e-6, -2.5e-4, 0.1 / 3]
        document.series["times"] = [0, 1 / 512, 2 / 512]
        let start = ArchiveText.instant(2023, 3, 5, 1, 55, 7)
        let record = ObjectRecord(
            type: TypeCatalog.description(for: ElectrocardiogramReader.identifier)!.code, start: start,
            end: start + 3 / 512,
            revision: SourceRevisionRecord(
                source: SourceRecord(bundleIdentifier: "a", name: "A, \"B\""), version: "1.90"),
            device: DeviceRecord(
                name: "Apple Watch", manufacturer: "Apple Inc.", model: "Watch", hardwareVersion: "Watch6,7"),
            body: .document(document))
        let file = try #require(ElectrocardiogramWriter.file(record, offset: -18_000))
        #expect(
            String(decoding: file, as: UTF8.self) == """
                Name,
                Date of Birth,
                Recorded Date,2023-03-04 20:55:07 -0500
                Classification,Atrial Fibrillation
                Symptoms,Present
                Software Version,1.90
                Device,"Watch6,7"
                Sample Rate,512 hertz
                Average Heart Rate,71.5
                Source,"A, ""B\"""


                Lead,Lead I
                Unit,µV

                1.000
                -250.000
                33333.33333333333

                """)
        let again = try ElectrocardiogramReader.read(file, path: "/electrocardiograms/ecg_2023-03-04.csv")
        #expect(again.body == record.body && again.start == record.start && again.end == record.end)
        #expect(again.revision?.source.name == record.revision?.source.name && again.device == record.device)
        #expect(ElectrocardiogramWriter.path(of: record, offset: -18_000) == "/electrocardiograms/ecg_2023-03-04.csv")
    }

    @Test func mutatedFilesNeverTrap() {
        var count = 0
        for (index, sample) in Self.samples.enumerated() {
            let original = Array(sample.text.utf8)
            for seed in 0..<400 {
                var random = SplitMix64(seed: UInt64(seed + index * 1_000))
                var bytes = original
                for _ in 0..<Int.random(in: 1...5, using: &random) where !bytes.isEmpty {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                    case 1:
                        bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...60, using: &random)))
                    case 2: bytes.insert(Array("\n,\".-0".utf8).randomElement(using: &random)!, at: place)
                    default: bytes.removeSubrange(place...)
                    }
                }
                guard let record = try? ElectrocardiogramReader.read(bytes, path: "/electrocardiograms/a.csv") else {
                    continue
                }
                #expect(record.start <= record.end && record.end.isFinite, "seed \(seed) of \(sample.language)")
                let file = ElectrocardiogramWriter.file(record, offset: 0) ?? []
                let again = try? ElectrocardiogramReader.read(file, path: "/electrocardiograms/a.csv")
                let (one, other) = (try? document(record), again.flatMap { try? document($0) })
                #expect(
                    one?.series["voltages.1"]?.map(\.bitPattern) == other?.series["voltages.1"]?.map(\.bitPattern),
                    "seed \(seed) of \(sample.language)")
                count += 1
            }
        }
        #expect(count > 0)
    }
}
