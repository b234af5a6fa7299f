import Foundation
public import HealthEngine
import HealthModel
import HealthPages
import HealthReading

/// Compares the clinical document of an archive (`export_cda.xml`) with a store.
///
/// The document repeats the vital signs of the main file in another form, written by other code of Apple's. An
/// observation without a sample in the store was lost, or belongs to another archive. Nothing is written.
public struct ArchiveCrossCheck: Sendable {
    private let engine: HealthEngine
    /// The number of observations that are compared at once.
    private let batchSize: Int

    /// Creates a check against the engine's store.
    public init(engine: HealthEngine) {
        self.init(engine: engine, batchSize: 65_536)
    }

    init(engine: HealthEngine, batchSize: Int) {
        self.engine = engine
        self.batchSize = batchSize
    }

    /// Looks up every observation of the clinical document at `path`: a zip file, its folder, or the document itself.
    ///
    /// - Throws: ``ImportError`` if there is no such document, the engine's errors if the store cannot be read. A
    ///   damaged document is not an error: its readable parts are compared.
    public func run(path: String) throws -> CrossCheckReport {
        let source = try Self.document(path)
        return try engine.readContents { contents in
            var reader = ClinicalDocumentReader(source: source)
            var report = CrossCheckReport()
            report.file = source.name
            var batch: [String: [ClinicalObservation]] = [:]
            var count = 0
            while let observation = reader.next() {
                batch[observation.type, default: []].append(observation)
                count += 1
                if count == batchSize {
                    try compare(batch, with: contents, &report)
                    batch = [:]
                    count = 0
                }
            }
            try compare(batch, with: contents, &report)
            report.unreadable = reader.unreadable
            report.isCutOff = reader.isCutOff
            return report
        }
    }

    // MARK: - The document

    private static let name = "export_cda.xml"
    /// The maximum size of a document; there are documents of 1.6 GB.
    private static let maximumDocumentSize = 1 << 36

    private static func document(_ path: String) throws -> any ByteSource {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
            let file = try FileByteSource(path: path)
            let head = try file.bytes(at: 0, count: ExportSignature.length)
            if String(decoding: head, as: UTF8.self).contains("<ClinicalDocument") { return file }
        }
        let archive = try ArchiveLocator.open(path)
        do {
            return try archive.auxiliaryFiles.source(of: "/" + name, limit: maximumDocumentSize)
        } catch {
            throw ImportError(
                .noExportInside, "The archive “\(path)” has no readable \(name); nothing was compared.")
        }
    }

    // MARK: - The comparison

    private func compare(
        _ batch: [String: [ClinicalObservation]], with contents: StoreContents, _ report: inout CrossCheckReport
    ) throws {
        for (identifier, observations) in batch {
            let found = try count(observations, of: identifier, in: contents)
            report.types[identifier, default: .init()].found += found
            report.types[identifier, default: .init()].missing += observations.count - found
        }
    }

    /// The number of observations that match a sample; each sample matches one observation.
    private func count(
        _ observations: [ClinicalObservation], of identifier: String, in contents: StoreContents
    ) throws -> Int {
        guard let type = contents.dictionaries.type(identifier: identifier), type.kind.isPaged,
            let first = observations.map(\.start).min(), let last = observations.map(\.start).max()
        else { return 0 }
        var open = Dictionary(grouping: observations, by: \.start)
        var found = 0
        try contents.visitPages(of: type.code, in: .init(since: first, until: last.nextUp)) { header, body in
            let rows = try PageReader(header: header, body: body).read([.starts, .ends, .values, .units])
            for row in rows.starts.indices {
                guard var candidates = open[rows.starts[row]] else { continue }
                let unit = contents.dictionaries.unit(rows.units[row])
                let match = candidates.firstIndex {
                    $0.end == rows.ends[row] && Self.areEqual($0.value, $0.unit, rows.values[row], unit)
                }
                guard let match else { continue }
                candidates.remove(at: match)
                open[rows.starts[row]] = candidates.isEmpty ? nil : candidates
                found += 1
            }
            return !open.isEmpty
        }
        return found
    }

    /// Whether values are equal, apart from rounding if the units differ.
    private static func areEqual(_ value: Double, _ unit: String, _ stored: Double, _ storedUnit: String) -> Bool {
        if unit == storedUnit || unit.isEmpty { return value == stored }
        guard let one = try? UnitExpression(parsing: unit), let other = try? UnitExpression(parsing: storedUnit),
            let convert = one.conversion(to: other)
        else { return false }
        return abs(convert(value) - stored) <= 1e-9 * max(1, abs(stored))
    }
}

/// The result of comparing an archive's clinical document with a store. It contains no health values.
public struct CrossCheckReport: Hashable, Sendable {
    /// The counts of one type's observations.
    public struct Count: Hashable, Sendable {
        /// Observations with a matching sample in the store.
        public var found = 0
        /// Observations without one.
        public var missing = 0

        /// Creates counts of zero.
        public init() {}
    }

    /// Counts by type identifier.
    public var types: [String: Count] = [:]
    /// The number of observations that could not be read.
    public var unreadable = 0
    /// Whether the document is incomplete or could not be read to its end.
    public var isCutOff = false
    /// The path of the document, with the entry in a zip file.
    public var file = ""

    /// Creates an empty report.
    public init() {}

    /// The number of observations with a matching sample, of all types.
    public var found: Int { types.values.reduce(0) { $0 + $1.found } }
    /// The number of observations without one, of all types.
    public var missing: Int { types.values.reduce(0) { $0 + $1.missing } }
}
