import Dispatch
import HealthModel
import HealthStorage
import Synchronization

/// Encodes many pages at once, on as many threads as the machine has.
enum ParallelEncoding {
    static func encode(_ columns: SampleColumns, pieces: [Range<Int>]) throws -> [StoredPage] {
        let slots = Mutex<[Result<StoredPage, any Error>?]>(
            Array(repeating: nil, count: pieces.count))
        DispatchQueue.concurrentPerform(iterations: pieces.count) { index in
            let page = Result { try StoredPage(encoding: columns, rows: pieces[index]) }
            slots.withLock { $0[index] = page }
        }
        return try slots.withLock { slots in
            try slots.map { slot in
                guard let slot else { preconditionFailure("every iteration fills its slot") }
                return try slot.get()
            }
        }
    }
}
