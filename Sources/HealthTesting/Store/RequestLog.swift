import HealthKit
import Synchronization

/// Requests for permission that reached the person.
final class RequestLog: Sendable {
    private let requests = Mutex<[HKHealthStore.Configuration.AuthorizationRequest]>([])

    var all: [HKHealthStore.Configuration.AuthorizationRequest] { requests.withLock { $0 } }

    func add(_ request: HKHealthStore.Configuration.AuthorizationRequest) {
        requests.withLock { $0.append(request) }
    }
}
