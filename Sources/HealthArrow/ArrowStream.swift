package import COpenHealthKit
import Dispatch
import Foundation
import Synchronization

/// A source of a table: first its columns, then its batches.
package protocol ArrowSource: Sendable {
    /// Reads the table, and passes it on.
    func read(to output: any ArrowOutput) throws
}

/// Where a table is passed on to.
package protocol ArrowOutput {
    /// Takes the columns.
    func begin(_ fields: [ArrowField]) throws
    /// Takes a batch.
    func write(_ batch: ArrowBatch) throws
}

/// A batch of a table: a structure with the columns.
package struct ArrowBatch {
    let data: ArrowData

    init(_ columns: [ArrowColumn], count: Int) {
        data = ArrowData(count: count, nullCount: 0, buffers: [nil], children: columns.map { $0.finish() })
    }
}

/// Reads a table on a dedicated thread, at most one batch ahead of the consumer: a state of a store is open on one thread
/// and within one call only.
final class ArrowReader: ArrowOutput, Sendable {
    // Unchecked: what it contains is made by one thread, passed on once, and not changed by either afterwards.
    fileprivate enum Item: @unchecked Sendable {
        case fields([ArrowField])
        case batch(ArrowBatch)
        case failure(any Error)
        case end
    }

    private struct State {
        var item: Item?
        var isCancelled = false
    }

    private struct Cancellation: Error {}

    private let state = Mutex(State())
    private let isFree = DispatchSemaphore(value: 0)
    private let isFilled = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Starts reading.
    init(_ source: some ArrowSource) {
        isFree.signal()
        let thread = Thread { [self] in
            do {
                try source.read(to: self)
                try put(.end)
            } catch is Cancellation {
            } catch {
                try? put(.failure(error))
            }
            hasEnded.signal()
        }
        thread.name = "openhealthkit"
        thread.stackSize = 8 << 20
        thread.start()
    }

    func begin(_ fields: [ArrowField]) throws { try put(.fields(fields)) }
    func write(_ batch: ArrowBatch) throws { try put(.batch(batch)) }

    private func put(_ item: Item) throws {
        isFree.wait()
        let isCancelled = state.withLock { state in
            state.item = item
            return state.isCancelled
        }
        if isCancelled { throw Cancellation() }
        isFilled.signal()
    }

    /// Waits for what comes next. Nothing comes after the end or an error.
    fileprivate func next() throws -> Item {
        isFilled.wait()
        let item = state.withLock { state in
            defer { state.item = nil }
            return state.item
        }
        isFree.signal()
        if case .failure(let error) = item { throw error }
        return item ?? .end
    }

    /// Ends reading, and waits for the thread.
    func cancel() {
        state.withLock { $0.isCancelled = true }
        isFree.signal()
        hasEnded.wait()
    }
}

/// A stream of the C stream interface, which its consumer uses on one thread at a time.
package final class ArrowStream {
    private let reader: ArrowReader
    private let fields: [ArrowField]
    private let describe: (any Error) -> String
    private var hasEnded = false
    private var message: UnsafeMutablePointer<CChar>?

    /// Starts reading, and waits for the columns of the table.
    ///
    /// - Parameter describe: Describes an error in a sentence.
    /// - Throws: What reading throws before it has the columns.
    package init(_ source: some ArrowSource, describe: @escaping (any Error) -> String) throws {
        let reader = ArrowReader(source)
        do {
            guard case .fields(let fields) = try reader.next() else {
                preconditionFailure("A table begins with its columns.")
            }
            (self.reader, self.fields, self.describe) = (reader, fields, describe)
        } catch {
            reader.cancel()
            throw error
        }
    }

    deinit {
        reader.cancel()
        free(message)
    }

    /// Fills in a structure of the C stream interface, which owns the stream until the consumer releases it.
    package func export(to stream: UnsafeMutablePointer<ArrowArrayStream>) {
        stream.initialize(
            to: ArrowArrayStream(
                get_schema: { stream, schema in
                    guard let own = ArrowStream.of(stream), let schema else { return EINVAL }
                    ArrowField("", .structure(own.fields), isNullable: false).export(to: schema)
                    return 0
                },
                get_next: { stream, array in
                    guard let own = ArrowStream.of(stream), let array else { return EINVAL }
                    return own.next(array)
                },
                get_last_error: { stream in ArrowStream.of(stream)?.message.map { UnsafePointer($0) } },
                release: { stream in
                    guard let stream, let data = stream.pointee.private_data else { return }
                    Unmanaged<ArrowStream>.fromOpaque(data).release()
                    stream.pointee.private_data = nil
                    stream.pointee.release = nil
                }, private_data: Unmanaged.passRetained(self).toOpaque()))
    }

    private static func of(_ stream: UnsafeMutablePointer<ArrowArrayStream>?) -> ArrowStream? {
        stream?.pointee.private_data.map { Unmanaged<ArrowStream>.fromOpaque($0).takeUnretainedValue() }
    }

    private func next(_ array: UnsafeMutablePointer<ArrowArray>) -> Int32 {
        do {
            if !hasEnded, case .batch(let batch) = try reader.next() {
                batch.data.export(to: array)
            } else {
                hasEnded = true
                // The end of a stream is an array that is released already.
                array.initialize(to: ArrowArray())
            }
            return 0
        } catch {
            hasEnded = true
            free(message)
            message = strdup(describe(error))
            return EIO
        }
    }
}

extension ArrowData {
    /// Fills in a structure of the C data interface, which owns the values until the consumer releases it.
    fileprivate func export(to array: UnsafeMutablePointer<ArrowArray>) {
        let pointers = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: max(1, buffers.count))
        for (index, buffer) in buffers.enumerated() { pointers[index] = buffer.map { UnsafeRawPointer($0.start) } }
        let parts = UnsafeMutablePointer<UnsafeMutablePointer<ArrowArray>?>.allocate(capacity: max(1, children.count))
        for (index, child) in children.enumerated() { parts[index] = child.exported() }
        array.initialize(
            to: ArrowArray(
                length: Int64(count), null_count: Int64(nullCount), offset: 0, n_buffers: Int64(buffers.count),
                n_children: Int64(children.count), buffers: pointers, children: parts,
                dictionary: dictionary?.exported(),
                release: { array in
                    guard let array, let data = array.pointee.private_data else { return }
                    for index in 0..<Int(array.pointee.n_children) { ArrowData.free(array.pointee.children[index]) }
                    array.pointee.children.deallocate()
                    ArrowData.free(array.pointee.dictionary)
                    array.pointee.buffers.deallocate()
                    array.pointee.private_data = nil
                    array.pointee.release = nil
                    Unmanaged<ArrowData>.fromOpaque(data).release()
                }, private_data: Unmanaged.passRetained(self).toOpaque()))
    }

    private func exported() -> UnsafeMutablePointer<ArrowArray> {
        let array = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
        export(to: array)
        return array
    }

    /// Releases a structure, unless the consumer has taken it over, and frees its memory.
    private static func free(_ array: UnsafeMutablePointer<ArrowArray>?) {
        guard let array else { return }
        array.pointee.release?(array)
        array.deallocate()
    }
}
