import Foundation
@testable import HealthEngine
import HealthModel
import HealthStorage
import Testing

struct AuthorizationTests {
    private let app = Names.caller("org.example.app", "App", permission: .table)

    @Test(arguments: [
        // read, share → what reading returns; the table of semantics §2.2 and its neighbours.
        (TypeAuthorization.Decision.authorized, TypeAuthorization.Decision.authorized, ReadScope.everything),
        (.authorized, .denied, .everything), (.authorized, .notDetermined, .everything),
        (.denied, .authorized, .ownOnly), (.notDetermined, .authorized, .ownOnly),
        (.denied, .denied, .nothing), (.denied, .notDetermined, .nothing),
        (.notDetermined, .denied, .nothing),
    ])
    func readScopes(
        _ read: TypeAuthorization.Decision, _ share: TypeAuthorization.Decision, _ scope: ReadScope
    ) throws {
        let store = try TestStore()
        try store.engine.authorization.set(
            TypeAuthorization(share: share, read: read), of: Names.steps,
            bundleIdentifier: app.bundleIdentifier)
        #expect(try store.engine.checkRead(Names.steps, as: app) == scope)
    }

    /// The limit is compared with the end of a sample, and own samples before it are left out as well.
    @Test(arguments: TestStore.Backend.allCases)
    func limitedHistory(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        let limited = TypeAuthorization(share: .authorized, read: .authorized, earliest: 100)
        let summary = TypeCatalog.all.first { $0.kind == .activitySummary }?.code ?? Names.steps
        try store.engine.authorization.set(
            [Names.steps: limited, summary: limited], bundleIdentifier: app.bundleIdentifier)
        #expect(
            try store.engine.authorization.decision(of: Names.steps, bundleIdentifier: app.bundleIdentifier).limit
                == 100)
        #expect(
            try store.engine.authorization.decision(of: summary, bundleIdentifier: app.bundleIdentifier).limit == nil)
        let samples = [40.0, 80, 120].map { SampleRecord.quantity(Names.steps, $0, "count", from: $0, to: $0 + 20) }
        try store.engine.save(samples.map { .sample($0) }, as: app)
        let request = SampleRequest(parts: [.init(type: Names.steps)])
        let found = try store.engine.samples(request, as: app)
        #expect(found.batches.flatMap(\.values).sorted() == [80, 120])
        // Denied again, the limit is gone.
        try store.engine.authorization.set(
            TypeAuthorization(share: .denied, read: .denied, earliest: 100), of: Names.steps,
            bundleIdentifier: app.bundleIdentifier)
        #expect(try store.engine.checkRead(Names.steps, as: app) == .nothing)
    }

    @Test func scopesAreJoined() {
        let (one, two) = (SampleFilter.end(.greaterThanOrEqual, 1), SampleFilter.end(.greaterThanOrEqual, 2))
        #expect(ReadScope.everything.union(.ownOnly) == .everything)
        #expect(ReadScope.nothing.union(.ownOnly) == .ownOnly)
        #expect(ReadScope.ownOnly.union(.picked(one, withOwn: false)) == .picked(one, withOwn: true))
        #expect(
            ReadScope.picked(one, withOwn: false).union(.picked(one, withOwn: false)) == .picked(one, withOwn: false))
        #expect(
            ReadScope.picked(one, withOwn: true).union(.picked(two, withOwn: false))
                == .picked(.or([one, two]), withOwn: true))
    }

    @Test func aTypeNeverAskedForIsAnError() throws {
        let store = try TestStore()
        #expect(throws: EngineError.authorizationNotDetermined(Names.steps)) {
            try store.engine.checkRead(Names.steps, as: app)
        }
        #expect(throws: EngineError.authorizationNotDetermined(Names.steps)) {
            try store.engine.checkShare(Names.steps, as: app)
        }
        // Owners and unrestricted callers are not asked.
        for permission in [Caller.Permission.owner, .allowAll] {
            let caller = Names.caller("x", "X", permission: permission)
            #expect(try store.engine.checkRead(Names.steps, as: caller) == .everything)
            try store.engine.checkShare(Names.steps, as: caller)
        }
    }

    @Test(arguments: TestStore.Backend.allCases)
    func oneDeniedTypeFailsTheBatch(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        try store.engine.authorization.set(
            TypeAuthorization(share: .authorized), of: Names.steps, bundleIdentifier: app.bundleIdentifier)
        let items: [SaveItem] = [
            .sample(.quantity(Names.steps, 1, "count", from: 1)),
            .sample(.quantity(Names.energy, 1, "kcal", from: 1)),
        ]
        #expect(throws: EngineError.authorizationNotDetermined(Names.energy)) {
            try store.engine.save(items, as: app)
        }
        try store.engine.authorization.set(
            TypeAuthorization(share: .denied, read: .authorized), of: Names.energy,
            bundleIdentifier: app.bundleIdentifier)
        #expect(throws: EngineError.authorizationDenied(Names.energy)) {
            try store.engine.save(items, as: app)
        }
        #expect(try StoredSamples(store.engine).count == 0)
        try store.engine.authorization.set(
            TypeAuthorization(share: .authorized), of: Names.energy, bundleIdentifier: app.bundleIdentifier)
        #expect(try store.engine.save(items, as: app).saved == 2)
    }

    @Test func deletingNeedsTheRightToShare() throws {
        let store = try TestStore()
        var sample = SampleRecord.quantity(Names.steps, 1, "count", from: 1)
        sample.uuid = UUID()
        let uuid = try #require(sample.uuid)
        let unrestricted = Names.caller("org.example.app", "App")
        try store.engine.save([.sample(sample)], as: unrestricted)
        #expect(throws: EngineError.authorizationNotDetermined(Names.steps)) {
            try store.engine.delete([uuid], as: app)
        }
        try store.engine.authorization.set(
            TypeAuthorization(share: .denied, read: .authorized), of: Names.steps,
            bundleIdentifier: app.bundleIdentifier)
        #expect(throws: EngineError.authorizationDenied(Names.steps)) {
            try store.engine.delete([uuid], as: app)
        }
        #expect(throws: EngineError.authorizationDenied(Names.steps)) {
            try store.engine.deleteObjects(of: Names.steps, matching: .all, as: app)
        }
        // Reading denied, sharing granted: the own samples can be seen and deleted.
        try store.engine.authorization.set(
            TypeAuthorization(share: .authorized, read: .denied), of: Names.steps,
            bundleIdentifier: app.bundleIdentifier)
        #expect(try store.engine.deleteObjects(of: Names.steps, matching: .all, as: app) == 1)
    }

    @Test func correlationsFollowTheirMembers() throws {
        let store = try TestStore()
        #expect(throws: EngineError.authorizationNotDetermined(Names.bloodPressure)) {
            try store.engine.checkRead(Names.bloodPressure, as: app)
        }
        try store.engine.authorization.set(
            [
                Names.systolic: TypeAuthorization(share: .authorized, read: .denied),
                Names.diastolic: TypeAuthorization(share: .denied, read: .denied),
            ], bundleIdentifier: app.bundleIdentifier)
        #expect(try store.engine.checkRead(Names.bloodPressure, as: app) == .ownOnly)
        try store.engine.checkShare(Names.bloodPressure, as: app)
        let correlation = ObjectRecord(
            type: Names.bloodPressure, start: 0, end: 0,
            members: [
                .quantity(Names.systolic, 120, "mmHg", from: 0),
                .quantity(Names.diastolic, 80, "mmHg", from: 0),
            ])
        #expect(throws: EngineError.authorizationDenied(Names.diastolic)) {
            try store.engine.save([.object(correlation)], as: app)
        }
        try store.engine.authorization.set(
            TypeAuthorization(share: .authorized, read: .authorized), of: Names.diastolic,
            bundleIdentifier: app.bundleIdentifier)
        #expect(try store.engine.save([.object(correlation)], as: app).saved == 3)
        #expect(try store.engine.checkRead(Names.bloodPressure, as: app) == .everything)
        #expect(
            try store.engine.authorization.decision(
                of: Names.bloodPressure, bundleIdentifier: app.bundleIdentifier) == TypeAuthorization())
    }

    @Test(arguments: TestStore.Backend.allCases)
    func decisionsAreKeptPerApplication(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        let decision = TypeAuthorization(share: .denied, read: .authorized)
        try store.engine.authorization.set(decision, of: Names.steps, bundleIdentifier: "b.app")
        try store.engine.authorization.set(decision, of: Names.sleep, bundleIdentifier: "a.app")
        #expect(try store.engine.authorization.applications() == ["a.app", "b.app"])
        #expect(try store.engine.authorization.decisions(bundleIdentifier: "b.app") == [Names.steps: decision])
        // Exactly what is written: taking everything back forgets the application.
        try store.engine.authorization.set(
            TypeAuthorization(), of: Names.steps, bundleIdentifier: "b.app")
        #expect(try store.engine.authorization.applications() == ["a.app"])
        #expect(try store.engine.authorization.decisions(bundleIdentifier: "b.app").isEmpty)
    }
}
