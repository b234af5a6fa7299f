/// Audiograms, prescriptions and clinical records.
struct DialectDocuments {
    let options: GeneratorOptions
    let clock: GeneratorClock
    let dialect: ArchiveDialect
    /// Whether the files of clinical records are written, which determine the type of observations.
    let writesFiles: Bool

    /// A small file beside the main file.
    struct File {
        var path: String
        var text: String
    }

    /// Writes the elements and returns their files.
    func write(to buffer: inout GeneratorBuffer) -> [File] {
        writeAudiograms(to: &buffer)
        var files = writePrescriptions(to: &buffer)
        if dialect.hasClinicalRecords {
            for resource in GeneratedResource.all(options: options, clock: clock, dialect: dialect) {
                let path = "/clinical-records/\(resource.kind)-\(resource.uuid).json"
                buffer.text(
                    " <ClinicalRecord type=\"\(resource.kind)\" identifier=\"\(resource.identifier)\" sourceName=\"Harbour Clinic &amp; Sons\" sourceURL=\"https://fhir.harbour-clinic.example/api/\" fhirVersion=\"\(resource.fhirVersion)\""
                )
                buffer.date("receivedDate", resource.received)
                buffer.text(" resourceFilePath=\"\(path)\"/>\n")
                buffer.archive.count(
                    resource.kind == "Observation" && !writesFiles ? "ClinicalRecord#Observation" : resource.type)
                files.append(File(path: path, text: resource.json))
            }
        }
        return files
    }

    private func writeAudiograms(to buffer: inout GeneratorBuffer) {
        guard dialect.hasAudiograms else { return }
        for day in 0..<clock.dayCount where day % 10 == 4 {
            let start = clock.dayStarts[day] + 15 * 3_600
            guard start + 300 <= clock.exportSecond else { continue }
            buffer.text(" <Audiogram type=\"HKDataTypeIdentifierAudiogram\"")
            buffer.source(.phone, at: start)
            buffer.creationDate(min(start + 301, clock.exportSecond))
            buffer.date("startDate", start)
            buffer.date("endDate", start + 300)
            buffer.text(">\n  <MetadataEntry key=\"HKExternalUUID\" value=\"audiogram \(day)\"/>\n")
            for (index, frequency) in [250, 500, 1_000, 2_000, 4_000, 8_000].enumerated() {
                buffer.text(
                    "  <SensitivityPoint frequencyValue=\"\(frequency)\" frequencyUnit=\"Hz\" leftEarValue=\"\(10 + 3 * index + day % 4)\" leftEarUnit=\"dBHL\""
                )
                if dialect.hasHearingTest {
                    buffer.text(
                        " leftEarMasked=\"\(index % 2)\" leftEarClampingRangeLowerBound=\"-10\" leftEarClampingRangeUpperBound=\"85\""
                    )
                }
                // An ear can be missing at a frequency.
                if index != 4 { buffer.text(" rightEarValue=\"\(12 + 2 * index).5\" rightEarUnit=\"dBHL\"") }
                if dialect.hasHearingTest, index != 4 { buffer.text(" rightEarMasked=\"0\"") }
                buffer.text("/>\n")
            }
            buffer.text(" </Audiogram>\n")
            buffer.archive.count("HKDataTypeIdentifierAudiogram")
        }
    }

    private func writePrescriptions(to buffer: inout GeneratorBuffer) -> [File] {
        guard dialect.hasPrescriptions else { return [] }
        var random = GeneratorRandom(seed: options.seed, stream: "prescriptions")
        var files: [File] = []
        for (index, isContacts) in [false, true].enumerated() {
            let issued = clock.dayStarts[2 + index] + 10 * 3_600
            buffer.text(" <VisionPrescription type=\"HKVisionPrescriptionType\(isContacts ? "Contacts" : "Glasses")\"")
            buffer.date("dateIssued", issued)
            buffer.date("expirationDate", issued + 730 * 86_400)
            if isContacts { buffer.text(" brand=\"Clear &amp; Co\"") }
            buffer.text(">\n")
            for eye in ["RightEye", "LeftEye"] {
                buffer.text(
                    "  <\(eye) sphere=\"-\(1 + index).25\" sphereUnit=\"D\" cylinder=\"-0.5\" cylinderUnit=\"D\" axis=\"\(eye == "RightEye" ? 90 : 85)\" axisUnit=\"deg\""
                )
                buffer.text(
                    isContacts
                        ? " baseCurve=\"8.6\" baseCurveUnit=\"mm\" diameter=\"14.2\" diameterUnit=\"mm\"/>\n"
                        : " add=\"1.5\" addUnit=\"D\" vertex=\"12\" vertexUnit=\"mm\" prismAmount=\"0.5\" prismAmountUnit=\"pD\" prismAngle=\"90\" prismAngleUnit=\"deg\" farPD=\"31.5\" farPDUnit=\"mm\" nearPD=\"30\" nearPDUnit=\"mm\"/>\n"
                )
            }
            if dialect.hasAttachments, !isContacts {
                let identifier = random.uuid()
                buffer.text("  <Attachment identifier=\"\(identifier)\"/>\n")
                files.append(
                    File(path: "/attachments/\(identifier).pdf", text: "%PDF-1.4\n% a fictional prescription\n%%EOF\n"))
            }
            buffer.text(
                "  <MetadataEntry key=\"HKExternalUUID\" value=\"prescription \(index)\"/>\n </VisionPrescription>\n")
            buffer.archive.count("HKVisionPrescriptionTypeIdentifier")
        }
        return files
    }
}

/// A FHIR resource of a clinical record, in DSTU2 or R4 depending on the version of iOS.
struct GeneratedResource {
    /// The resource type, which is the type of the record's element.
    var kind: String
    /// The identifier of HealthKit's type for the resource.
    var type: String
    var identifier: String
    var uuid: String
    var fhirVersion: String
    /// Seconds since 2001.
    var received: Int
    var json: String

    static func all(options: GeneratorOptions, clock: GeneratorClock, dialect: ArchiveDialect) -> [GeneratedResource] {
        var random = GeneratorRandom(seed: options.seed, stream: "clinical")
        let isNew = dialect.major >= 14
        let date = clock.utcText(clock.dayStarts[1] - 20 * 86_400)
        let rows = (isNew ? current : previous).split(separator: "\n").filter {
            dialect.isAtLeast(16, 4) || !$0.hasPrefix("DocumentReference")
        }
        return rows.enumerated().map { index, row in
            let parts = row.split(separator: " ", maxSplits: 2).map(String.init)
            let identifier = "res-\(index + 1)"
            let body = parts[2].replacing("MIA", with: #"{"display":"Mia Nobody"}"#).replacing(
                "DATE", with: "\"\(date)\""
            )
            .replacing(/([a-z-]+)#([a-z-]+)/) {
                #"{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/\#($0.1)","code":"\#($0.2)"}]}"#
            }
            return GeneratedResource(
                kind: parts[0], type: "HKClinicalTypeIdentifier" + parts[1], identifier: identifier,
                uuid: random.uuid(), fhirVersion: isNew ? "4.0.1" : "1.0.2",
                received: clock.dayStarts[1] + 8 * 3_600 + index,
                json: #"{"resourceType":"\#(parts[0])","id":"\#(identifier)",\#(body)}"# + "\n")
        }
    }

    // Resource type, type of the record and contents, with the person MIA, a DATE and concepts as SYSTEM#CODE.

    /// Resources of R4.
    private static let current = #"""
        AllergyIntolerance AllergyRecord "clinicalStatus":allergyintolerance-clinical#active,"verificationStatus":allergyintolerance-verification#confirmed,"code":{"text":"Walnuts"},"patient":MIA
        Condition ConditionRecord "clinicalStatus":condition-clinical#active,"verificationStatus":condition-ver-status#confirmed,"code":{"text":"Hay fever"},"subject":MIA
        Immunization ImmunizationRecord "status":"completed","vaccineCode":{"text":"Influenza"},"patient":MIA,"occurrenceDateTime":DATE
        Procedure ProcedureRecord "status":"completed","code":{"text":"Removal of a splinter"},"subject":MIA,"performedDateTime":DATE
        MedicationRequest MedicationRecord "status":"active","intent":"order","medicationCodeableConcept":{"text":"Nasal spray"},"subject":MIA,"authoredOn":DATE
        Observation LabResultRecord "status":"final","category":[observation-category#laboratory],"code":{"text":"Ferritin"},"subject":MIA,"effectiveDateTime":DATE,"valueQuantity":{"value":61,"unit":"ng/mL","system":"http://unitsofmeasure.org","code":"ng/mL"}
        Observation VitalSignRecord "status":"final","category":[observation-category#vital-signs],"code":{"text":"Pulse"},"subject":MIA,"effectiveDateTime":DATE,"valueQuantity":{"value":64,"unit":"/min","system":"http://unitsofmeasure.org","code":"/min"}
        Coverage CoverageRecord "status":"active","type":{"text":"Statutory"},"beneficiary":MIA,"payor":[{"display":"Harbour Insurance"}]
        DocumentReference ClinicalNoteRecord "status":"current","type":{"text":"Letter “to whom it may concern”"},"subject":MIA,"date":DATE,"content":[{"attachment":{"contentType":"text/plain","data":"TWlhIGlzIHdlbGwu"}}]
        """#

    /// Resources of DSTU2.
    private static let previous = #"""
        AllergyIntolerance AllergyRecord "status":"active","substance":{"text":"Walnuts"},"patient":MIA
        Condition ConditionRecord "clinicalStatus":"active","verificationStatus":"confirmed","code":{"text":"Hay fever"},"patient":MIA
        Immunization ImmunizationRecord "status":"completed","vaccineCode":{"text":"Influenza"},"patient":MIA,"date":DATE,"wasNotGiven":false,"reported":false
        Procedure ProcedureRecord "status":"completed","code":{"text":"Removal of a splinter"},"subject":MIA,"performedDateTime":DATE
        MedicationOrder MedicationRecord "status":"active","medicationCodeableConcept":{"text":"Nasal spray"},"patient":MIA,"dateWritten":DATE
        Observation LabResultRecord "status":"final","category":{"coding":[{"system":"http://hl7.org/fhir/observation-category","code":"laboratory"}]},"code":{"text":"Ferritin"},"subject":MIA,"effectiveDateTime":DATE,"valueQuantity":{"value":61,"unit":"ng/mL","system":"http://unitsofmeasure.org","code":"ng/mL"}
        Observation VitalSignRecord "status":"final","category":{"coding":[{"system":"http://hl7.org/fhir/observation-category","code":"vital-signs"}]},"code":{"text":"Pulse"},"subject":MIA,"effectiveDateTime":DATE,"valueQuantity":{"value":64,"unit":"/min","system":"http://unitsofmeasure.org","code":"/min"}
        """#
}

/// The clinical document `export_cda.xml` with a vital sign of the main file. As on iOS, a second root element follows
/// its end, so that it is not well-formed.
struct GeneratedClinicalDocument {
    let clock: GeneratorClock
    let hasTwoRoots: Bool
    /// A heart rate of the main file, if it has one.
    let heartRate: (value: Int, second: Int)?

    private func time(_ second: Int) -> String {
        clock.text(second)
            .replacing("-", with: "", maxReplacements: 2).replacing(":", with: "").replacing(
                " ", with: "", maxReplacements: 1
            )
            .replacing(" ", with: "")
    }

    private var observation: String {
        guard let heartRate else { return "" }
        let time = time(heartRate.second)
        return """
                <component>
                 <observation classCode="OBS" moodCode="EVN">
                  <code code="8867-4" codeSystem="2.16.840.1.113883.6.1" displayName="Heart rate"/>
                  <text><sourceName>Health</sourceName><value>\(heartRate.value)</value><type>HKQuantityTypeIdentifierHeartRate</type><unit>count/min</unit></text>
                  <effectiveTime><low value="\(time)"/><high value="\(time)"/></effectiveTime>
                  <value xsi:type="PQ" value="\(heartRate.value)" unit="/min"/>
                 </observation>
                </component>

            """
    }

    var text: String {
        let vitals = """
            <component>
             <section>
              <code code="8716-3" codeSystem="2.16.840.1.113883.6.1" displayName="Vital signs"/>
              <entry typeCode="DRIV">
               <organizer classCode="CLUSTER" moodCode="EVN">
            \(observation)   </organizer>
              </entry>
             </section>
            </component>

            """
        return """
            <?xml version="1.0"?>
            <ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
             <realmCode code="US"/>
             <title>Health Data Export</title>
             <effectiveTime value="\(time(clock.exportSecond))"/>
            \(hasTwoRoots ? "</ClinicalDocument>\n" + vitals : vitals + "</ClinicalDocument>\n")
            """
    }
}
