import HTTPTypes
import HealthJSON
import Hummingbird
import NIOCore

/// The body of an ingest request: in memory if it is small, else in a private temporary file.
enum IngestBody {
    /// The size of a body that stays in memory, in bytes.
    static let maximumInMemory = 1 << 20

    /// Receives a body. A connection that breaks before its end throws, so nothing of the body is used.
    ///
    /// - Throws: ``Problem`` `bodyTooLarge`; storage errors.
    static func receive(_ request: Request, _ context: PersonRequestContext) async throws -> JSONSource {
        let limit = context.core.configuration.limits.uploadBytes
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw Problem(.bodyTooLarge, "The body has \(length) bytes. At most \(limit) are accepted.")
        }
        var memory: [UInt8] = []
        var file: TemporaryFile?
        var written = 0
        let (pool, person) = (context.pool, context.person)
        for try await chunk in request.body {
            memory.append(contentsOf: chunk.readableBytesView)
            guard written + memory.count <= limit else {
                throw Problem(.bodyTooLarge, "The body has more than \(limit) bytes.")
            }
            guard memory.count > maximumInMemory else { continue }
            let (bytes, offset, open) = (memory, written, file)
            file = try await pool.run {
                let target = try open ?? TemporaryFile(in: person.makeWorkFolder())
                try bytes.withUnsafeBytes { try target.write($0, at: offset) }
                return target
            }
            written += memory.count
            memory.removeAll(keepingCapacity: true)
        }
        guard let file else { return .bytes(memory) }
        if !memory.isEmpty {
            let (bytes, offset) = (memory, written)
            try await pool.run { try bytes.withUnsafeBytes { try file.write($0, at: offset) } }
        }
        return .reading { try file.read(at: $0, into: $1) }
    }
}

/// Serializes the requests that work on a person, in the order of arrival, without blocking a thread.
actor PersonQueue {
    private var busy: Set<String> = []
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    /// Runs work when it is the person's turn.
    func run<Value: Sendable>(_ person: String, _ work: @Sendable () async throws -> Value) async rethrows -> Value {
        if busy.contains(person) {
            await withCheckedContinuation { waiting[person, default: []].append($0) }
        } else {
            busy.insert(person)
        }
        defer { pass(person) }
        return try await work()
    }

    private func pass(_ person: String) {
        if var queue = waiting[person], !queue.isEmpty {
            let next = queue.removeFirst()
            waiting[person] = queue.isEmpty ? nil : queue
            next.resume()
        } else {
            busy.remove(person)
        }
    }
}
