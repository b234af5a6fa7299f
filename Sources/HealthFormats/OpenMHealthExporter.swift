import Foundation
package import HealthEngine
import HealthJSON
import HealthModel
import HealthStorage
import HealthStorageFiles

/// Exports a store as data points of Open mHealth and IEEE 1752.1: one JSON array, whose elements have a header with
/// schema, modality and time, and a body.
///
/// What their schemas describe is written: measurements, blood pressures, workouts and nights. Everything else is left out
/// and counted.
package struct OpenMHealthExporter {
    private let options: FormatOptions

    package init(_ options: FormatOptions) {
        self.options = options
    }

    /// Writes the file, atomically, or “-” for standard output.
    ///
    /// - Throws: ``FormatError`` if the target can't be written, and storage errors.
    package func export(_ engine: HealthEngine, to path: String, as caller: Caller) throws -> FormatReport {
        try options.write(to: path, as: .file) { target in
            try engine.withReader(as: caller) { reading in
                var run = OpenMHealthRun(reading, options, try OutputFile(target))
                try run.run()
                return run.report
            }
        }
    }
}

/// The state of one export.
private struct OpenMHealthRun {
    private let reading: StoreReader
    private let selection: ContentsSelection
    private let writer: OpenMHealthWriter
    private let file: OutputFile
    private var isEmpty = true
    private(set) var report = FormatReport()

    private static let pressure = "HKCorrelationTypeIdentifierBloodPressure"
    private static let sleep = "HKCategoryTypeIdentifierSleepAnalysis"

    init(_ reading: StoreReader, _ options: FormatOptions, _ file: OutputFile) {
        (self.reading, self.file, selection) = (reading, file, options.selection)
        writer = OpenMHealthWriter(identities: reading.identities, clock: LocalClock(timeZone: options.timeZone))
    }

    mutating func run() throws {
        try file.write(Array("[".utf8))
        for type in try reading.types() where selection.includes(type.code) {
            if type.kind.isPaged {
                try samples(type)
            } else if type.kind != .characteristic, type.kind != .activitySummary {
                for place in try reading.objects(of: type.code) where selection.includes(start: place.start) {
                    try object(place, type)
                }
            }
        }
        try file.write(Array("\n]\n".utf8))
        try file.finish()
        report.files = 1
    }

    private mutating func samples(_ type: TypeDescription) throws {
        // The samples of a blood pressure are in its document.
        if type.identifier.hasPrefix("HKQuantityTypeIdentifierBloodPressure") { return try pressureParts(type) }
        let isSleep = type.identifier == Self.sleep
        guard isSleep || OpenMHealthSchema.quantities[type.identifier] != nil else {
            return try visit(type) { run, _ in run.report.leaveOut(type.shortName, 1) }
        }
        var nights: [SourceRecord?: SleepEpisodes] = [:]
        try visit(type) { run, sample in
            guard isSleep else { return try run.add(run.writer.point(sample, of: type), type) }
            if sample.value == 0 { return try run.add(run.writer.timeInBed(sample), type) }
            let ended = nights[sample.revision?.source, default: SleepEpisodes()].add(sample)
            if let ended { try run.add(run.writer.point(ended), type) }
        }
        let last = nights.values.compactMap(\.open).sorted { $0.start < $1.start }
        for episode in last { try add(writer.point(episode), type) }
    }

    /// Counts those that belong to no blood pressure.
    private mutating func pressureParts(_ type: TypeDescription) throws {
        var members: Set<Int64> = []
        for correlation in try reading.types() where correlation.identifier == Self.pressure {
            for place in try reading.objects(of: correlation.code) {
                members.formUnion(try reading.members(of: place.sequence).map(\.sequence))
            }
        }
        try visit(type) { run, sample in
            if !members.contains(sample.sequence) { run.report.leaveOut(type.shortName, 1) }
        }
    }

    /// Visits the selected samples in ascending order of their start.
    private mutating func visit(
        _ type: TypeDescription, _ body: (inout OpenMHealthRun, SampleRecord) throws -> Void
    ) throws {
        for page in try reading.pages(of: type.code, matching: selection.filter) {
            let rows = try reading.rows(of: page, columns: .all)
            for row in 0..<rows.count {
                try body(
                    &self, rows.record(at: row, dictionaries: reading.dictionaries, identities: reading.identities))
            }
        }
    }

    private mutating func object(_ place: ObjectOutline, _ type: TypeDescription) throws {
        guard let found = try reading.object(place.sequence) else { return report.leaveOut(type.shortName, 1) }
        var filled = [found]
        if type.identifier == Self.pressure { try reading.fillMembers(of: &filled) }
        if case .workout(let workout) = found.body {
            try add(writer.point(found, workout), type)
        } else if type.identifier == Self.pressure,
            let point = writer.bloodPressure(filled[0], dictionaries: reading.dictionaries)
        {
            try add(point, type)
        } else {
            report.leaveOut(type.shortName, 1)
        }
    }

    private mutating func add(_ point: JSONText?, _ type: TypeDescription) throws {
        guard let point else { return report.leaveOut(type.shortName, 1) }
        try file.write(Array((isEmpty ? "\n" : ",\n").utf8) + point.bytes)
        isEmpty = false
        report.add(type.shortName)
    }
}
