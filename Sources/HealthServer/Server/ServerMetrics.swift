import Metrics
import Foundation
import HealthStoragePostgreSQL
import Synchronization

/// The figures of a server. Labels are methods, templates of routes and statuses, never people or queries.
final class ServerMetrics: Sendable {
    /// Where the values are kept.
    let registry = PrometheusRegistry()

    /// The figures of the routes by their templates.
    private let routes = Mutex<[String: RouteMetrics]>([:])
    private let active = Atomic<Int>(0)

    /// The figures of the route with a template. Keep them, because finding them takes a look-up.
    func route(_ template: String) -> RouteMetrics {
        routes.withLock { routes in
            if let known = routes[template] { return known }
            let metrics = RouteMetrics(route: template, registry: registry)
            routes[template] = metrics
            return metrics
        }
    }

    /// Counts a request that begins.
    func begin() {
        active.add(1, ordering: .relaxed)
    }

    /// Counts a request whose response is ready.
    func end(_ route: RouteMetrics, method: String, status: Int, duration: Duration) {
        active.subtract(1, ordering: .relaxed)
        route.add(method: method, status: status, duration: duration)
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
        for (server, maximum, activity) in core.directory.databaseActivities {
            sample(activity.figures, of: server, maximum: maximum)
        }
    }

    private func set(_ label: String, _ value: Int, _ dimensions: [(String, String)] = []) {
        Gauge(label: label, dimensions: dimensions, factory: registry).record(value)
    }

    /// Sets the figures of the connections to a database's primary or replica.
    private func sample(_ figures: PostgreSQLActivity.Figures, of server: String, maximum: Int) {
        let prefix = "openhealthkit_database_"
        let part = [("server", server)]
        set(prefix + "connections_maximum", maximum, part)
        set(prefix + "connections_in_use", figures.inUse, part)
        set(prefix + "threads_waiting", figures.waiting, part)
        func count(_ name: String, _ dimensions: [(String, String)], _ value: Double) {
            registry.setCounter(prefix + name, dimensions, to: value)
        }
        count("connections_opened_total", part, Double(figures.opened))
        count("reconnects_total", part, Double(figures.lost))
        for kind in PostgreSQLActivity.Kind.allCases {
            let counts = figures.kinds[kind] ?? PostgreSQLActivity.Counts()
            let dimensions = part + [("kind", kind.rawValue)]
            count("statements_total", dimensions, Double(counts.statements))
            count("round_trips_total", dimensions, Double(counts.roundTrips))
            count("round_trip_seconds_total", dimensions, counts.seconds)
        }
        for (result, reads) in figures.replicaReads {
            count("replica_reads_total", [("result", result.rawValue)], Double(reads))
        }
    }

    /// The resident memory of this process, where the system reports it.
    private static var residentBytes: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let fields = text.split(separator: " ")
        return fields.count > 1 ? Int(fields[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
    }
}

/// The counters and timers of one route.
final class RouteMetrics: Sendable {
    private let route: String
    private let registry: PrometheusRegistry
    /// One for each method and status, which are few.
    private let figures = Mutex<[(method: String, status: Int, counter: Counter, timer: Metrics.Timer)]>([])

    fileprivate init(route: String, registry: PrometheusRegistry) {
        self.route = route
        self.registry = registry
    }

    fileprivate func add(method: String, status: Int, duration: Duration) {
        let (counter, timer) = figures.withLock { figures in
            if let known = figures.first(where: { $0.status == status && $0.method == method }) {
                return (known.counter, known.timer)
            }
            // A timer of another status continues the same series.
            let counter = Counter(
                label: "http_requests_total",
                dimensions: [("method", method), ("route", route), ("status", String(status))], factory: registry)
            let timer = Metrics.Timer(
                label: "http_request_duration_seconds", dimensions: [("method", method), ("route", route)],
                factory: registry)
            figures.append((method, status, counter, timer))
            return (counter, timer)
        }
        counter.increment()
        let (seconds, attoseconds) = duration.components
        timer.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
