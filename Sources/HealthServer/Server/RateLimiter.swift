import Foundation
import HTTPTypes
import HealthAccess
import Synchronization

/// Limits how often something happens, with one token bucket for each key: a burst at once, then a steady rate.
final class RateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var date: Date
    }

    private let perSecond: Double?
    private let burst: Double
    private let now: @Sendable () -> Date
    private let buckets = Mutex<[String: Bucket]>([:])
    /// More keys than this are forgotten once their buckets are full again.
    private static let maximumKeys = 10_000

    /// - Parameter perSecond: The rate; `nil` for no limit.
    init(perSecond: Double?, burst: Double, now: @escaping @Sendable () -> Date) {
        self.perSecond = perSecond
        self.burst = max(burst, 1)
        self.now = now
    }

    /// Takes one from a bucket.
    ///
    /// - Returns: `nil` if there was one, else the seconds until there is.
    func take(_ key: String) -> Double? {
        guard let perSecond else { return nil }
        let date = now()
        return buckets.withLock { buckets in
            var bucket = filled(buckets[key], at: date, perSecond: perSecond)
            defer {
                if buckets.count >= Self.maximumKeys, buckets[key] == nil {
                    forgetFull(&buckets, at: date, perSecond: perSecond)
                }
                buckets[key] = bucket
            }
            guard bucket.tokens < 1 else {
                bucket.tokens -= 1
                return nil
            }
            return perSecond > 0 ? (1 - bucket.tokens) / perSecond : 3_600
        }
    }

    /// Gives back what ``take(_:)`` took, for something that doesn't count after all.
    func giveBack(_ key: String) {
        buckets.withLock { buckets in
            guard let bucket = buckets[key] else { return }
            buckets[key]?.tokens = min(bucket.tokens + 1, burst)
        }
    }

    /// The number of keys that are remembered.
    var keyCount: Int { buckets.withLock { $0.count } }

    private func filled(_ bucket: Bucket?, at date: Date, perSecond: Double) -> Bucket {
        guard let bucket else { return Bucket(tokens: burst, date: date) }
        // A clock that was set back doesn't empty a bucket.
        let seconds = max(date.timeIntervalSince(bucket.date), 0)
        return Bucket(tokens: min(bucket.tokens + seconds * perSecond, burst), date: date)
    }

    private func forgetFull(_ buckets: inout [String: Bucket], at date: Date, perSecond: Double) {
        buckets = buckets.filter { filled($0.value, at: date, perSecond: perSecond).tokens < burst }
        // Under attack from many addresses, all start over.
        if buckets.count >= Self.maximumKeys { buckets.removeAll() }
    }
}

/// Limits how many event streams are open.
final class StreamLimiter: Sendable {
    private struct Counts {
        var all = 0
        var identities: [String: Int] = [:]
        /// How streams are ended, by their identity.
        var ends: [String: [UUID: @Sendable () -> Void]] = [:]
    }

    private let maximum: Int
    private let maximumPerIdentity: Int
    private let counts = Mutex(Counts())

    init(maximum: Int, maximumPerIdentity: Int) {
        self.maximum = maximum
        self.maximumPerIdentity = maximumPerIdentity
    }

    /// Opens a stream. It counts until the lease is released.
    ///
    /// - Throws: ``Problem`` `tooManyStreams`.
    func open(for identity: Identity) throws -> StreamLease {
        let isOpen = counts.withLock { counts in
            guard counts.all < maximum, counts.identities[identity.id, default: 0] < maximumPerIdentity else {
                return false
            }
            counts.all += 1
            counts.identities[identity.id, default: 0] += 1
            return true
        }
        guard isOpen else {
            throw Problem(.tooManyStreams, "Close another event stream first.", headers: [.retryAfter: "10"])
        }
        return StreamLease(limiter: self, key: identity.id)
    }

    /// Ends the streams of an identity, whose session or token has ended.
    func end(of identity: String) {
        let ends = counts.withLock { $0.ends.removeValue(forKey: identity) }
        for end in ends?.values ?? [:].values { end() }
    }

    /// The identities that have open streams.
    var identities: Set<String> { counts.withLock { Set($0.identities.keys) } }

    fileprivate func set(_ end: @escaping @Sendable () -> Void, _ key: String, _ id: UUID) {
        counts.withLock { $0.ends[key, default: [:]][id] = end }
    }

    /// The number of open streams.
    var count: Int { counts.withLock { $0.all } }

    fileprivate func close(_ key: String, _ id: UUID) {
        counts.withLock { counts in
            counts.ends[key]?[id] = nil
            if counts.ends[key]?.isEmpty == true { counts.ends[key] = nil }
            counts.all -= 1
            let rest = counts.identities[key, default: 1] - 1
            counts.identities[key] = rest > 0 ? rest : nil
        }
    }
}

/// One open event stream. It ends when the lease is released.
final class StreamLease: Sendable {
    private let limiter: StreamLimiter
    private let key: String
    private let id = UUID()

    fileprivate init(limiter: StreamLimiter, key: String) {
        self.limiter = limiter
        self.key = key
    }

    /// Sets what ends the stream at once when its session or token has ended.
    func onEnd(_ end: @escaping @Sendable () -> Void) { limiter.set(end, key, id) }

    deinit {
        limiter.close(key, id)
    }
}
