import AppleHealthGenerator
import ArchiveTestSupport
import Foundation
import Testing

@Suite("Archives of every version of iOS")
struct ArchiveDialectTests {
    private func text(_ version: String, defects: Bool = true, locale: String = "en_US", seed: UInt64 = 11) throws -> (
        String, GeneratedArchive
    ) {
        var options = DialectArchive.options(version)
        options.hasDefects = defects
        options.locale = locale
        options.seed = seed
        var bytes: [UInt8] = []
        let archive = try ArchiveGenerator(options: options).makeXML { bytes += $0 }
        return (String(decoding: bytes, as: UTF8.self), archive)
    }

    @Test("Versions are parsed")
    func versions() {
        #expect(ArchiveDialect("16.2") == ArchiveDialect(major: 16, minor: 2))
        #expect(ArchiveDialect("9") == ArchiveDialect(major: 9))
        #expect(ArchiveDialect("16.2")?.name == "16.2" && ArchiveDialect("26.0")?.name == "26")
        #expect(ArchiveDialect("9")! < ArchiveDialect("16")! && ArchiveDialect("16")! < ArchiveDialect("16.2")!)
        // Bare 8 is what most of iOS 8 wrote; 8.0 is another form.
        #expect(ArchiveDialect("8") == ArchiveDialect("8.1") && ArchiveDialect("8.0") == ArchiveDialect(major: 8))
        #expect(["8", "8.0", "8.2"].map { ArchiveDialect($0)?.name } == ["8", "8.0", "8.2"])
        for wrong in ["", "7", "27", "20", "16.", ".2", "16.2.1", "+9", "sixteen", "16.x", "16.10", "٩"] {
            #expect(ArchiveDialect(wrong) == nil, "\(wrong)")
        }
    }

    @Test(
        "The same options give the same bytes, another seed or version gives different ones",
        arguments: DialectArchive.versions)
    func deterministic(version: String) throws {
        let shared = try DialectArchive.of(version).text()
        #expect(try text(version).0 == shared)
        #expect(try text(version, seed: 12).0 != shared)
        var others = Set<String>()
        for other in DialectArchive.versions { others.insert(try DialectArchive.of(other).text()) }
        #expect(others.count == DialectArchive.versions.count)
    }

    @Test(
        "Each format has its version number and its elements",
        arguments: [
            ("8", nil, []), ("9", 3, ["ActivitySummary"]), ("11", 3, ["ActivitySummary"]),
            ("12", 8, ["ActivitySummary", "Location", "ClinicalRecord", "InstantaneousBeatsPerMinute"]),
            ("13", 8, ["ActivitySummary", "Location", "ClinicalRecord", "InstantaneousBeatsPerMinute"]),
            (
                "14", 11,
                ["ActivitySummary", "FileReference", "ClinicalRecord", "InstantaneousBeatsPerMinute", "Audiogram"]
            ),
            (
                "16", 12,
                [
                    "ActivitySummary", "FileReference", "ClinicalRecord", "InstantaneousBeatsPerMinute", "Audiogram",
                    "WorkoutActivity",
                    "WorkoutStatistics", "VisionPrescription",
                ]
            ),
            (
                "16.4", 13,
                [
                    "ActivitySummary", "FileReference", "ClinicalRecord", "InstantaneousBeatsPerMinute", "Audiogram",
                    "WorkoutActivity",
                    "WorkoutStatistics", "VisionPrescription",
                ]
            ),
            (
                "26", 14,
                [
                    "ActivitySummary", "FileReference", "ClinicalRecord", "InstantaneousBeatsPerMinute", "Audiogram",
                    "WorkoutActivity",
                    "WorkoutStatistics", "VisionPrescription", "Attachment",
                ]
            ),
        ] as [(String, Int?, [String])])
    func formats(version: String, number: Int?, elements: [String]) throws {
        let text = try DialectArchive.of(version).text()
        #expect(text.contains("Export Version") == (number != nil))
        if let number { #expect(text.contains("<!-- HealthKit Export Version: \(number) -->")) }
        let optional = [
            "ActivitySummary", "Location", "FileReference", "ClinicalRecord", "InstantaneousBeatsPerMinute",
            "Audiogram", "WorkoutActivity",
            "WorkoutStatistics", "VisionPrescription", "Attachment",
        ]
        for name in optional { #expect(text.contains("<\(name) ") == elements.contains(name), "\(name)") }
    }

    @Test("Archives have the changes of their version of iOS", arguments: DialectArchive.versions)
    func changes(version: String) throws {
        let archive = try DialectArchive.of(version)
        let (text, dialect) = (try archive.text(), archive.dialect)
        #expect(text.contains("AsleepREM") == (dialect.major >= 16))
        #expect(text.contains("SleepAnalysisAsleep\"") == (dialect.major < 16))
        #expect(text.contains(" totalDistance=\"") == (dialect.major < 16))
        #expect(text.contains(" appleMoveMinutes=") == [14, 15].contains(dialect.major))
        #expect(text.contains(" appleMoveTime=") == (dialect.major >= 16))
        #expect(text.contains(" leftEarMasked=") == (dialect >= ArchiveDialect(major: 18, minor: 1)))
        #expect(text.contains("TypeIdentifierPhysicalEffort") == (dialect.major >= 17))
        #expect(text.contains("MedicationsUse=\"None\"") == (dialect.major >= 16))
        #expect(text.contains("<MetadataEntry ") == (dialect.major > 8))
        #expect(text.contains(" Health Mate App Version=\"2.6.0\"") == (version == "8"))
        #expect(text.contains("\u{0B}") == (dialect.major == 16))
        // Pointers differ between records.
        #expect(Set(text.matches(of: /HKDevice: 0x28[0-9a-f]{7}/).map { String($0.0) }).count > 8 || version == "8.0")
        #expect(text.contains("duration=\"") && text.contains("mi\"") && text.contains("unit=\"Cal\""))
    }

    @Test("The first archives have a source, dates without separators and recordCount")
    func firstForm() throws {
        let text = try DialectArchive.of("8.0").text()
        #expect(text.contains("<ExportDate value=\"20251106120000-0500\"/>"))
        let records = text.matches(
            of:
                /<Record type="\w+" source="[^"]+"(?: unit="[^"]+")? startDate="\d{14}-0500" endDate="\d{14}-0500" value="[^"]+" recordCount="1"\/>/
        )
        #expect(records.count == text.matches(of: /<Record\b/).count && records.count > 1_000)
        for absent in ["sourceName=", "sourceVersion=", "device=", "creationDate=", "HKWasUserEntered", "HKTimeZone"] {
            #expect(!text.contains(absent), "\(absent)")
        }
        #expect(text.contains("<Correlation type=") && text.contains("<Workout "))
    }

    @Test("Without defects, an archive is valid", arguments: DialectArchive.versions.filter { $0 != "8" })
    func valid(version: String) throws {
        let (mended, _) = try text(version, defects: false)
        #expect(WellFormedness.fault(in: mended) == nil)
        #expect(DocumentTypeCheck(mended).breaks == [])
    }

    @Test(
        "With defects, an archive is invalid in the same places as on iOS",
        arguments: DialectArchive.versions.filter { $0 != "8" })
    func invalid(version: String) throws {
        let archive = try DialectArchive.of(version)
        let major = archive.dialect.major
        var breaks = Set(DocumentTypeCheck(try archive.text()).breaks)
        if major >= 16 {
            #expect(
                breaks.isSuperset(of: [
                    "WorkoutActivity in Workout", "WorkoutEvent in WorkoutActivity",
                    "WorkoutStatistics in WorkoutActivity",
                ]))
            breaks = breaks.filter { !$0.contains("WorkoutActivity") }
        }
        if [14, 15].contains(major) || ["16", "16.1", "16.2"].contains(version) {
            #expect(
                breaks.isSuperset(of: [
                    "Audiogram in HealthData", "SensitivityPoint in Audiogram", "MetadataEntry in Audiogram",
                ]))
            breaks = breaks.filter { !$0.contains("Audiogram") }
        }
        switch version {
        case "16", "16.1":
            let torn: Set = [
                "WorkoutStatistics in Workout", "unit of WorkoutStatistics", "MetadataEntry in WorkoutEvent",
                "VisionPrescription in HealthData",
                "HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse of Me",
            ]
            #expect(breaks.isSuperset(of: torn))
        case "16.2": #expect(breaks == ["MetadataEntry in WorkoutEvent", "VisionPrescription in HealthData"])
        default: #expect(breaks == [])
        }
    }

    @Test("Language and region determine names, clock times, units and numbers")
    func locales() throws {
        for (locale, name, clock) in [
            ("en_US", "export", #/time="\d{1,2}:\d\d:\d\d\.\d\d [AP]M"/#),
            ("fr_FR", "exporter", #/time="\d\d:\d\d:\d\d,\d\d"/#),
            ("en_PT", "export", #/time="\d\d:\d\d:\d\d,\d\d"/#), ("nb_NO", "eksport", #/time="\d\d:\d\d:\d\d,\d\d"/#),
            ("zh_CN", "导出", #/time="\d\d:\d\d:\d\d\.\d\d"/#),
            ("tr_TR", "dışa aktarılan", #/time="\d\d:\d\d:\d\d,\d\d"/#),
            ("fi", "vienti", #/time="\d\d:\d\d:\d\d,\d\d"/#), ("es_ES", "exportar", #/time="\d\d:\d\d:\d\d,\d\d"/#),
        ] as [(String, String, Regex<Substring>)] {
            let (text, archive) = try text("18", locale: locale)
            #expect(archive.files == [name + ".xml"])
            #expect(text.contains("<HealthData locale=\"\(locale)\">"))
            #expect(text.matches(of: clock).count == archive.beats, "\(locale)")
            #expect(
                text.contains("unit=\"Cal\"") == (locale == "en_US")
                    && text.contains("unit=\"kcal\"") == (locale != "en_US"))
            // Numbers in the main file have a decimal point in every language.
            #expect(text.firstMatch(of: #/ value="\d+,\d/#) == nil)
        }
        #expect(GeneratorOptions.isValid(locale: "pt_BR") && GeneratorOptions.isValid(locale: "yue"))
        for wrong in ["", "EN", "en-US", "en_us", "en_USA", "english", "e"] {
            #expect(!GeneratorOptions.isValid(locale: wrong), "\(wrong)")
        }
    }

    @Test("Routes, electrocardiograms and other files are beside the main file")
    func auxiliaryFiles() throws {
        let home = TemporaryHome.path + "/pt_PT"
        var options = DialectArchive.options("18.1")
        options.locale = "pt_PT"
        let archive = try ArchiveGenerator(options: options).make(atPath: home)
        let folder = home + "/apple_health_export/"
        func files(_ part: String) -> [String] { archive.files.filter { $0.hasPrefix(part + "/") } }
        for file in archive.files { #expect(FileManager.default.fileExists(atPath: folder + file), "\(file)") }
        #expect(archive.files.prefix(2) == ["export.xml", "export_cda.xml"])
        let main = try String(contentsOfFile: folder + "export.xml", encoding: .utf8)

        #expect(files("workout-routes").count == archive.contents["HKWorkoutRouteTypeIdentifier"])
        var points = 0
        for file in files("workout-routes") {
            #expect(file.contains(/route_2025-1\d-\d\d_\d{1,2}\.\d\d[ap]m\.gpx/))
            #expect(main.contains("<FileReference path=\"/\(file)\"/>"))
            let text = try String(contentsOfFile: folder + file, encoding: .utf8)
            #expect(
                WellFormedness.fault(
                    in: text.replacing("xsi:schemaLocation", with: "schema").replacing("xmlns:xsi", with: "x")) == nil)
            points += text.matches(of: /<trkpt lon="-7[34]\.\d+" lat="40\.\d+">/).count
        }
        #expect(points == archive.routePoints && points > 500)

        #expect(files("electrocardiograms").count == archive.contents["HKDataTypeIdentifierElectrocardiogram"])
        #expect(files("electrocardiograms").last?.hasSuffix("_1.csv") == true)
        var voltages = 0
        for file in files("electrocardiograms") {
            let text = try String(contentsOfFile: folder + file, encoding: .utf8)
            #expect(text.contains("\nTaxa de amostragem,") && text.contains("µV"))
            voltages += text.matches(of: /\n-?\d+(,\d+)?(?=\n)/).count
        }
        #expect(voltages == archive.voltages && voltages == 15_360 + 14_864)

        let clinical = archive.contents.filter { $0.key.hasPrefix("HKClinicalType") }.values.reduce(0, +)
        #expect(files("clinical-records").count == clinical && clinical == 9)
        for file in files("clinical-records") {
            #expect(main.contains("resourceFilePath=\"/\(file)\""))
            let json =
                try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: folder + file)))
                as? [String: Any]
            #expect(file.hasPrefix("clinical-records/\(json?["resourceType"] as? String ?? "?")-"))
        }
        #expect(files("attachments").count == 1)
    }
}
