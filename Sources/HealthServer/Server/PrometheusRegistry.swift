import Metrics
import Foundation
import Synchronization

/// A backend of swift-metrics that keeps the values and writes them in Prometheus' text format.
///
/// Counters and floating-point counters become counters, gauges and meters gauges. Timers and aggregating recorders
/// become histograms; timers are in seconds.
final class PrometheusRegistry: MetricsFactory, Sendable {
    private struct Family {
        var kind: MetricValue.Kind
        var series: [String: MetricValue] = [:]
    }

    private let families = Mutex<[String: Family]>([:])

    // MARK: MetricsFactory

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        value(.counter, label, dimensions)
    }

    func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
        value(.counter, label, dimensions)
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        value(.gauge, label, dimensions)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        value(aggregate ? .histogram : .gauge, label, dimensions)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        value(.histogram, label, dimensions)
    }

    // Values are kept until the process ends: a counter that is made again continues.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

    /// Sets a counter that is counted by another part of the process.
    func setCounter(_ label: String, _ dimensions: [(String, String)], to count: Double) {
        value(.counter, label, dimensions).set(count)
    }

    private func value(_ kind: MetricValue.Kind, _ label: String, _ dimensions: [(String, String)]) -> MetricValue {
        let name = Self.name(label)
        let labels = dimensions.map { "\(Self.name($0.0))=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
        return families.withLock { families in
            if let known = families[name]?.series[labels] { return known }
            // A name has one kind; another one doesn't change what is exported.
            let value = MetricValue(families[name]?.kind ?? kind)
            families[name, default: Family(kind: kind)].series[labels] = value
            return value
        }
    }

    // MARK: Text

    /// The values in Prometheus' text format 0.0.4.
    var text: String {
        let families = families.withLock { $0 }
        var text = ""
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            text += "# TYPE \(name) \(family.kind.rawValue)\n"
            for (labels, value) in family.series.sorted(by: { $0.key < $1.key }) {
                value.write(name, labels: labels, to: &text)
            }
        }
        return text
    }

    /// A name as Prometheus accepts it.
    private static func name(_ text: String) -> String {
        let name = text.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_")
                ? Character(scalar) : "_"
        }
        return name.first?.isNumber == true ? "_" + String(name) : String(name)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}

/// The value of one series.
final class MetricValue: Sendable {
    enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    private struct State {
        var value = 0.0
        var count: Int64 = 0
        var buckets: [Int64]
    }

    /// The upper bounds of the buckets of a histogram, in seconds.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private let kind: Kind
    private let state: Mutex<State>

    init(_ kind: Kind) {
        self.kind = kind
        state = Mutex(State(buckets: kind == .histogram ? Array(repeating: 0, count: Self.bounds.count) : []))
    }

    private func add(_ value: Double) {
        state.withLock { $0.value += value }
    }

    private func observe(_ value: Double) {
        state.withLock { state in
            guard kind == .histogram else {
                state.value = value
                return
            }
            state.value += value
            state.count += 1
            if let index = Self.bounds.firstIndex(where: { value <= $0 }) { state.buckets[index] += 1 }
        }
    }

    func write(_ name: String, labels: String, to text: inout String) {
        let state = state.withLock { $0 }
        let braces = labels.isEmpty ? "" : "{\(labels)}"
        guard kind == .histogram else {
            text += "\(name)\(braces) \(Self.number(state.value))\n"
            return
        }
        let prefix = labels.isEmpty ? "" : labels + ","
        var sum: Int64 = 0
        for (bound, count) in zip(Self.bounds, state.buckets) {
            sum += count
            text += "\(name)_bucket{\(prefix)le=\"\(Self.number(bound))\"} \(sum)\n"
        }
        text += "\(name)_bucket{\(prefix)le=\"+Inf\"} \(state.count)\n"
        text += "\(name)_sum\(braces) \(Self.number(state.value))\n\(name)_count\(braces) \(state.count)\n"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}

extension MetricValue: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    func increment(by amount: Int64) { add(Double(amount)) }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }
    func set(_ value: Int64) { observe(Double(value)) }
    func set(_ value: Double) { observe(value) }
    func record(_ value: Int64) { observe(Double(value)) }
    func record(_ value: Double) { observe(value) }
    func recordNanoseconds(_ duration: Int64) { observe(Double(duration) / 1e9) }

    func reset() {
        state.withLock { state in
            state.value = 0
            state.count = 0
            state.buckets = state.buckets.map { _ in 0 }
        }
    }
}
