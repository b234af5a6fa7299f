import Foundation
import HealthEngine
import HealthModel
import HealthPages

/// Completes an archive's batches from its supplement on their way to the store.
///
/// Lines about elements of the main file come in its order, so both are read at once, and neither is ever in
/// memory as a whole: a line waits until the batch comes that has its element. What the main file does not
/// have follows in batches of its own. A line that is damaged or does not fit is counted, and nothing else is
/// affected by it. Used by one thread.
final class SupplementMerge: ArchiveSink {
    private enum Progress {
        case done, later, unfit
    }

    private struct Waiting {
        var line: SupplementLine
        var bytes: Int
        /// The page of records, decoded once.
        var page: SampleColumns?
    }

    private let next: any ArchiveSink
    private let reader: SupplementReader
    private let mainBytes: Int?
    private var nouns = SupplementNouns()
    private var waiting: [Waiting] = []
    private var waitingBytes = 0
    /// How many elements of each type earlier batches had.
    private var seen: [String: Int] = [:]
    /// The first line that completes nothing of the main file.
    private var firstRest: SupplementLine?
    private var isRead = false
    private var hasHeader = false
    private var hasEnd = false
    private var fitsMainFile = false
    /// What was out of the ordinary, by description, with counts.
    private(set) var notes: [String: Int] = [:]

    /// Lines looked ahead at: series of heartbeats stand between the records they belong to.
    private static let greatestWaiting = 64

    /// - Parameters:
    ///   - mainBytes: How many bytes the main file has, where that is known.
    ///   - next: Where the batches go.
    init(source: any ByteSource, mainBytes: Int?, next: any ArchiveSink) {
        reader = SupplementReader(source: source)
        self.mainBytes = mainBytes
        self.next = next
    }

    /// Completes what comes to `next` from the supplement beside the main file; `nil` where there is none.
    static func open(
        _ companions: any CompanionFiles, mainBytes: Int?, next: any ArchiveSink
    ) -> SupplementMerge? {
        guard let source = try? companions.source(of: "/" + SupplementLine.fileName, limit: .max) else { return nil }
        return SupplementMerge(source: source, mainBytes: mainBytes, next: next)
    }

    func meet(_ header: ArchiveHeader) throws { try next.meet(header) }

    func advance(bytes: Int, records: Int) { next.advance(bytes: bytes, records: records) }

    func take(_ batch: BulkBatch) throws {
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
                case .unfit:
                    isMoving = true
                    note(Self.unfit)
                }
            }
            waiting = rest
            waitingBytes = waiting.reduce(0) { $0 + $1.bytes }
        }
        seen.merge(batch.counts, uniquingKeysWith: +)
        try next.take(batch.finished())
    }

    /// Hands over all that the main file does not have; the last batch has been taken.
    func finish() throws {
        for _ in waiting { note(Self.unfit) }
        waiting = []
        while !isRead, firstRest == nil {
            lookAhead()
            for _ in waiting { note(Self.unfit) }
            waiting = []
        }
        var rest = SupplementRest(nouns: nouns)
        if let line = firstRest { rest.take(line, bytes: 0) }
        while let (line, bytes) = nextLine() {
            rest.take(line, bytes: bytes)
            if rest.isFull { try next.take(rest.batch()) }
        }
        rest.end()
        if !rest.isEmpty { try next.take(rest.batch()) }
        for (text, count) in rest.notes { note(text, count) }
        if !hasEnd { note("end of the supplement that is missing, left out") }
    }

    // MARK: Lines

    private static let damaged = "line of the supplement that is damaged, left out"
    private static let unfit = "line of the supplement that does not fit the main file, left out"

    private func note(_ text: String, _ count: Int = 1) {
        notes[text, default: 0] += count
    }

    /// Reads lines about the main file's elements until enough of them wait.
    private func lookAhead() {
        while firstRest == nil, waiting.count < Self.greatestWaiting, waitingBytes < SupplementText.longestLine,
            let (line, bytes) = nextLine()
        {
            switch line {
            case .records, .object(_, .some, _, _, _, _, _, _, _):
                if fitsMainFile {
                    waiting.append(Waiting(line: line, bytes: bytes))
                    waitingBytes += bytes
                } else {
                    note(Self.unfit)
                }
            default: firstRest = line
            }
        }
    }

    /// The next line that is about samples or objects; `nil` at the end.
    private func nextLine() -> (SupplementLine, Int)? {
        while !isRead {
            switch reader.next() {
            case nil: isRead = true
            case .unreadable?:
                isRead = true
                note("rest of the supplement that cannot be read, left out")
            case .damaged?: note(Self.damaged)
            case .line(let line, let bytes)?:
                if case .supplement(let version, let mainBytes) = line {
                    hasHeader = version == SupplementLine.version
                    fitsMainFile = hasHeader && (self.mainBytes ?? mainBytes) == mainBytes
                    if !hasHeader {
                        isRead = true
                        hasEnd = true
                        note("supplement of another version, left out")
                    }
                } else if case .end = line {
                    hasEnd = true
                } else if !nouns.take(line) {
                    return (line, bytes)
                }
            }
        }
        return nil
    }

    // MARK: Elements

    private func apply(_ item: inout Waiting, to batch: inout SupplementBatch) -> Progress {
        switch item.line {
        case .records(let place, let told):
            let base = seen[told.type, default: 0]
            let count = batch.counts[told.type, default: 0]
            guard place >= 0, place < Int.max / 2 else { return .unfit }
            guard place < base + count else { return .later }
            let page: SampleColumns
            if let known = item.page {
                page = known
            } else {
                guard let columns = try? told.columns() else { return .unfit }
                page = columns
                item.page = columns
            }
            let end = place + page.starts.count
            guard end > base else { return .unfit }
            let rows = max(place, base) - place..<min(end, base + count) - place
            guard batch.replace(from: rows.lowerBound + place - base, ofType: told.type, with: page, rows: rows, nouns) else {
                return .unfit
            }
            return end > base + count ? .later : .done
        case .object(let type, let place?, _, _, _, _, _, _, _):
            let base = seen[type, default: 0]
            guard place >= base else { return .unfit }
            guard place - base < batch.counts[type, default: 0] else { return .later }
            guard let code = batch.code(type), let object = SupplementObject.read(item.line, type: code, nouns, batch.code)
            else { return .unfit }
            return batch.replace(at: place - base, ofType: type, with: object) ? .done : .unfit
        default: return .unfit
        }
    }
}
