import ArchiveTestSupport
import HealthFiles
import HealthModel

@testable import AppleHealthExport

/// The result of parsing a text.
struct Parsed {
    var samples: [PlainSample] = []
    var objects: [ObjectRecord] = []
    /// Objects that belong to one of them.
    var parts: [ObjectRecord] = []
    var identifiers: [TypeCode: String] = [:]
    var skips: [ImportReport.Skip] = []
    var skipped: [String: Int] = [:]
    var irregularities: [String: Int] = [:]
    var header = ArchiveHeader()
    var records = 0
    var error: ImportError?

    init(
        _ text: String, chunkSize: Int = 1 << 16, usesTemplates: Bool = true, batchSize: Int = 100_000,
        auxiliaryFiles: any AuxiliaryFiles = NoAuxiliaryFiles()
    ) {
        self.init(
            Array(text.utf8), chunkSize: chunkSize, usesTemplates: usesTemplates, batchSize: batchSize,
            auxiliaryFiles: auxiliaryFiles)
    }

    init(
        _ bytes: [UInt8], chunkSize: Int = 1 << 16, usesTemplates: Bool = true, batchSize: Int = 100_000,
        auxiliaryFiles: any AuxiliaryFiles = NoAuxiliaryFiles()
    ) {
        let sink = CollectingSink()
        var parser = ArchiveParser(
            source: MemorySource(bytes), auxiliaryFiles: auxiliaryFiles,
            options: .init(
                batchSize: batchSize, chunkSize: chunkSize, maximumReasons: 1_000, usesTemplates: usesTemplates),
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
        irregularities = parser.findings.irregularities
        header = parser.header
        records = parser.records
    }
}
