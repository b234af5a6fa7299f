import Metrics
import Foundation
import Synchronization

/// The figures of a server. Labels are methods, templates of routes and statuses, never people or queries.
final class ServerMetrics: Sendable {
    /// Where the values are kept.
    let registry = PrometheusRegistry()

    private struct Key: Hashable {
        var method: String
        var route: String
        var status: Int
    }

    private struct RouteKey: Hashable {
        var method: String
        var route: String
    }

    private let counters = Mutex<[Key: Counter]>([:])
    private let timers = Mutex<[RouteKey: Metrics.Timer]>([:])
    private let active = Atomic<Int>(0)

    /// Counts a request that begins.
    func begin() {
        active.add(1, ordering: .relaxed)
    }

    /// Counts a request whose response is ready.
    func end(method: String, route: String, status: Int, duration: Duration) {
        active.subtract(1, ordering: .relaxed)
        let counter = counters.withLock { counters in
            let key = Key(method: method, route: route, status: status)
            if let known = counters[key] { return known }
            let counter = Counter(
                label: "http_requests_total",
                dimensions: [("method", method), ("route", route), ("status", String(status))], factory: registry)
            counters[key] = counter
            return counter
        }
        counter.increment()
        let timer = timers.withLock { timers in
            let key = RouteKey(method: method, route: route)
            if let known = timers[key] { return known }
            let timer = Metrics.Timer(
                label: "http_request_duration_seconds", dimensions: [("method", method), ("route", route)],
                factory: registry)
            timers[key] = timer
            return timer
        }
        let (seconds, attoseconds) = duration.components
        timer.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// The requests that are being answered.
    var activeRequests: Int { active.load(ordering: .relaxed) }

    /// Sets the figures that are read when they are asked for.
    func sample(_ core: ServerCore) {
        set("http_requests_active", activeRequests)
        set("openhealthkit_open_stores", core.directory.openCount)
        set("openhealthkit_event_streams", core.streams.count)
        set("openhealthkit_pending_store_work", core.pool.pendingCount)
        if let bytes = Self.residentBytes { set("process_resident_memory_bytes", bytes) }
    }

    private func set(_ label: String, _ value: Int) {
        Gauge(label: label, factory: registry).record(value)
    }

    /// The resident memory of this process, where the system tells it.
    private static var residentBytes: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let fields = text.split(separator: " ")
        return fields.count > 1 ? Int(fields[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
    }
}
