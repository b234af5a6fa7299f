import Dispatch
import HealthFiles
import Synchronization

/// Verifies the main file of a zip archive on another thread before anything of it is stored.
///
/// The checksum is at the end of the file, and what the file contains is only right if the checksum is. Inflating it
/// once more, beside the parser, takes less time than removing a million samples, and observers never see a wrong one.
final class ArchiveVerification: Sendable {
    private struct State {
        var isCancelled = false
        var result: Result<Void, any Error>?
    }

    private let state = Mutex(State())
    private let group = DispatchGroup()

    /// Begins to verify the entry that a stream reads.
    init(of stream: ZipEntryStream) {
        let verify = stream.verification
        DispatchQueue.global(qos: .userInitiated).async(group: group) { [self] in
            let result = Result { try verify { self.state.withLock { $0.isCancelled } } }
            state.withLock { $0.result = result }
        }
    }

    /// Whether the result is known.
    var isFinished: Bool { state.withLock { $0.result != nil } }

    /// Waits for the result and throws if the entry is damaged.
    func wait() throws {
        group.wait()
        try state.withLock { $0.result }?.get()
    }

    /// Stops the verification and waits until it has stopped.
    func cancel() {
        state.withLock { $0.isCancelled = true }
        group.wait()
    }
}

/// A zip archive's main file that ends where it is damaged.
final class TolerantByteSource: DerivedByteSource {
    let base: any ByteSource
    /// The damage of the file; `nil` as long as none has been found.
    private(set) var damage: ZipError?

    init(_ base: any ByteSource) {
        self.base = base
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard damage == nil else { return 0 }
        do {
            return try base.read(into: buffer)
        } catch let error as ZipError {
            damage = error
            return 0
        }
    }
}
