import Dispatch
import Foundation
import HealthEngine
import HealthModel

/// Makes the lines of samples on all cores, a page at a time, and passes them on in the order of submission. Use it on
/// one thread, which waits while too many pages are in progress, so that memory use does not depend on their number.
final class LinePipeline {
    /// A page in progress. Jobs are used again together with their memory.
    // Unchecked: the writer belongs to one thread at a time; the semaphore passes it from the worker to the caller.
    private final class Job: @unchecked Sendable {
        var lines: SampleLineWriter
        let isDone = DispatchSemaphore(value: 0)

        init(timeZone: TimeZone) {
            lines = SampleLineWriter(timeZone: timeZone)
        }
    }

    private let parts: SampleLineParts
    private let timeZone: TimeZone
    private let queue = DispatchQueue(label: "export: lines", qos: .userInitiated, attributes: .concurrent)
    private let limit: Int
    private var jobs: [Job] = []
    private var free: [Job] = []

    init(_ parts: SampleLineParts, timeZone: TimeZone) {
        self.parts = parts
        self.timeZone = timeZone
        limit = ProcessInfo.processInfo.activeProcessorCount * 2
    }

    deinit {
        // A writer must not be released while another thread uses it.
        for job in jobs { job.isDone.wait() }
    }

    /// Writes all selected samples of a type and returns their number.
    /// - Parameter output: Receives the lines, a page at a time.
    func write(
        _ type: TypeDescription, of reading: StoreReader, in selection: ContentsSelection,
        to output: ([UInt8]) throws -> Void
    ) throws -> Int {
        let unit = try reading.tableUnit(of: type)
        var count = 0
        for page in try reading.pages(of: type.code, matching: selection.filter) {
            let rows = try reading.rows(of: page, columns: .all)
            guard !rows.starts.isEmpty else { continue }
            count += rows.starts.count
            try submit(rows, type, unit, output)
        }
        while !jobs.isEmpty { try writeNext(output) }
        return count
    }

    private func submit(
        _ rows: SampleColumns, _ type: TypeDescription, _ unit: TableUnit?, _ output: ([UInt8]) throws -> Void
    ) throws {
        if jobs.count >= limit { try writeNext(output) }
        let job = free.popLast() ?? Job(timeZone: timeZone)
        jobs.append(job)
        queue.async { [parts] in
            job.lines.write(rows, of: type, parts, in: unit)
            job.isDone.signal()
        }
    }

    /// Waits for the oldest page and passes its lines on.
    private func writeNext(_ output: ([UInt8]) throws -> Void) throws {
        let job = jobs.removeFirst()
        job.isDone.wait()
        try output(job.lines.bytes)
        job.lines.removeAll()
        free.append(job)
    }
}
