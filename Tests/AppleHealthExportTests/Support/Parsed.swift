import HealthModel

@testable import AppleHealthExport

/// What a parser makes of a text.
struct Parsed {
    var samples: [PlainSample] = []
    var objects: [ObjectRecord] = []
    /// Objects that belong to one of them.
    var parts: [ObjectRecord] = []
    var identifiers: [TypeCode: String] = [:]
    var skips: [ImportReport.Skip] = []
    var skipped: [String: Int] = [:]
    var notes: [String: Int] = [:]
    var header = ArchiveHeader()
    var records = 0
    var error: ImportError?

    init(
        _ text: String, chunkSize: Int = 1 << 16, usesTemplates: Bool = true, batchSize: Int = 100_000,
        companions: any CompanionFiles = NoCompanions()
    ) {
        self.init(
            Array(text.utf8), chunkSize: chunkSize, usesTemplates: usesTemplates, batchSize: batchSize,
            companions: companions)
    }

    init(
        _ bytes: [UInt8], chunkSize: Int = 1 << 16, usesTemplates: Bool = true, batchSize: Int = 100_000,
        companions: any CompanionFiles = NoCompanions()
    ) {
        let sink = CollectingSink()
        var parser = ArchiveParser(
            source: MemorySource(bytes), companions: companions,
            options: .init(
                batchSize: batchSize, chunkSize: chunkSize, reasonsKept: 1_000, usesTemplates: usesTemplates),
            sink: sink)
        do {
            try parser.run()
        } catch {
            self.error = error as? ImportError
        }
        samples = sink.samples
        objects = sink.objects
        parts = sink.parts
        identifiers = sink.identifiers
        skips = parser.findings.skips
        skipped = parser.findings.skipped
        notes = parser.findings.notes
        header = parser.header
        records = parser.records
    }
}
