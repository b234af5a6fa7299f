import Foundation

/// Writes an Apple Health archive of a person who does not exist: demo data and benchmark input.
///
/// It has what real archives have: watch and telephone counting the same steps, years with
/// daylight-saving changes, one offset for all dates, names with quotes, emoji and non-breaking spaces,
/// device pointers that change, metadata with units inside, correlations whose members stand twice,
/// workouts with nested statistics, and a document type definition with internal subset.
///
/// With a ``GeneratorOptions/dialect`` it writes as that version of iOS does, with its mistakes and with
/// the files that lie beside the main one.
public struct ArchiveGenerator: Sendable {
    /// What kind of archive is made.
    public let options: GeneratorOptions

    /// Makes a generator; the archive is made while it is written.
    public init(options: GeneratorOptions) {
        self.options = options
    }

    /// Writes the main file piece by piece. Returns how many top-level `Record` elements there are.
    ///
    /// - Throws: only what `output` throws.
    @discardableResult
    public func writeXML(to output: @escaping (UnsafeRawBufferPointer) throws -> Void) throws -> Int {
        try makeXML(to: output).records
    }

    /// Writes the main file piece by piece and returns what it holds.
    ///
    /// - Throws: only what `output` throws.
    public func makeXML(to output: @escaping (UnsafeRawBufferPointer) throws -> Void) throws -> GeneratedArchive {
        try write(to: GeneratorClosureOutput(output))
    }

    func write(to output: any GeneratorOutput) throws -> GeneratedArchive {
        if let dialect = options.dialect { return try writeDialect(dialect, to: output) }
        let clock = GeneratorClock(options)
        var buffer = GeneratorBuffer(clock: clock, voice: GeneratorVoice(options)) { try output.write($0) }
        try output.begin("export.xml")
        buffer.archive.files = ["export.xml"]
        buffer.text(GeneratorPreamble.text)
        buffer.text("<HealthData locale=\"en_US\">\n <ExportDate")
        buffer.date("value", clock.exportSecond)
        buffer.text("/>\n")
        buffer.text(GeneratorPreamble.person)
        var journal = GeneratorJournal(options: options, clock: clock)
        try writeSamples(&journal, to: &buffer)
        try fill(clock: clock, to: &buffer)
        try journal.writeCorrelations(to: &buffer)
        try GeneratorWorkouts(options: options, clock: clock).write(to: &buffer)
        try GeneratorSummaries(options: options, clock: clock).write(to: &buffer)
        buffer.text("</HealthData>\n")
        try buffer.flush()
        try output.finish()
        return buffer.archive
    }

    /// Writes what is measured all the time, nights, and what a person notes.
    func writeSamples(_ journal: inout GeneratorJournal, to buffer: inout GeneratorBuffer) throws {
        for series in GeneratorSeries.all {
            try series.write(options: options, clock: buffer.clock, to: &buffer)
        }
        try GeneratorSleep(options: options, clock: buffer.clock).write(to: &buffer)
        try journal.writeRecords(to: &buffer)
    }

    /// Tops up with breathing rates spread over the days until the number asked for is reached.
    func fill(clock: GeneratorClock, to buffer: inout GeneratorBuffer) throws {
        guard buffer.archive.records < options.records else { return }
        var random = GeneratorRandom(seed: options.seed, stream: "fill")
        let missing = options.records - buffer.archive.records
        let span = max(1, clock.dayStarts[clock.dayCount - 1] - clock.dayStarts[0])
        for index in 0..<missing {
            let start = clock.dayStarts[0] + Int(Double(span) * Double(index) / Double(missing))
            let record = GeneratorRecord(
                type: "HKQuantityTypeIdentifierRespiratoryRate", source: .watch, unit: "count/min", start: start,
                end: start, creation: start + random.integer(1...400), value: .number(random.integer(22...40) * 5, digits: 1))
            record.write(to: &buffer)
            buffer.countRecord(record.type)
            try buffer.flushIfLarge()
        }
    }
}
