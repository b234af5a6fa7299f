import Dispatch
public import Foundation
import HealthEngine
import HealthModel
import Synchronization

/// Computes the answer to a request about a cohort: reads people in parallel, each through the engine.
///
/// Memory is bounded by the number of figures kept at a time: for long ranges of many people, the people are read
/// several times, for one part of the intervals each.
public struct CohortRun: Sendable {
    private let request: CohortRequest
    private let people: [String]
    private let stores: any CohortStores
    /// The number of people read at the same time.
    public var workers = max(ProcessInfo.processInfo.activeProcessorCount, 1)
    /// The number of figures kept in memory at the same time, of 8 bytes each.
    public var maximumFigures = 8_000_000
    /// The file that records what was read, so that an interrupted run continues from there; `nil` for none.
    public var progressFile: URL?

    /// Creates a run over people, each of whom counts once.
    public init(_ request: CohortRequest, people: [String], stores: any CohortStores) {
        self.request = request
        var seen: Set<String> = []
        self.people = people.filter { seen.insert($0).inserted }
        self.stores = stores
    }

    /// Reads the people and returns the answer. The progress file is removed at the end.
    ///
    /// - Parameter progress: Called from the reading threads, one at a time, with the number of people read and to read
    ///   (people count once for every part of the range). Returning `false` cancels the run.
    /// - Throws: `CancellationError`; ``CohortError`` for a progress file of another request or one that can't be
    ///   written; the errors of finding people. A person whose store can't be read is reported in the answer.
    public func answer(
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Bool = { _, _ in true }
    ) throws -> CohortAnswer {
        guard request.intervalCount > 0 else {
            return CohortAnswer(rows: [], withheldIntervals: 0, people: people.count, failures: [])
        }
        let perPart = max(1, maximumFigures / max(people.count, 1))
        let parts = stride(from: 0, to: request.intervalCount, by: perPart).map {
            $0..<min($0 + perPart, request.intervalCount)
        }
        let file = try progressFile.map {
            try CohortProgressFile($0, request: request, people: people, parts: parts.count)
        }
        let places = Dictionary(people.enumerated().map { ($1, $0) }) { first, _ in first }
        let batches = try stores.batches(of: people)
        let found = Set(batches.joined())
        // Those who aren't found are read alone, which says why.
        let all = batches + people.filter { !found.contains($0) }.map { [$0] }
        var failures: [Int: CohortFailure] = [:]
        var rows: [CohortRow] = []
        var withheld = 0
        for (part, intervals) in parts.enumerated() {
            let reading = PartReading(intervalCount: intervals.count, known: file?.figures(ofPart: part) ?? [:])
            try read(all.map { $0.compactMap { places[$0] } }, intervals, part: part, into: reading, file) { done in
                progress(part * people.count + done, parts.count * people.count)
            }
            let (figures, failed) = reading.result
            failures.merge(failed) { first, _ in first }
            for (interval, figures) in zip(intervals, figures) where !figures.isEmpty {
                if figures.count >= request.minimumPeople {
                    rows.append(CohortRow(figures, of: interval, in: request))
                } else {
                    withheld += 1
                }
            }
        }
        try file?.remove()
        return CohortAnswer(
            rows: rows, withheldIntervals: withheld, people: people.count,
            failures: failures.sorted { $0.key < $1.key }.map(\.value))
    }

    private func read(
        _ batches: [[Int]], _ intervals: Range<Int>, part: Int, into reading: PartReading, _ file: CohortProgressFile?,
        _ progress: @escaping @Sendable (Int) -> Bool
    ) throws {
        let request = request.part(intervals)
        let next = Mutex(0)
        let stopped = Mutex<(any Error)?>(nil)
        @Sendable func finish(_ person: Int, _ record: () throws -> Void) {
            do {
                // What was read when another thread stopped is recorded, too.
                try record()
                guard stopped.withLock({ $0 == nil }) else { return }
                guard reading.finish(progress) else { throw CancellationError() }
            } catch {
                stopped.withLock { $0 = $0 ?? error }
            }
        }
        DispatchQueue.concurrentPerform(iterations: min(workers, max(batches.count, 1))) { _ in
            while stopped.withLock({ $0 == nil }) {
                let index = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                guard index < batches.count else { return }
                for person in batches[index] where reading.isKnown(person) { finish(person) {} }
                let unread = batches[index].filter { !reading.isKnown($0) }
                guard !unread.isEmpty else { continue }
                stores.read(unread.map { people[$0] }, for: request) { place, engine in
                    let figures = try request.figures(of: engine)
                    finish(unread[place]) {
                        try file?.append(figures, ofPerson: unread[place], part: part)
                        reading.add(figures)
                    }
                } failed: { place, error in
                    let person = unread[place]
                    finish(person) {
                        reading.fail(
                            person, CohortFailure(person: people[person], reason: String(describing: error)))
                    }
                }
            }
        }
        if let error = stopped.withLock({ $0 }) { throw error }
    }
}

/// The figure of a person in an interval.
struct CohortFigure: Hashable, Sendable {
    var interval: Int
    var value: Double
}

/// The results of reading one part of the range.
private final class PartReading: Sendable {
    private struct State {
        var figures: [[Double]]
        var failures: [Int: CohortFailure] = [:]
        var done = 0
    }

    private let known: Set<Int>
    private let state: Mutex<State>
    /// Held while progress is reported, so that reports come one at a time and in order.
    private let reporting = Mutex(())

    init(intervalCount: Int, known: [Int: [CohortFigure]]) {
        self.known = Set(known.keys)
        var figures = [[Double]](repeating: [], count: intervalCount)
        for figure in known.values.joined() where figures.indices.contains(figure.interval) {
            figures[figure.interval].append(figure.value)
        }
        state = Mutex(State(figures: figures))
    }

    func isKnown(_ person: Int) -> Bool { known.contains(person) }

    func add(_ figures: [CohortFigure]) {
        state.withLock { state in
            for figure in figures { state.figures[figure.interval].append(figure.value) }
        }
    }

    func fail(_ person: Int, _ failure: CohortFailure) {
        state.withLock { $0.failures[person] = failure }
    }

    /// Counts a person and reports the number of those counted.
    func finish(_ report: (Int) -> Bool) -> Bool {
        reporting.withLock { _ in
            let done = state.withLock { state in
                state.done += 1
                return state.done
            }
            return report(done)
        }
    }

    var result: ([[Double]], [Int: CohortFailure]) { state.withLock { ($0.figures, $0.failures) } }
}

extension CohortRequest {
    /// Returns the same request for some of its intervals.
    fileprivate func part(_ intervals: Range<Int>) -> CohortRequest {
        var part = self
        part.bounds = Array(bounds[intervals.lowerBound...intervals.upperBound])
        return part
    }

    /// Returns a person's figures, without the intervals that have none.
    func figures(of engine: HealthEngine) throws -> [CohortFigure] {
        let (start, end) = (bounds[0], bounds[bounds.count - 1])
        let (options, path): (StatisticsOptions, KeyPath<StatisticsValues, Double?>) =
            switch figure {
            case .sum: (.cumulativeSum, \.sum)
            case .average: (.discreteAverage, \.average)
            case .minimum: (.discreteMin, \.minimum)
            case .maximum: (.discreteMax, \.maximum)
            case .duration: (.duration, \.duration)
            }
        let buckets = try engine.statistics(
            StatisticsRequest(
                type: type.code, filter: .and([.start(.lessThan, end), .end(.greaterThanOrEqual, start)]),
                options: options, buckets: .instants(bounds)), as: .reader)
        var interval = 0
        return buckets.compactMap { bucket in
            while interval < intervalCount, bounds[interval] < bucket.start { interval += 1 }
            // A sum of values without bounds can't be compared.
            guard let value = bucket.values[keyPath: path], value.isFinite else { return nil }
            return CohortFigure(interval: interval, value: conversion(value))
        }
    }
}
