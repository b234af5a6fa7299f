import Foundation
import HealthEngine
@testable import HealthFiles
import HealthModel
import HealthStorage

@testable import AppleHealthExport

/// Small archives and their files, with an element of each kind.
enum ArchiveExamples {
    static let words = [
        "<!ENTITY a \"", "<!ELEMENT ", "<![CDATA[", "]]>", "<!--", "-->", "<?", "&lt;", "&#0;", "&#x10FFFF;",
        "&#xD800;", "/>", "</",
        "<Record ", "<Workout ", "<Correlation ", "<MetadataEntry ", "<HealthData ", "</HealthData>", "startDate=\"",
        "value=\"",
        "2024-03-01 10:00:00 +0100", "0001-01-01 00:00:00 +0000", "9999-12-31 23:59:59 -1400", "<trkpt lat=\"",
        "<time>", "&amp;",
    ]

    static let main: [[UInt8]] = [
        text(
            """
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="iPhone" sourceVersion="17.2" device="&lt;&lt;HKDevice: 0x282e3a260&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,7, software:9.3.1&gt;" unit="count" creationDate="2024-03-01 10:15:00 +0100" startDate="2024-03-01 10:00:00 +0100" endDate="2024-03-01 10:10:00 +0100" value="72"/>
             <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Jo’s Watch" unit="count/min" startDate="2024-03-01 10:00:00 +0100" endDate="2024-03-01 10:00:00 +0100" value="61.5">
              <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="1"/>
             </Record>
             <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="iPhone" startDate="2024-03-01 01:00:00 +0100" endDate="2024-03-01 06:10:00 +0100" value="HKCategoryValueSleepAnalysisAsleepREM"/>

            """),
        text(
            """
             <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30.5" durationUnit="min" sourceName="w" startDate="2024-03-01 10:00:00 +0100" endDate="2024-03-01 11:00:00 +0100">
              <MetadataEntry key="HKIndoorWorkout" value="0"/>
              <WorkoutEvent type="HKWorkoutEventTypePause" date="2024-03-01 10:30:00 +0100"/>
              <WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" startDate="2024-03-01 10:00:00 +0100" endDate="2024-03-01 11:00:00 +0100" sum="310.5" unit="Cal"/>
              <WorkoutRoute sourceName="w" startDate="2024-03-01 10:00:00 +0100" endDate="2024-03-01 11:00:00 +0100"><FileReference path="/workout-routes/a.gpx"/></WorkoutRoute>
             </Workout>
             <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="c" startDate="2024-03-01 10:00:00 +0100" endDate="2024-03-01 10:00:00 +0100">
              <Record type="HKQuantityTypeIdentifierBloodPressureSystolic" sourceName="c" unit="mmHg" startDate="2024-03-01 10:00:00 +0100" endDate="2024-03-01 10:00:00 +0100" value="120"/>
             </Correlation>
             <ActivitySummary dateComponents="2024-03-01" activeEnergyBurned="512.3" activeEnergyBurnedGoal="500" activeEnergyBurnedUnit="Cal" appleExerciseTime="31" appleStandHours="11"/>

            """),
        text(
            """
             <Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" sourceName="w" unit="ms" startDate="2024-03-01 10:00:00 +0100" endDate="2024-03-01 10:01:00 +0100" value="41.5">
              <HeartRateVariabilityMetadataList>
               <InstantaneousBeatsPerMinute bpm="61" time="10:00:01,25 AM"/>
              </HeartRateVariabilityMetadataList>
             </Record>
             <Audiogram type="HKDataTypeIdentifierAudiogram" sourceName="a" startDate="2024-03-01 10:00:00 +0100" endDate="2024-03-01 10:00:00 +0100">
              <SensitivityPoint frequencyValue="1000" frequencyUnit="Hz" leftEarValue="20" leftEarUnit="dBHL"/>
             </Audiogram>
             <VisionPrescription type="glasses" dateIssued="2024-03-01" expirationDate="2026-03-01"><RightEye sphere="-1.25" sphereUnit="D"/></VisionPrescription>
             <ClinicalRecord type="Observation" identifier="1" sourceName="Hospital" fhirVersion="4.0.1" receivedDate="2024-03-01 10:00:00 +0100" resourceFilePath="/clinical-records/a.json"/>

            """),
        [],
    ]

    private static func text(_ elements: String) -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE HealthData [
            <!-- HealthKit Export Version: 14 -->
            <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout)*)>
            <!ATTLIST HealthData locale CDATA #REQUIRED>
            ]>
            <HealthData locale="en_US">
             <ExportDate value="2026-01-15 09:12:33 +0100"/>
             <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-06-12" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>
            \(elements)</HealthData>

            """.utf8)
    }

    static let route = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Apple Health Export"><metadata><time>2026-01-15T08:12:33Z</time></metadata>
        <trk><name>Route &amp; more</name><trkseg>
        <trkpt lon="-9.139337" lat="38.722252"><ele>7.500000</ele><time>2019-06-11T13:00:00Z</time><extensions><speed>1.409571</speed><course>-1.000000</course><hAcc>4.749759</hAcc><vAcc>3.437340</vAcc></extensions></trkpt>
        <trkpt lon="-9.139338" lat="38.722253"><ele>-0.25</ele><time>2019-06-11T13:00:00.250+02:00</time></trkpt>
        </trkseg></trk></gpx>
        """

    static let electrocardiograms: [[UInt8]] = [("Unit", "µV", "."), ("Einheit", "mV", ",")].map { unit, name, point in
        Array(
            """
            Name,
            Date of Birth,"Jun 12, 1980"
            Recorded Date,2023-03-04 20:55:07 -0500
            Classification,Sinus Rhythm
            Symptoms,
            Software Version,1.90
            Device,"Watch6,7"
            Sample Rate,512 hertz


            Lead,Lead I
            \(unit),\(name)


            -12\(point)345
            0\(point)5
            899\(point)001
            -0\(point)001

            """.utf8)
    }

    @Sendable static func zips() throws -> [[UInt8]] {
        let variants: [ZipWriter.Options] = [
            .init(), .init(level: nil, usesDescriptors: false), .init(forcesZip64: true),
            .init(level: 1, flagsNamesAsUTF8: false),
        ]
        return try variants.enumerated().map { index, options in
            let path = FuzzFile.folder + "/example-\(index)-\(UUID().uuidString).zip"
            defer { unlink(path) }
            let writer = try ZipWriter(path: path, options: options)
            let files: [(String, [UInt8])] = [
                ("apple_health_export/export.xml", main[0].prefix(500) + Array("</HealthData>".utf8)),
                ("apple_health_export/workout-routes/a.gpx", Array(route.utf8.prefix(200))),
                ("apple_health_export/empty", []),
            ]
            for (name, bytes) in files {
                try writer.beginEntry(name)
                try writer.write(bytes)
            }
            try writer.finish()
            return try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        }
    }

    /// The main file and the supplement of an exported store whose samples Apple's format can't hold.
    static let exported: (main: [UInt8], supplement: [UInt8]) = {
        do {
            let folder = FuzzFile.folder + "/exported-\(UUID().uuidString)"
            let engine = try HealthEngine(storage: InMemoryStorage())
            var sample = SampleRecord(
                uuid: UUID(), type: type("HKQuantityTypeIdentifierHeartRate"), start: 700_000_000.125,
                end: 700_000_001.5, value: 61,
                unit: "count/min")
            sample.metadata = Metadata([
                .init(key: "a", value: .date(1.25)), .init(key: "b", value: .quantity(2, unit: "degC")),
            ])
            let document = DocumentBody(fields: ["valence": .double(0.5), "kind": .integer(1)], series: [:])
            let mind = ObjectRecord(
                uuid: UUID(), type: type("HKDataTypeStateOfMind"), start: 700_000_000.5, end: 700_000_000.5,
                body: .document(document))
            let caller = Caller(
                revision: SourceRevisionRecord(
                    source: SourceRecord(bundleIdentifier: "org.example.fuzz", name: "Fuzz")),
                permission: .owner)
            try engine.save([.sample(sample), .object(mind)], as: caller)
            let options = ExportOptions(exportDate: Date(timeIntervalSinceReferenceDate: 790_000_000), timeZone: .gmt)
            _ = try ArchiveExporter(engine: engine, options: options).run(to: .folder(path: folder))
            func bytes(_ name: String) throws -> [UInt8] {
                try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(folder)/apple_health_export/\(name)")))
            }
            return (try bytes("export.xml"), try bytes(SupplementLine.fileName))
        } catch {
            fatalError("The example can’t be exported: \(error)")
        }
    }()

    private static func type(_ identifier: String) -> TypeCode { TypeCatalog.description(for: identifier)!.code }

    /// The lines of a supplement without their checksums.
    @Sendable static func supplements() -> [[UInt8]] {
        let lines = exported.supplement.split(separator: UInt8(ascii: "\n")).map { line in
            Array(line[(line.firstRange(of: Array("\"line\":".utf8))!.upperBound)...].dropLast())
        }
        return [Array(lines.joined(separator: [UInt8(ascii: "\n")]))] + lines
    }

    static let clinicalWords = [
        "\"resourceType\":", "\"Observation\"", "\"category\":", "\"coding\":", "\"code\":", "\"text\":", "[", "]", "{",
        "}", "null", "\\u0000",
        "\"DiagnosticReport\"", "\"vital-signs\"", "\"display\":",
    ]

    /// Resources as R4 and DSTU2 have them.
    static let resources = [
        #"{"resourceType":"Observation","id":"1","status":"final","category":[{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/observation-category","code":"vital-signs","display":"Vital Signs"}],"text":"Vital Signs"}],"code":{"coding":[{"system":"http://loinc.org","code":"8867-4","display":"Heart rate"}],"text":"Heart rate"},"valueQuantity":{"value":61.5,"unit":"/min"}}"#,
        #"{"resourceType":"Observation","status":"final","category":{"coding":[{"code":"laboratory"}]},"code":{"text":"Glucose"}}"#,
        #"{"resourceType":"MedicationOrder","medicationCodeableConcept":{"text":"Aspirin"},"dateWritten":"2015-01-15"}"#,
        #"{"resourceType":"AllergyIntolerance","substance":{"coding":[{"display":"Nuts"}]}}"#,
        #"{"resourceType":"Immunization","vaccineCode":{"text":"MMR"}}"#,
    ].map { Array($0.utf8) }
}
