import HealthEngine
import HealthModel
import Testing

/// The results of reading under each pair of decisions.
@Suite struct ReadScopeTests {
    typealias Decision = TypeAuthorization.Decision

    private static let app = Names.caller("org.example.app", "App", permission: .table)

    private func store() throws -> TestStore {
        let store = try TestStore(pageCapacity: 2)
        let trusted = Names.caller("org.example.app", "App")
        for (index, caller) in [Names.phone, trusted, Names.watch].enumerated() {
            try store.engine.save(
                [.sample(.quantity(Names.steps, Double(index), "count", from: Double(index)))], as: caller)
        }
        return store
    }

    @Test(arguments: [
        (Decision.authorized, Decision.authorized, [0.0, 1, 2]), (.authorized, .denied, [0, 1, 2]),
        (.authorized, .notDetermined, [0, 1, 2]), (.denied, .authorized, [1]), (.notDetermined, .authorized, [1]),
        (.denied, .denied, []), (.denied, .notDetermined, []),
    ])
    func decisions(read: Decision, share: Decision, expected: [Double]) throws {
        let store = try store()
        try store.engine.authorization.set(
            TypeAuthorization(share: share, read: read), of: Names.steps, bundleIdentifier: "org.example.app")
        let request = SampleRequest(parts: [.init(type: Names.steps)])
        #expect(try store.engine.samples(request, as: Self.app).found.map(\.value) == expected)
        let changes = try store.engine.changes(ChangesRequest(parts: request.parts), as: Self.app)
        #expect(changes.added.found.map(\.value) == expected)
        let extent = try store.engine.extent(of: Names.steps, matching: .all, as: Self.app)
        #expect(extent?.lowerBound == expected.first && extent?.upperBound == expected.last)
        let sums = StatisticsRequest(type: Names.steps, options: .cumulativeSum)
        if expected.isEmpty {
            #expect(throws: EngineError.noData) { try store.engine.statistics(sums, as: Self.app) }
        } else {
            #expect(try store.engine.statistics(sums, as: Self.app)[0].values.sum == expected.reduce(0, +))
        }
    }

    @Test func neverAsked() throws {
        let store = try store()
        let refusal = EngineError.authorizationNotDetermined(Names.steps)
        let parts = [SampleRequest.Part(type: Names.steps)]
        #expect(throws: refusal) { try store.engine.samples(SampleRequest(parts: parts), as: Self.app) }
        #expect(throws: refusal) { try store.engine.changes(ChangesRequest(parts: parts), as: Self.app) }
        #expect(throws: refusal) {
            try store.engine.statistics(StatisticsRequest(type: Names.steps, options: .cumulativeSum), as: Self.app)
        }
    }
}
