/// Audiograms, prescriptions and clinical records.
struct DialectDocuments {
    let options: GeneratorOptions
    let clock: GeneratorClock
    let dialect: ArchiveDialect
    /// Whether clinical records get the files they name, which alone say what kind of observation one is.
    let writesFiles: Bool

    /// A file beside the main one, small enough to be held as text.
    struct File {
        var path: String
        var text: String
    }

    /// Writes the elements and returns the files they name.
    func write(to buffer: inout GeneratorBuffer) -> [File] {
        writeAudiograms(to: &buffer)
        var files = writePrescriptions(to: &buffer)
        if dialect.hasClinicalRecords {
            for resource in GeneratedResource.all(options: options, clock: clock, dialect: dialect) {
                let path = "/clinical-records/\(resource.kind)-\(resource.uuid).json"
                buffer.text(
                    " <ClinicalRecord type=\"\(resource.kind)\" identifier=\"\(resource.identifier)\" sourceName=\"Harbour Clinic &amp; Sons\" sourceURL=\"https://fhir.harbour-clinic.example/api/\" fhirVersion=\"\(resource.fhirVersion)\"")
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
            buffer.date("creationDate", min(start + 301, clock.exportSecond))
            buffer.date("startDate", start)
            buffer.date("endDate", start + 300)
            buffer.text(">\n  <MetadataEntry key=\"HKExternalUUID\" value=\"audiogram \(day)\"/>\n")
            for (index, frequency) in [250, 500, 1_000, 2_000, 4_000, 8_000].enumerated() {
                buffer.text("  <SensitivityPoint frequencyValue=\"\(frequency)\" frequencyUnit=\"Hz\" leftEarValue=\"\(10 + 3 * index + day % 4)\" leftEarUnit=\"dBHL\"")
                if dialect.hasHearingTest {
                    buffer.text(" leftEarMasked=\"\(index % 2)\" leftEarClampingRangeLowerBound=\"-10\" leftEarClampingRangeUpperBound=\"85\"")
                }
                // One ear may be missing at a frequency.
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
                buffer.text("  <\(eye) sphere=\"-\(1 + index).25\" sphereUnit=\"D\" cylinder=\"-0.5\" cylinderUnit=\"D\" axis=\"\(eye == "RightEye" ? 90 : 85)\" axisUnit=\"deg\"")
                buffer.text(
                    isContacts
                        ? " baseCurve=\"8.6\" baseCurveUnit=\"mm\" diameter=\"14.2\" diameterUnit=\"mm\"/>\n"
                        : " add=\"1.5\" addUnit=\"D\" vertex=\"12\" vertexUnit=\"mm\" prismAmount=\"0.5\" prismAmountUnit=\"pD\" prismAngle=\"90\" prismAngleUnit=\"deg\" farPD=\"31.5\" farPDUnit=\"mm\" nearPD=\"30\" nearPDUnit=\"mm\"/>\n")
            }
            if dialect.hasAttachments, !isContacts {
                let identifier = random.uuid()
                buffer.text("  <Attachment identifier=\"\(identifier)\"/>\n")
                files.append(
                    File(path: "/attachments/\(identifier).pdf", text: "%PDF-1.4\n% a prescription of nobody\n%%EOF\n"))
            }
            buffer.text("  <MetadataEntry key=\"HKExternalUUID\" value=\"prescription \(index)\"/>\n </VisionPrescription>\n")
            buffer.archive.count("HKVisionPrescriptionTypeIdentifier")
        }
        return files
    }
}
