import Foundation
import HealthEngine
import HealthImport
import HealthModel
import HealthTesting
import Testing

/// Everything that happened to one application's deliveries. What must hold is computed from this list each time.
private struct DeliveryLog {
    enum Event {
        case registered(String, DeliveryFrequency, Int64)
        case unregistered(String)
        case suspended(Set<String>)
        case resumed(Set<String>)
        case changed(String, Int64)
        case began(UUID, [String: Int64], Double)
        case missed(UUID)
        case interrupted(UUID)
        case acknowledged([String: Int64])
        /// Types that could have been in a delivery and had no changes up to a position.
        case unchanged(Set<String>, Int64)
    }

    private(set) var events: [(event: Event, time: Double)] = []

    mutating func add(_ event: Event, _ time: Double) { events.append((event, time)) }

    func frequency(_ type: String) -> DeliveryFrequency? {
        events.reduce(nil) { found, item in
            switch item.event {
            case .registered(type, let frequency, _): frequency
            case .unregistered(type): nil
            default: found
            }
        }
    }

    func acknowledged(_ type: String) -> Int64 {
        var isRegistered = false
        return events.reduce(0) { position, item in
            switch item.event {
            case .registered(type, _, let start):
                defer { isRegistered = true }
                return isRegistered ? position : start
            case .unregistered(type):
                isRegistered = false
                return 0
            case .acknowledged(let positions): return max(position, isRegistered ? positions[type] ?? 0 : 0)
            case .unchanged(let types, let last): return types.contains(type) ? last : position
            default: return position
            }
        }
    }

    func misses(_ id: UUID) -> Int {
        events.count { if case .missed(id) = $0.event { true } else { false } }
    }

    /// The types of a delivery that are still to be acknowledged.
    func open(_ id: UUID) -> [String: Int64] {
        var types: [String: Int64] = [:]
        var misses = 0
        var hasBegun = false
        for (event, _) in events {
            switch event {
            case .began(id, let given, _):
                if !hasBegun { types = given }
                hasBegun = true
            case .missed(id):
                misses += 1
                if misses == 3 { types = [:] }
            case .unregistered(let type): types[type] = nil
            case .suspended(let suspended): types = types.filter { !suspended.contains($0.key) }
            case .acknowledged(let positions): types = types.filter { (positions[$0.key] ?? -1) < $0.value }
            default: break
            }
        }
        return types
    }

    var identifiers: [UUID] {
        var found: [UUID] = []
        for case .began(let id, _, _) in events.map(\.event) where !found.contains(id) { found.append(id) }
        return found
    }

    func isSuspended(_ type: String) -> Bool {
        var isSuspended = false
        for (index, item) in events.enumerated() {
            switch item.event {
            case .registered(type, _, _), .unregistered(type): isSuspended = false
            case .suspended(let types): if types.contains(type) { isSuspended = true }
            case .resumed(let types): if types.contains(type) { isSuspended = false }
            case .missed(let id):
                var before = DeliveryLog()
                before.events = Array(events[..<index])
                if before.misses(id) == 2, before.open(id)[type] != nil { isSuspended = true }
            default: break
            }
        }
        return isSuspended
    }

    /// When the latest delivery of a type began for the first time, since it was registered.
    func lastDelivered(_ type: String) -> Double? {
        var seen: Set<UUID> = []
        var last: Double?
        for (index, (event, time)) in events.enumerated() {
            if case .unregistered(type) = event { last = nil }
            if case .missed(let id) = event {
                var before = DeliveryLog()
                before.events = Array(events[..<index])
                // Nothing was delivered.
                if before.misses(id) == 2, before.open(id)[type] != nil { last = nil }
            }
            guard case .began(let id, let types, _) = event, seen.insert(id).inserted, types[type] != nil else {
                continue
            }
            last = time
        }
        return last
    }

    /// The last event about an attempt of a delivery.
    func lastAttempt(_ id: UUID) -> (event: Event, time: Double)? {
        events.last {
            switch $0.event {
            case .began(id, _, _), .missed(id), .interrupted(id): true
            default: false
            }
        }
    }

    /// The delivery in flight, with its deadline.
    func inFlight() -> (id: UUID, deadline: Double)? {
        for id in identifiers where !open(id).isEmpty {
            if case .began(_, _, let deadline)? = lastAttempt(id)?.event { return (id, deadline) }
        }
        return nil
    }

    /// Deliveries whose next attempt is due.
    func retries(at now: Double) -> Set<UUID> {
        Set(
            identifiers.filter { id in
                guard !open(id).isEmpty, let last = lastAttempt(id) else { return false }
                switch last.event {
                case .interrupted: return last.time <= now
                case .missed: return last.time + (misses(id) == 1 ? 60 : 1_800) <= now
                default: return false
                }
            })
    }

    /// The types that a new delivery has, and those that it would have if they had changed.
    func due(_ types: [String], at now: Double) -> (changed: Set<String>, open: Set<String>) {
        let waiting = Set(identifiers.flatMap { open($0).keys })
        let free = types.filter { type in
            guard let frequency = frequency(type), !isSuspended(type), !waiting.contains(type) else { return false }
            return lastDelivered(type).map { now >= $0 + frequency.interval } ?? true
        }
        let changed = free.filter { type in
            let acknowledged = acknowledged(type)
            return events.contains {
                if case .changed(type, let sequence) = $0.event { sequence > acknowledged } else { false }
            }
        }
        return (Set(changed), Set(free))
    }
}

/// Random programs of an application, its target, the person and the clock, with a restart between any two steps.
@Suite struct BackgroundDeliveryModelTests {
    private static let types = [Names.steps, Names.energy, Names.heartRate, Names.sleep]

    @Test(arguments: 1...12)
    func randomProgramsAgreeWithTheirLog(_ seed: Int) throws {
        print("Background deliveries: seed \(seed)")
        var random = SplitMix64(seed: UInt64(seed))
        let world = try DeliveryWorld()
        let app = DeliveryWorld.app
        let all = Self.types.map(world.identifier)
        var log = DeliveryLog()
        var restarts = 0
        try world.deliveries.setTarget(DeliveryWorld.program, of: app)

        func begin() throws {
            let now = world.now
            let flying = log.inFlight()
            if let flying, flying.deadline <= now { log.add(.missed(flying.id), now) }
            let (isFree, retries, due) = (log.inFlight() == nil, log.retries(at: now), log.due(all, at: now))
            let plan = try world.begin(limit: 100)
            #expect(plan.expired.map(\.delivery.id) == (flying.map { $0.deadline <= now ? [$0.id] : [] } ?? []))
            guard isFree, !retries.isEmpty || !due.changed.isEmpty else {
                #expect(plan.begun.isEmpty)
                return
            }
            let delivery = try #require(plan.begun.first?.delivery)
            if retries.isEmpty {
                #expect(!log.identifiers.contains(delivery.id))
                #expect(Set(delivery.types.keys) == due.changed)
                let last = try world.engine.lastSequence()
                log.add(.unchanged(due.open.subtracting(due.changed), last), now)
                #expect(delivery.types.values.allSatisfy { $0 == last })
            } else {
                #expect(retries.contains(delivery.id))
                #expect(delivery.types == log.open(delivery.id))
                #expect(delivery.attempt == log.misses(delivery.id) + 1)
            }
            log.add(.began(delivery.id, delivery.types, now + 100), now)
        }

        for _ in 0..<160 {
            if random.next() % 4 == 0 {
                try world.reopen()
                restarts += 1
            }
            let type = all[Int(random.next() % UInt64(all.count))]
            switch random.next() % 16 {
            case 0:
                let frequency = DeliveryFrequency.allCases[Int(random.next() % 4)]
                let position = try world.engine.lastSequence()
                try world.deliveries.setFrequency(frequency.rawValue, of: type, for: app)
                log.add(.registered(type, frequency, position), world.now)
            case 1 where random.next() % 4 == 0:
                try world.deliveries.setFrequency(nil, of: type, for: app)
                log.add(.unregistered(type), world.now)
            case 2 where random.next() % 4 == 0:
                try world.deliveries.setSuspended(true, of: [type], for: app)
                log.add(.suspended(log.frequency(type) == nil ? [] : [type]), world.now)
            case 3:
                try world.deliveries.setSuspended(false, for: app)
                log.add(.resumed(Set(all)), world.now)
            case 4...6:
                let code = Self.types[all.firstIndex(of: type) ?? 0]
                log.add(.changed(type, try world.save(code)), world.now)
            case 7:
                guard let flying = log.inFlight() else { continue }
                let positions = log.open(flying.id)
                try world.deliveries.finish(flying.id, of: app, .acknowledged)
                log.add(.acknowledged(positions), world.now)
            case 8:
                // An observer in a program that runs.
                let positions = [type: Int64(random.next() % UInt64(try world.engine.lastSequence() + 1))]
                try world.deliveries.acknowledge(positions, of: app)
                log.add(.acknowledged(positions), world.now)
            case 9:
                guard let flying = log.inFlight() else { continue }
                try world.deliveries.finish(flying.id, of: app, .missed)
                log.add(.missed(flying.id), world.now)
            case 10:
                guard let flying = log.inFlight() else { continue }
                try world.deliveries.finish(flying.id, of: app, .interrupted)
                log.add(.interrupted(flying.id), world.now)
            case 11...12:
                world.now += [1, 60, 100, 1_800, 3_600, 86_400, 604_800][Int(random.next() % 7)]
            default: try begin()
            }
            let state = try world.deliveries.application(app)
            for type in all {
                let registration = state?.registrations[type]
                #expect(registration?.frequency == log.frequency(type))
                guard let registration else { continue }
                #expect(registration.acknowledged == log.acknowledged(type))
                #expect(registration.isSuspended == log.isSuspended(type))
            }
            #expect(Set(state?.deliveries.map(\.id) ?? []) == Set(log.identifiers.filter { !log.open($0).isEmpty }))
        }
        #expect(restarts > 20)

        // A target that acknowledges gets everything, whatever happened before.
        try world.deliveries.setSuspended(false, for: app)
        for _ in 0..<40 {
            world.now += 604_800
            for attempt in try world.begin(limit: 100).begun {
                try world.deliveries.finish(attempt.delivery.id, of: app, .acknowledged)
            }
        }
        let state = try world.state()
        #expect(state.deliveries.isEmpty)
        for (type, registration) in state.registrations {
            for case .changed(type, let sequence) in log.events.map(\.event) {
                #expect(registration.acknowledged >= sequence)
            }
        }
    }
}
