import Synchronization

/// The values with which a handler was called, in order, for a test to await.
final class Calls<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation
    private let values = Mutex<[Value]>([])

    init() {
        (stream, continuation) = AsyncStream.makeStream(of: Value.self)
    }

    /// Takes one call.
    func add(_ value: Value) {
        values.withLock { $0.append(value) }
        continuation.yield(value)
    }

    /// All calls so far.
    var all: [Value] { values.withLock { $0 } }

    /// Waits for the next call. One test task at a time.
    func next() async -> Value {
        for await value in stream { return value }
        fatalError("the stream never ends")
    }
}
