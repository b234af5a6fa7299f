import HealthEngine
import HealthModel

/// Totals of days and nights, which give way to finer samples of the same service: of the files that were read before, or
/// of the store, because the parts of a divided archive may be imported separately, in any order.
struct DayTotals {
    /// A type of a service.
    private struct Key: Hashable {
        let type: TypeCode
        /// How the identifiers of the service's sources begin.
        let service: String
    }

    private let context: ImportContext
    private let types: [String: Set<TypeCode>]
    /// The sources of services that the store had before the import.
    private let sources: [String: Set<String>]
    /// The hours of which the store has something finer.
    private var hours: [Key: Set<Int>] = [:]
    /// The types of which the import has something finer.
    private var detailed: Set<Key> = []

    /// The seconds from which on a stored sample is of a day: one has 23 hours when the clocks are changed.
    private static let shortest = 23 * 3_600.0

    init(_ context: ImportContext, _ formats: [FileFormat]) throws {
        self.context = context
        let known = formats.filter { !$0.dayTotals.isEmpty }.flatMap { format in
            format.sources.map { ($0, format.dayTotals) }
        }
        types = Dictionary(known, uniquingKeysWith: { $0.union($1) })
        sources = try Self.sources(of: context.engine, types.keys)
    }

    private static func sources(
        of engine: HealthEngine, _ services: some Sequence<String>
    ) throws -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for source in try engine.dictionaries().sources {
            guard let service = services.first(where: source.bundleIdentifier.hasPrefix) else { continue }
            found[service, default: []].insert(source.bundleIdentifier)
        }
        return found
    }

    /// Takes note of the finer samples of a content, and adds its totals that nothing finer covers to its samples.
    mutating func apply(to content: inout FileContent, _ format: FileFormat) throws {
        let coverage = context.coverage(of: format)
        for sample in content.samples { note(sample.type, sample.revision) }
        for series in content.series where series.count > 0 { note(series.type, series.origin.revision) }
        for sample in content.samples where content.coversTotals || format.dayTotals.contains(sample.type) {
            // That someone was in bed says nothing of how they slept.
            if sample.unit.isEmpty, sample.value == 0 { continue }
            coverage.add(sample.type, from: sample.start, to: sample.end, at: .exact)
        }
        var count = 0
        for total in content.totals {
            // One of a moment is of its day.
            let (start, end) = total.end > total.start ? (total.start, total.end) : day(of: total.start)
            let place = Coverage.place(start)
            let isKnown = coverage.minutes(total.type, hour: place.hour, at: .total) & place.minute != 0
            if try isKnown || coverage.has(total.type, from: start, to: end, before: .total)
                || isCovered(total, start, end)
            {
                count += 1
            } else {
                coverage.add(total.type, from: start, to: start, at: .total)
                content.samples.append(total)
            }
        }
        content.totals = []
        if count > 0 { content.leaveOut("total of a day of which there is more", count: count) }
    }

    private func day(of date: Double) -> (Double, Double) {
        guard let clock = context.clock(of: nil) else { return (date, date) }
        let day = clock.dayNumber(at: date)
        return (Double(clock.start(ofDay: day)), Double(clock.start(ofDay: day + 1)))
    }

    // MARK: - The store

    private func key(_ type: TypeCode, _ revision: SourceRevisionRecord?) -> Key? {
        guard let source = revision?.source.bundleIdentifier,
            let service = sources.keys.first(where: source.hasPrefix), types[service]?.contains(type) ?? false
        else { return nil }
        return Key(type: type, service: service)
    }

    private mutating func note(_ type: TypeCode, _ revision: SourceRevisionRecord?) {
        guard !sources.isEmpty, let key = key(type, revision) else { return }
        detailed.insert(key)
    }

    /// Whether the store has something finer of the time of a total.
    private mutating func isCovered(_ total: SampleRecord, _ start: Double, _ end: Double) throws -> Bool {
        guard let key = key(total.type, total.revision), let known = sources[key.service] else { return false }
        if hours[key] == nil { hours[key] = try finerHours(of: key.type, from: known) }
        return Self.range(start, end).contains { hours[key]?.contains($0) ?? false }
    }

    private static func range(_ start: Double, _ end: Double) -> ClosedRange<Int> {
        let first = Coverage.hour(start)
        return first...max(first, Coverage.hour(end - 1))
    }

    private func finerHours(of type: TypeCode, from sources: Set<String>) throws -> Set<Int> {
        let filter = SampleFilter.and([.source(sources), .duration(.lessThan, Self.shortest)])
        return try samples(of: type, filter).reduce(into: []) { hours, batch in
            for start in batch.starts { hours.insert(Coverage.hour(start)) }
        }
    }

    private func samples(of type: TypeCode, _ filter: SampleFilter) throws -> [SampleColumns] {
        let parts = [SampleRequest.Part(type: type, filter: filter)]
        return try context.engine.samples(SampleRequest(parts: parts, columns: [.starts, .ends]), as: .reader).batches
    }

    /// Removes the totals from the store of whose days the import has brought something finer.
    ///
    /// - Returns: Their number.
    func removeCovered() throws -> Int {
        guard !detailed.isEmpty else { return 0 }
        let now = try Self.sources(of: context.engine, types.keys)
        return try detailed.reduce(0) { count, key in
            guard let before = sources[key.service], let all = now[key.service] else { return count }
            let filter = SampleFilter.and([.source(before), .duration(.greaterThanOrEqual, Self.shortest)])
            let totals = try samples(of: key.type, filter).flatMap { zip($0.starts, $0.ends) }
            guard !totals.isEmpty else { return count }
            let hours = try finerHours(of: key.type, from: all)
            let covered = totals.filter { Self.range($0, $1).contains(where: hours.contains) }
            guard !covered.isEmpty else { return count }
            let days = covered.map { SampleFilter.and([.start(.equal, $0), .end(.equal, $1)]) }
            return try count
                + context.engine.deleteObjects(of: key.type, matching: .and([filter, .or(days)]), as: .reader)
        }
    }
}
