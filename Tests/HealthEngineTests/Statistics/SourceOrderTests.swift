import HealthEngine
import HealthModel
import HealthImport
import HealthStorage
import Testing

@testable import HealthEngine

struct SourceOrderTests {
    private func save(_ caller: Caller, in store: TestStore, count: Int = 1) throws {
        try store.engine.save(
            (0..<count).map { .sample(.quantity(Names.steps, 1, "count", from: Double($0))) }, as: caller)
    }

    @Test(arguments: TestStore.Backend.allCases)
    func watchThenPhoneThenNewest(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend, pageCapacity: 2)
        for caller in [Names.journal, Names.phone, Names.tracker, Names.watch] {
            try save(caller, in: store, count: 3)
        }
        // A new version of an old source isn't a new source.
        try save(Names.caller("org.example.journal", "Journal 2", version: "2"), in: store)
        let order = try store.engine.sources.order(of: Names.steps)
        #expect(
            order.map(\.source.bundleIdentifier) == [
                "com.apple.health.watch", "com.apple.health.phone", "org.example.tracker",
                "org.example.journal",
            ])
        #expect(order.map(\.count) == [3, 3, 3, 4])
        #expect(order.last?.source.name == "Journal 2")
        #expect(try store.engine.sources.order(of: Names.energy).isEmpty)
    }

    @Test func thePersonsOrderGoesFirst() throws {
        let store = try TestStore()
        for caller in [Names.journal, Names.phone, Names.tracker, Names.watch] {
            try save(caller, in: store)
        }
        try store.engine.sources.setOrder(
            ["org.example.journal", "com.apple.health.phone"], disabled: ["com.apple.health.watch"],
            of: Names.steps)
        let order = try store.engine.sources.order(of: Names.steps)
        #expect(
            order.map(\.source.bundleIdentifier) == [
                "org.example.journal", "com.apple.health.phone", "com.apple.health.watch",
                "org.example.tracker",
            ])
        #expect(order.map(\.isEnabled) == [true, true, false, true])
        let own = try store.engine.sources.ownOrder(of: Names.steps)
        #expect(
            own.order == ["org.example.journal", "com.apple.health.phone"] && own.disabled == ["com.apple.health.watch"]
        )
        let none = try store.engine.sources.ownOrder(of: Names.energy)
        #expect(none.order.isEmpty && none.disabled.isEmpty)
        let merge = try store.engine.storage.read { snapshot in
            try store.engine.mergeOrder(
                of: Names.steps, dictionaries: snapshot.dictionaries(), in: snapshot)
        }
        // Revisions in order of first appearance: journal, phone, tracker, watch.
        #expect((1...4).map { merge.place(ofRevision: $0) } == [1, 2, 4, 3])
        #expect((1...4).map { merge.isEnabled(revision: $0) } == [true, true, true, false])
        #expect(merge.hasDisabled)
        #expect(merge.place(ofRevision: 1) > 0)
        #expect(merge.place(ofRevision: 99) > merge.place(ofRevision: 3))

        // Other types are not touched, and nothing remains after going back.
        #expect(throws: EngineError.self) {
            try store.engine.sources.setOrder(["a", "a"], disabled: [], of: Names.steps)
        }
        try store.engine.sources.setOrder([], disabled: [], of: Names.steps)
        #expect(
            try store.engine.sources.order(of: Names.steps).first?.source.bundleIdentifier
                == "com.apple.health.watch")
    }

    @Test(arguments: TestStore.Backend.allCases)
    func devicesTellTheKindOfASourceWithoutProduct(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        let plain = Names.caller("org.example.plain", "Wrist", version: "9.3.1")
        var sample = SampleRecord.quantity(Names.steps, 1, "count", from: 0)
        sample.device = DeviceRecord(
            name: "Apple Watch", model: "Watch", hardwareVersion: "Watch6,7", softwareVersion: "9.3.1")
        try store.engine.save([.sample(sample)], as: plain)
        try save(Names.phone, in: store)
        let order = try store.engine.sources.order(of: Names.steps)
        #expect(order.map(\.source.name) == ["Wrist", "iPhone"])
    }

    @Test(arguments: TestStore.Backend.allCases)
    func appsOnDevicesFollowTheDevices(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        for caller in [Names.phone, Names.watch] { try save(caller, in: store) }
        // As a phone syncs them: with the product type of the phone or watch that the app runs on.
        try save(Names.caller("com.example.ring", "Ring", product: "iPhone14,5", version: "7.1"), in: store)
        let app = Names.caller("com.example.run", "Run", product: "Watch6,7", version: "5")
        var sample = SampleRecord.quantity(Names.steps, 1, "count", from: 0)
        sample.device = DeviceRecord(
            name: "Apple Watch", model: "Watch", hardwareVersion: "Watch6,7", softwareVersion: "9.3.1")
        try store.engine.save([.sample(sample)], as: app)
        #expect(
            try store.engine.sources.order(of: Names.steps).map(\.source.name) == ["Watch", "iPhone", "Run", "Ring"])
    }

    @Test func overviewAndSources() throws {
        let store = try TestStore(pageCapacity: 2)
        try save(Names.phone, in: store, count: 5)
        try save(Names.journal, in: store, count: 2)
        try store.engine.save(
            [
                .object(
                    ObjectRecord(
                        type: Names.workout, start: 5, end: 9,
                        body: .workout(WorkoutBody(activityType: 37, duration: 4))))
            ], as: Names.phone)
        let overview = try store.engine.typeOverview(as: Names.tracker)
        #expect(overview.map(\.type.code) == [Names.steps, Names.workout])
        #expect(overview.map(\.count) == [7, 1])
        #expect(overview.map(\.start) == [0, 5])
        #expect(overview.map(\.end) == [4, 9])
        #expect(
            try store.engine.sources.list(of: Names.steps, matching: .all, as: Names.tracker).map(\.name)
                == ["iPhone", "Journal"])
        #expect(
            try store.engine.sources.list(
                of: Names.steps, matching: .start(.greaterThan, 3), as: Names.tracker
            ).map(\.name) == ["iPhone"])
        #expect(
            try store.engine.sources.list(of: Names.workout, matching: .all, as: Names.tracker).map(\.name)
                == ["iPhone"])

        // An application that may only see its own.
        let app = Names.caller("org.example.journal", "Journal", permission: .table)
        try store.engine.authorization.set(
            TypeAuthorization(share: .authorized, read: .denied), of: Names.steps,
            bundleIdentifier: app.bundleIdentifier)
        #expect(try store.engine.typeOverview(as: app).map(\.count) == [2])
        #expect(
            try store.engine.sources.list(of: Names.steps, matching: .all, as: app).map(\.name) == ["Journal"])
    }
}
