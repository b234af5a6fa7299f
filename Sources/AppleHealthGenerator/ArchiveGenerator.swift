import Foundation

/// Writes an Apple Health archive of a fictional person, for demos and benchmarks.
///
/// The archive has the peculiarities of real ones: steps counted by both watch and iPhone, years with daylight saving
/// changes, a single UTC offset for all dates, names with quotes, emoji and non-breaking spaces, changing device
/// pointers, metadata values with units, duplicated members of correlations, workouts with nested statistics, and a
/// document type definition with an internal subset.
///
/// With a ``GeneratorOptions/dialect`` it imitates that version of iOS, including its defects and the files beside the
/// main file.
public struct ArchiveGenerator: Sendable {
    /// The options of the archive.
    public let options: GeneratorOptions

    /// Creates a generator. The archive is generated while it is written.
    public init(options: GeneratorOptions) {
        self.options = options
    }

    /// Writes the main file piece by piece and returns the number of top-level `Record` elements.
    ///
    /// - Throws: Only what `output` throws.
    @discardableResult
    public func writeXML(to output: @escaping (UnsafeRawBufferPointer) throws -> Void) throws -> Int {
        try makeXML(to: output).records
    }

    /// Writes the main file piece by piece and returns its contents.
    ///
    /// - Throws: Only what `output` throws.
    public func makeXML(to output: @escaping (UnsafeRawBufferPointer) throws -> Void) throws -> GeneratedArchive {
        try write(to: GeneratorClosureOutput(output))
    }

    func write(to output: any GeneratorOutput) throws -> GeneratedArchive {
        if let dialect = options.dialect { return try writeDialect(dialect, to: output) }
        let clock = GeneratorClock(options)
        var buffer = GeneratorBuffer(
            clock: clock, style: ArchiveStyle(options), plan: options.scenario.map { ScenarioPlan($0, options, clock) }
        ) { try output.write($0) }
        try output.begin("export.xml")
        buffer.archive.files = ["export.xml"]
        let documentType = DialectDocumentType(ArchiveDialect(major: 17), isAsWritten: false)
        writeHead(documentType, locale: "en_US", hasMedications: true, to: &buffer)
        var journal = GeneratorJournal(options: options, clock: clock)
        try writeSamples(&journal, to: &buffer)
        if let plan = buffer.plan {
            for record in plan.records { record.writeElement(to: &buffer) }
        } else {
            try fill(clock: clock, to: &buffer)
        }
        try journal.writeCorrelations(to: &buffer)
        for workout in buffer.plan?.workouts ?? [] { workout.write(to: &buffer) }
        try GeneratorWorkouts(options: options, clock: clock).write(to: &buffer)
        try GeneratorSummaries(options: options, clock: clock).write(to: &buffer)
        buffer.text("</HealthData>\n")
        try buffer.flush()
        try output.finish()
        return buffer.archive
    }

    /// Writes continuous measurements, nights, and entries of the person.
    func writeSamples(_ journal: inout GeneratorJournal, to buffer: inout GeneratorBuffer) throws {
        let workouts = GeneratedWorkout.all(options, buffer.clock)
        for series in GeneratorSeries.all {
            try series.write(options: options, clock: buffer.clock, beside: workouts, to: &buffer)
        }
        for workout in workouts { try workout.writeRecords(density: options.density, to: &buffer) }
        try GeneratorSleep(options: options, clock: buffer.clock).write(to: &buffer)
        try journal.writeRecords(to: &buffer)
    }

    /// Adds respiratory rates, spread over the days, until the requested number of records is reached.
    func fill(clock: GeneratorClock, to buffer: inout GeneratorBuffer) throws {
        guard buffer.archive.records < options.records else { return }
        var random = GeneratorRandom(seed: options.seed, stream: "fill")
        let missing = options.records - buffer.archive.records
        let span = max(1, clock.dayStarts[clock.dayCount - 1] - clock.dayStarts[0])
        for index in 0..<missing {
            let start = clock.dayStarts[0] + Int(Double(span) * Double(index) / Double(missing))
            let record = GeneratorRecord(
                type: "HKQuantityTypeIdentifierRespiratoryRate", source: .watch, unit: "count/min", start: start,
                end: start, creation: start + random.integer(1...400),
                value: .number(random.integer(22...40) * 5, digits: 1))
            record.write(to: &buffer)
            try buffer.flushIfLarge()
        }
    }
}

extension ArchiveGenerator {
    /// Writes the archive to `path` and returns the number of `Record` elements.
    ///
    /// A name ending in `.xml` gives a single XML file, one ending in `.zip` a zip file like an iPhone's, any other a
    /// folder that contains `apple_health_export`. After an error, there is none of them.
    ///
    /// - Throws: Errors of the file system, with the path.
    @discardableResult
    public func write(toPath path: String) throws -> Int {
        try make(atPath: path).records
    }

    /// Writes the archive like ``write(toPath:)`` and returns its contents. For a single XML file, these do not include
    /// the contents of auxiliary files.
    ///
    /// - Throws: Errors of the file system.
    public func make(atPath path: String) throws -> GeneratedArchive {
        let url = URL(fileURLWithPath: path)
        let isFile = ["xml", "zip"].contains(url.pathExtension.lowercased())
        let target = isFile ? url : url.appendingPathComponent("apple_health_export", isDirectory: true)
        let files = FileManager.default
        // The first folder or file that doesn't exist yet.
        let new = [url, target].first { !files.fileExists(atPath: $0.path) }
        do {
            switch url.pathExtension.lowercased() {
            case "xml": return try write(to: GeneratorFileOutput(target))
            case "zip": return try write(to: GeneratorZipOutput(target))
            default: return try write(to: GeneratorFolderOutput(target))
            }
        } catch {
            // Half an archive would be taken for one.
            if let new { try? files.removeItem(at: new) }
            throw error
        }
    }
}

extension ArchiveGenerator {
    /// Writes the main file of a dialect's archive and the files beside it.
    func writeDialect(_ dialect: ArchiveDialect, to output: any GeneratorOutput) throws -> GeneratedArchive {
        let clock = GeneratorClock(options)
        let style = ArchiveStyle(options)
        var buffer = GeneratorBuffer(clock: clock, style: style) { try output.write($0) }
        func begin(_ path: String) throws {
            try buffer.flush()
            try output.begin(path)
            buffer.archive.files.append(path)
        }
        try begin(style.locale.mainFileName + ".xml")
        writeHead(
            DialectDocumentType(dialect, isAsWritten: options.hasDefects), locale: style.locale.identifier,
            hasMedications: dialect.hasCardioFitnessMedications, to: &buffer)
        var journal = GeneratorJournal(options: options, clock: clock)
        try writeSamples(&journal, to: &buffer)
        try DialectBeats(options: options, clock: clock, dialect: dialect).write(to: &buffer)
        try DialectDefects(options: options, clock: clock, dialect: dialect).write(to: &buffer)
        try fill(clock: clock, to: &buffer)
        try journal.writeCorrelations(to: &buffer)
        let routes = try DialectWorkouts(
            options: options, clock: clock, dialect: dialect, writesFiles: output.acceptsAuxiliaryFiles
        ).write(to: &buffer)
        if dialect.hasSummaries { try GeneratorSummaries(options: options, clock: clock).write(to: &buffer) }
        let documents = DialectDocuments(
            options: options, clock: clock, dialect: dialect, writesFiles: output.acceptsAuxiliaryFiles
        ).write(to: &buffer)
        buffer.text("</HealthData>\n")

        func writeAuxiliaryFiles() throws {
            try begin("export_cda.xml")
            buffer.text(
                GeneratedClinicalDocument(
                    clock: clock, hasTwoRoots: options.hasDefects, heartRate: buffer.lastHeartRate
                ).text)
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
        if output.acceptsAuxiliaryFiles { try writeAuxiliaryFiles() }
        try buffer.flush()
        try output.finish()
        return buffer.archive
    }

    /// Writes what precedes the samples: the document type, the date of the export and the person's characteristics.
    private func writeHead(
        _ documentType: DialectDocumentType, locale: String, hasMedications: Bool, to buffer: inout GeneratorBuffer
    ) {
        buffer.text(documentType.text)
        buffer.text("<HealthData locale=\"\(locale)\">\n <ExportDate")
        buffer.date("value", buffer.clock.exportSecond)
        let medications =
            hasMedications ? " HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse=\"None\"" : ""
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

/// The contents of a generated archive, with which the result of an import can be compared.
public struct GeneratedArchive: Hashable, Sendable {
    /// The number of top-level `Record` elements.
    public internal(set) var records = 0
    /// The number of samples and objects by type identifier after a complete import: members of correlations count
    /// once, equal records each.
    public internal(set) var contents: [String: Int] = [:]
    /// The number of points in all routes.
    public internal(set) var routePoints = 0
    /// The number of beats in all heart-rate variability lists.
    public internal(set) var beats = 0
    /// The number of voltages in all electrocardiograms.
    public internal(set) var voltages = 0
    /// The number of control characters that XML does not allow.
    public internal(set) var controlCharacters = 0
    /// The paths of all files in the archive, beginning with the main file.
    public internal(set) var files: [String] = []

    /// Creates empty contents.
    public init() {}

    mutating func count(_ identifier: String) {
        contents[identifier, default: 0] += 1
    }
}
