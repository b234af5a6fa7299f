import Foundation
import HealthEngine
import HealthModel
import HealthStorage

/// The engine and the model in step, with the draws that drive them.
struct RandomProgramState {
    typealias Mismatch = RandomProgram.Mismatch

    let engine: HealthEngine
    var reference = ReferenceStore()
    var world: RandomWorld
    /// The current operation, for messages.
    var operation = "nothing yet"
    /// Positions to ask for changes from: the engine's and the model's.
    private var anchors: [(sequence: Int64, order: Int)] = [(0, 0)]

    init(engine: HealthEngine, seed: UInt64) {
        self.engine = engine
        world = RandomWorld(seed: seed)
    }

    mutating func step() throws {
        switch world.int(0...19) {
        case 0...4: try save(count: world.int(1...6))
        case 5: try save(count: 40)
        case 6: try addMembers()
        case 7: try delete()
        case 8: try deleteObjects()
        case 9: try order()
        case 10...13: try query()
        case 14...17: try compareStatistics()
        default: try compareChanges()
        }
    }

    // MARK: Writing

    private mutating func save(count: Int) throws {
        let caller = world.pick(RandomWorld.callers)
        operation = "save \(count) as \(caller.bundleIdentifier)"
        var items: [SaveItem] = []
        var syncs = [1, 2, 3]
        for _ in 0..<count {
            switch world.int(0...11) {
            case 0: items.append(.object(world.correlation()))
            case 1: items.append(.object(world.workout()))
            case 2...3 where !syncs.isEmpty:
                var sample = world.sample()
                sample.metadata = world.syncMetadata(syncs.removeLast())
                items.append(.sample(sample))
            default: items.append(.sample(world.sample()))
            }
        }
        _ = try engine.save(items, as: caller)
        reference.save(items, as: caller)
        try compareAll()
    }

    private mutating func addMembers() throws {
        let workouts = reference.items.filter { $0.type == Names.workout }
        guard !workouts.isEmpty, let workout = world.pick(workouts).uuid else { return }
        let caller = reference.items.first { $0.uuid == workout }.flatMap { item in
            RandomWorld.callers.first { $0.bundleIdentifier == item.revision.source.bundleIdentifier }
        }
        guard let caller else { return }
        operation = "add members to a workout"
        let samples = (0..<world.int(1...3)).map { _ in world.sample(Names.energy) }
        try engine.addMembers(samples, toObject: workout, as: caller)
        reference.addMembers(samples, toObject: workout, as: caller)
        try compareAll()
    }

    private mutating func delete() throws {
        let caller = world.pick(RandomWorld.callers)
        let own = reference.items.filter { $0.revision.source.bundleIdentifier == caller.bundleIdentifier }
        guard !own.isEmpty else { return }
        let uuids = Array(Set((0..<world.int(1...4)).compactMap { _ in world.pick(own).uuid }))
        operation = "delete \(uuids.count)"
        try engine.delete(uuids, as: caller)
        reference.delete(uuids)
        try compareAll()
    }

    private mutating func deleteObjects() throws {
        let caller = world.oneIn(4) ? RandomWorld.owner : world.pick(RandomWorld.callers)
        let type = world.pick(RandomWorld.allTypes)
        let filter = world.filter(over: reference.items)
        operation = "delete \(type) where \(filter)"
        let count = try engine.deleteObjects(of: type, matching: filter, as: caller)
        let expected = reference.deleteObjects(of: type, matching: filter, as: caller)
        guard count == expected else { throw Mismatch("deleted \(count), not \(expected)") }
        try compareAll()
    }

    private mutating func order() throws {
        let type = world.pick([Names.steps, Names.energy, Names.heartRate])
        let bundles = RandomWorld.callers.map(\.bundleIdentifier).shuffled(using: &world.random)
        let order = Array(bundles.prefix(world.int(0...4)))
        let disabled = Set(world.oneIn(2) ? Array(bundles.suffix(1)) : [])
        operation = "order sources of \(type)"
        try engine.sources.setOrder(order, disabled: disabled, of: type)
        reference.preferences[type] = (order, disabled)
    }

    /// Everything of every type in insertion order; identities the store derived are learned.
    private mutating func compareAll() throws {
        for type in RandomWorld.allTypes {
            let request = SampleRequest(parts: [.init(type: type)])
            let found = try engine.samples(request, as: RandomWorld.owner).found
            let expected = reference.samples(request)
            guard found.count == expected.count else {
                throw Mismatch("\(type) has \(found.count), not \(expected.count)")
            }
            for (one, other) in zip(found, expected) where other.uuid == nil {
                guard let place = reference.items.firstIndex(where: { $0.order == other.order }) else { continue }
                reference.items[place].uuid = one.uuid
            }
            guard found == reference.samples(request).map(\.found) else { throw Mismatch("\(type) differs") }
        }
        if world.oneIn(3) { anchors.append((try engine.lastSequence(), reference.lastOrder)) }
    }

    // MARK: Asking

    private mutating func query() throws {
        let request = SampleRequest(
            parts: world.parts(over: reference.items), sort: world.sort(),
            limit: world.pick([0, 0, 1, 1, 2, 5, 30]))
        operation = "query \(request)"
        let found = try engine.samples(request, as: RandomWorld.owner)
        let expected = reference.samples(request)
        guard found.found == expected.map(\.found) else {
            throw Mismatch("found \(found.count), expected \(expected.count), or in another order")
        }
        for object in found.objects where object.type == Names.bloodPressure {
            let owner = reference.items.first { $0.uuid == object.uuid }
            let members = reference.items.filter { item in owner.map { item.owners.contains($0.order) } ?? false }
            guard object.members.compactMap(\.uuid) == members.sorted(by: { $0.order < $1.order }).compactMap(\.uuid)
            else { throw Mismatch("members of a correlation differ") }
        }
        guard let part = request.parts.first else { return }
        let extent = try engine.extent(of: part.type, matching: part.filter, as: RandomWorld.owner)
        let matching = reference.samples(SampleRequest(parts: [part]))
        guard extent?.lowerBound == matching.map(\.start).min(), extent?.upperBound == matching.map(\.end).max()
        else { throw Mismatch("extent differs") }
    }

    private mutating func compareChanges() throws {
        let anchor = world.pick(anchors)
        let parts = world.parts(over: reference.items)
        let limit = world.pick([0, 1, 2, 3, 7])
        operation = "changes of \(parts) after \(anchor.order), limit \(limit)"
        var (after, added, deleted) = (anchor.sequence, [Found](), [ReferenceDeletion]())
        for _ in 0..<10_000 {
            let request = ChangesRequest(parts: parts, after: after, limit: limit)
            let result = try engine.changes(request, as: RandomWorld.owner)
            guard limit == 0 || result.added.count + result.deleted.count <= limit else {
                throw Mismatch("more than the limit")
            }
            added += result.added.found
            deleted += result.deleted.map {
                ReferenceDeletion(
                    order: 0, type: $0.type, uuid: $0.uuid, syncIdentifier: $0.syncIdentifier,
                    syncVersion: $0.syncVersion)
            }
            if result.sequence == after { break }
            after = result.sequence
        }
        let expected = reference.samples(SampleRequest(parts: parts)).filter { $0.order > anchor.order }
        guard added == expected.map(\.found) else {
            throw Mismatch("\(added.count) added, expected \(expected.count), or in another order")
        }
        let gone = reference.deletions.filter { $0.order > anchor.order }
        func deletions(_ isIncluded: (SampleRequest.Part, ReferenceItem) -> Bool) -> Set<ReferenceDeletion> {
            Set(
                gone.filter { deletion in
                    reference.deleted[deletion.order].map { item in
                        parts.contains { $0.type == item.type && isIncluded($0, item) }
                    } ?? false
                }.map {
                    var one = $0; one.order = 0; return one
                })
        }
        // What didn't match is left out where dates, source and UUID show it.
        let matching = deletions { reference.matches($1, $0.filter) }
        let allowed = deletions { $0.filter.needsContents || reference.matches($1, $0.filter) }
        guard Set(deleted).count == deleted.count, matching.isSubset(of: deleted), allowed.isSuperset(of: deleted)
        else {
            throw Mismatch("\(deleted.count) deleted, expected \(matching.count) to \(allowed.count)")
        }
    }

    private mutating func compareStatistics() throws {
        let request = world.statistics(over: reference.items)
        operation = "statistics \(request.type) \(request.options) where \(request.filter)"
        let expected = reference.statistics(request)
        let found: [StatisticsBucket]
        do {
            found = try engine.statistics(request, as: RandomWorld.owner)
        } catch EngineError.noData {
            guard expected.isEmpty, case .single = request.buckets else { throw Mismatch("no data") }
            return
        }
        guard found.count == expected.count else {
            throw Mismatch("\(found.count) buckets, not \(expected.count)")
        }
        for (one, other) in zip(found, expected) {
            guard one.start == other.start, one.end == other.end else { throw Mismatch("other bounds") }
            try one.values.compare(other.values, "bucket from \(one.start)")
            guard request.options.contains(.separateBySource) == (one.bySource != nil),
                Set((one.bySource ?? [:]).keys) == Set(other.bySource.keys)
            else { throw Mismatch("other sources") }
            for (source, values) in one.bySource ?? [:] {
                try values.compare(other.bySource[source] ?? StatisticsValues(), source.name)
            }
        }
    }
}

extension StatisticsValues {
    /// Throws where a figure is missing, or differs by more than rounding can.
    fileprivate func compare(_ other: StatisticsValues, _ place: String) throws {
        let figures = [
            ("sum", sum, other.sum), ("average", average, other.average), ("minimum", minimum, other.minimum),
            ("maximum", maximum, other.maximum), ("duration", duration, other.duration),
            ("most recent", mostRecent?.value, other.mostRecent?.value),
            ("most recent start", mostRecent?.start, other.mostRecent?.start),
            ("most recent end", mostRecent?.end, other.mostRecent?.end),
        ]
        for (name, one, two) in figures {
            if one == nil, two == nil { continue }
            guard let one, let two, abs(one - two) <= 1e-7 * max(1, abs(two)) else {
                throw RandomProgram.Mismatch(
                    "\(name) of \(place) is \(one.map { "\($0)" } ?? "nil"), not \(two.map { "\($0)" } ?? "nil")")
            }
        }
    }
}

extension SampleFilter {
    /// Whether it takes more than the dates, source and UUID of a sample to evaluate the filter.
    fileprivate var needsContents: Bool {
        switch self {
        case .all, .nothing, .start, .end, .uuid, .source, .ownSource, .revision: false
        case .and(let parts), .or(let parts): parts.contains(where: \.needsContents)
        case .not(let part): part.needsContents
        default: true
        }
    }
}
