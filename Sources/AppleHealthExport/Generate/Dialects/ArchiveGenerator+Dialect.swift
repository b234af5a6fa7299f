extension ArchiveGenerator {
    /// Writes the main file of a dialect's archive and all that lies beside it.
    func writeDialect(_ dialect: ArchiveDialect, to output: any GeneratorOutput) throws -> GeneratedArchive {
        let clock = GeneratorClock(options)
        let voice = GeneratorVoice(options)
        var buffer = GeneratorBuffer(clock: clock, voice: voice) { try output.write($0) }
        func begin(_ path: String) throws {
            try buffer.flush()
            try output.begin(path)
            buffer.archive.files.append(path)
        }
        try begin(voice.locale.mainFileName + ".xml")
        writeHead(dialect, to: &buffer)
        var journal = GeneratorJournal(options: options, clock: clock)
        try writeSamples(&journal, to: &buffer)
        try DialectBeats(options: options, clock: clock, dialect: dialect).write(to: &buffer)
        try DialectOddities(options: options, clock: clock, dialect: dialect).write(to: &buffer)
        try fill(clock: clock, to: &buffer)
        try journal.writeCorrelations(to: &buffer)
        let routes = try DialectWorkouts(
            options: options, clock: clock, dialect: dialect, writesFiles: output.takesCompanions
        ).write(to: &buffer)
        if dialect.hasSummaries { try GeneratorSummaries(options: options, clock: clock).write(to: &buffer) }
        let documents = DialectDocuments(
            options: options, clock: clock, dialect: dialect, writesFiles: output.takesCompanions
        ).write(to: &buffer)
        buffer.text("</HealthData>\n")

        func writeCompanions() throws {
            try begin("export_cda.xml")
            buffer.text(GeneratedClinicalDocument(clock: clock, hasTwoRoots: options.hasDefects).text)
            for route in routes {
                try begin(String(route.path.dropFirst()))
                try GeneratorRoutes(clock: clock).writeFile(route, to: &buffer)
            }
            if dialect.hasElectrocardiograms {
                let writer = GeneratorElectrocardiograms(options: options, clock: clock)
                for recording in writer.recordings {
                    try begin(String(recording.path.dropFirst()))
                    buffer.archive.voltages += try writer.write(recording, to: &buffer)
                    buffer.archive.count("HKDataTypeIdentifierElectrocardiogram")
                }
            }
            for document in documents {
                try begin(String(document.path.dropFirst()))
                buffer.text(document.text)
            }
        }
        if output.takesCompanions { try writeCompanions() }
        try buffer.flush()
        try output.finish()
        return buffer.archive
    }

    private func writeHead(_ dialect: ArchiveDialect, to buffer: inout GeneratorBuffer) {
        buffer.text(DialectDocumentType(dialect, isAsWritten: options.hasDefects).text)
        buffer.text("<HealthData locale=\"\(buffer.voice.locale.identifier)\">\n <ExportDate")
        buffer.date("value", buffer.clock.exportSecond)
        let medications = dialect.hasCardioFitnessMedications ? " HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse=\"None\"" : ""
        buffer.text(
            """
            />
             <Me HKCharacteristicTypeIdentifierDateOfBirth="1987-05-04" \
            HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale" \
            HKCharacteristicTypeIdentifierBloodType="HKBloodTypeOPositive" \
            HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeIII"\(medications)/>

            """)
    }
}
