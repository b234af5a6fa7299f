import HealthFiles
import Synchronization

@testable import AppleHealthExport

/// Gathers what a progress handler hears.
final class Seen: Sendable {
    private let list = Mutex<[ImportProgress]>([])

    var all: [ImportProgress] { list.withLock { $0 } }

    func add(_ progress: ImportProgress) {
        list.withLock { $0.append(progress) }
    }
}
