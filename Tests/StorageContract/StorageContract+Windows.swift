import HealthModel
import HealthStorage
import HealthTesting

extension StorageContract {
    func checkPageWindows() throws {
        let storage = try makeStorage()
        var random = SplitMix64(seed: seed)
        var pages: [StoredPage] = []
        for index in 0..<60 {
            let start = Double(Int.random(in: -5...15, using: &random))
            let last = start + Double(Int.random(in: 0...4, using: &random))
            let sequence = Int64(index * 3 + 10)
            // One page is far longer than the others; every window that it overlaps must include it.
            let end = index == 17 ? 1_000 : last + Double(Int.random(in: 0...3, using: &random))
            pages.append(
                ContractRows.page(
                    random.pick([ContractRows.paged, ContractRows.otherPaged]), start: start, sequence: sequence,
                    lastStart: last, end: end, minimum: sequence - Int64.random(in: 0...9, using: &random),
                    maximum: sequence + Int64.random(in: 0...30, using: &random), bytes: 20))
        }
        let put = pages.shuffled(using: &random)
        try storage.write { transaction in
            for page in put { try transaction.putPage(page) }
        }
        pages.sort { $0.key < $1.key }
        try storage.read { snapshot in
            for window in Self.windows {
                for type in [ContractRows.paged, ContractRows.otherPaged, ContractRows.lastPaged] {
                    let expected = pages.filter { $0.key.type == type && $0.isIn(window) }
                    for bodies in [false, true] {
                        var found: [PageKey] = []
                        var areRight = true
                        try snapshot.visitPages(of: type, in: window, bodies: bodies) { view in
                            found.append(view.key)
                            areRight = areRight && view.body.isEmpty != bodies
                            return true
                        }
                        try expect(found == expected.map(\.key), "pages of \(type) in \(window)")
                        try expect(areRight, "bodies only if requested, in \(window)")
                    }
                }
            }
        }
    }

    func checkObjectWindows() throws {
        let storage = try makeStorage()
        var random = SplitMix64(seed: seed &+ 1)
        let objects = (1...80).map { index in
            let start = Double(Int.random(in: -5...15, using: &random))
            return ContractRows.object(
                Int64(index), random.pick([ContractRows.object, ContractRows.otherObject]), start: start,
                end: index == 40 ? 1_000 : start + Double(Int.random(in: 0...5, using: &random)))
        }
        let put = objects.shuffled(using: &random)
        try storage.write { transaction in
            for object in put { try transaction.putObject(object) }
        }
        let byTime = objects.sorted { ($0.start, $0.sequence) < ($1.start, $1.sequence) }
        try storage.read { snapshot in
            for window in Self.windows {
                for type in [ContractRows.object, ContractRows.otherObject, ContractRows.paged] {
                    let order: [StoredObject]
                    if case .sequencesAfter = window { order = objects } else { order = byTime }
                    let found = try collected { try snapshot.visitObjects(of: type, in: window, $0) }
                    try expect(
                        found == order.filter { $0.type == type && $0.isIn(window) }, "objects of \(type) in \(window)")
                }
            }
        }
    }

    static let windows: [PageWindow] = {
        let bounds: [Double?] = [nil, -.infinity, -6, -5, 0, 0.5, 3, 8, 15, 16, 22, 1_000, 1_001, .infinity]
        let times = bounds.flatMap { before in
            bounds.map { PageWindow.time(startsBefore: before, endsAtOrAfter: $0) }
        }
        let sequences: [Int64] = [.min, -1, 0, 1, 9, 10, 11, 40, 79, 80, 120, 187, 188, 300, .max]
        return [.all] + times + sequences.map { .sequencesAfter($0) } + sequences.map { .containing(sequence: $0) }
    }()
}

extension StoredPage {
    /// The literal definition of a window.
    func isIn(_ window: PageWindow) -> Bool {
        switch window {
        case .all: true
        case .time(let before, let after):
            (before == nil || key.firstStart < before!) && (after == nil || bounds.maximumEnd >= after!)
        case .sequencesAfter(let sequence): bounds.maximumSequence > sequence
        case .containing(let sequence):
            bounds.minimumSequence <= sequence && bounds.maximumSequence >= sequence
        }
    }
}

extension StoredObject {
    /// The literal definition of a window.
    func isIn(_ window: PageWindow) -> Bool {
        switch window {
        case .all: true
        case .time(let before, let after): (before == nil || start < before!) && (after == nil || end >= after!)
        case .sequencesAfter(let after): sequence > after
        case .containing(let expected): sequence == expected
        }
    }
}
