import Foundation
import HealthEngine
import HealthFiles
import HealthImport
import HealthModel
import HealthPages

/// Completes an archive's batches from its supplement on their way to the store.
///
/// Lines about elements of the main file are in its order, so both files are streamed together: a line waits
/// until the batch with its element arrives. Content that the main file lacks follows in separate batches.
/// A line that is damaged or does not match is counted and affects nothing else. Use it on one thread.
final class SupplementMerge: ArchiveSink {
    private enum Progress {
        case done, later, mismatched
    }

    private struct Waiting {
        var line: SupplementLine
        var bytes: Int
        /// The page of records, decoded once.
        var page: SampleColumns?
    }

    private let next: any ArchiveSink
    private let reader: SupplementReader?
    private let mainBytes: Int?
    private var tables = SourceTables()
    private var waiting: [Waiting] = []
    private var waitingBytes = 0
    /// The number of elements of each type in earlier batches.
    private var seen: [String: Int] = [:]
    /// The first line that is not about an element of the main file.
    private var firstRest: SupplementLine?
    private var isRead = false
    private var hasHeader = false
    private var hasEnd = false
    private var matchesMainFile = false
    /// Counts of what was left out, by description.
    private(set) var irregularities: [String: Int] = [:]

    /// The maximum number of lines read ahead: heartbeat series are interleaved with their records.
    private static let maximumWaiting = 64

    /// - Parameters:
    ///   - source: The supplement; `nil` for one that exists but cannot be opened, which is noted.
    ///   - mainBytes: The length of the main file, if known.
    ///   - next: The sink that receives the completed batches.
    init(source: (any ByteSource)?, mainBytes: Int?, next: any ArchiveSink) {
        reader = source.map { SupplementReader(source: $0) }
        self.mainBytes = mainBytes
        self.next = next
        guard source == nil else { return }
        (isRead, hasEnd) = (true, true)
        report("supplement that cannot be read, left out")
    }

    /// Returns a sink that completes batches for `next` from the supplement beside the main file; `nil` if there
    /// is no supplement.
    static func open(
        _ auxiliaryFiles: any AuxiliaryFiles, mainBytes: Int?, next: any ArchiveSink
    ) -> SupplementMerge? {
        do throws(AuxiliaryFileError) {
            let source = try auxiliaryFiles.source(of: "/" + SupplementLine.fileName, limit: .max)
            return SupplementMerge(source: source, mainBytes: mainBytes, next: next)
        } catch {
            return error.isMissing ? nil : SupplementMerge(source: nil, mainBytes: mainBytes, next: next)
        }
    }

    /// A Boolean value that indicates whether everything read so far was usable.
    var isIntact: Bool { irregularities.isEmpty }

    func readHeader(_ header: ArchiveHeader) throws { try next.readHeader(header) }

    func advance(bytes: Int, records: Int) { next.advance(bytes: bytes, records: records) }

    func append(_ batch: BulkBatch) throws {
        var batch = SupplementBatch(batch)
        var isMoving = true
        while isMoving {
            lookAhead()
            isMoving = false
            var rest: [Waiting] = []
            for var item in waiting {
                switch apply(&item, to: &batch) {
                case .later: rest.append(item)
                case .done: isMoving = true
                case .mismatched:
                    isMoving = true
                    report(Self.mismatched)
                }
            }
            waiting = rest
            waitingBytes = waiting.reduce(0) { $0 + $1.bytes }
        }
        seen.merge(batch.counts, uniquingKeysWith: +)
        try next.append(batch.finished())
    }

    /// Passes on everything that the main file lacks. Call this after the last batch.
    func finish() throws {
        for _ in waiting { report(Self.mismatched) }
        waiting = []
        while !isRead, firstRest == nil {
            lookAhead()
            for _ in waiting { report(Self.mismatched) }
            waiting = []
        }
        var rest = SupplementContent(tables: tables)
        if let line = firstRest { rest.append(line, bytes: 0) }
        while let (line, bytes) = nextLine() {
            rest.append(line, bytes: bytes)
            if rest.isFull { try next.append(rest.batch()) }
        }
        rest.end()
        if !rest.isEmpty { try next.append(rest.batch()) }
        for (text, count) in rest.irregularities { report(text, count) }
        if !hasEnd { report("missing end of the supplement, left out") }
    }

    // MARK: - Lines

    private static let damaged = "damaged line of the supplement, left out"
    private static let mismatched = "line of the supplement that does not match the main file, left out"

    private func report(_ text: String, _ count: Int = 1) {
        irregularities[text, default: 0] += count
    }

    /// Reads lines about the main file's elements until enough of them are waiting.
    private func lookAhead() {
        while firstRest == nil, waiting.count < Self.maximumWaiting, waitingBytes < SupplementText.maximumLineLength,
            let (line, bytes) = nextLine()
        {
            switch line {
            case .records, .object(_, .some, _, _, _, _, _, _, _):
                if matchesMainFile {
                    waiting.append(Waiting(line: line, bytes: bytes))
                    waitingBytes += bytes
                } else {
                    report(Self.mismatched)
                }
            default: firstRest = line
            }
        }
    }

    /// The next line about samples or objects; `nil` at the end.
    private func nextLine() -> (SupplementLine, Int)? {
        while !isRead {
            switch reader?.next() {
            case nil: isRead = true
            case .unreadable?:
                isRead = true
                report("rest of the supplement that cannot be read, left out")
            case .damaged?: report(Self.damaged)
            case .line(let line, let bytes)?:
                if case .supplement(let version, let mainBytes) = line {
                    hasHeader = version == SupplementLine.version
                    matchesMainFile = hasHeader && (self.mainBytes ?? mainBytes) == mainBytes
                    if !hasHeader {
                        isRead = true
                        hasEnd = true
                        report("supplement in an unsupported version, left out")
                    }
                } else if case .end = line {
                    hasEnd = true
                } else if !tables.record(line) {
                    return (line, bytes)
                }
            }
        }
        return nil
    }

    // MARK: - Elements

    private func apply(_ item: inout Waiting, to batch: inout SupplementBatch) -> Progress {
        switch item.line {
        case .records(let place, let record):
            let type = record.type
            let base = seen[type, default: 0]
            let count = batch.counts[type, default: 0]
            guard place >= 0, place < Int.max / 2 else { return .mismatched }
            guard place < base + count else { return .later }
            guard let page = item.page ?? (try? record.columns()) else { return .mismatched }
            item.page = page
            let end = place + page.starts.count
            guard end > base else { return .mismatched }
            let rows = max(place, base) - place..<min(end, base + count) - place
            guard batch.replace(from: rows.lowerBound + place - base, ofType: type, with: page, rows: rows, tables)
            else {
                return .mismatched
            }
            return end > base + count ? .later : .done
        case .object(let type, let place?, _, _, _, _, _, _, _):
            let base = seen[type, default: 0]
            guard place >= base else { return .mismatched }
            guard place - base < batch.counts[type, default: 0] else { return .later }
            guard let code = batch.code(type),
                let object = SupplementObject.read(item.line, type: code, tables, batch.code)
            else { return .mismatched }
            return batch.replace(at: place - base, ofType: type, with: object) ? .done : .mismatched
        default: return .mismatched
        }
    }
}
