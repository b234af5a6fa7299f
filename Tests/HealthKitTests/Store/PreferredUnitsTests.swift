import Foundation
import HealthEngine
import HealthModel
import Testing

@testable import HealthKit

@Suite struct PreferredUnitsTests {
    private let mass = HKQuantityType(.bodyMass)

    @Test func theRegionDecidesUntilThePersonDoes() async throws {
        let store = FreshStore.make()
        #expect(try await store.preferredUnits(for: [mass]) == [mass: .pound()])
        try store.connection.engine().profile.update { $0.preferredUnits[mass.identifier] = "st" }
        let calls = Calls<([HKQuantityType: HKUnit], (any Error)?)>()
        store.preferredUnits(for: [mass, FreshStore.steps]) { calls.add(($0, $1)) }
        let (units, error) = await calls.next()
        #expect(units == [mass: .stone(), FreshStore.steps: .count()])
        #expect(error == nil)
    }

    @Test func aChoiceThatDoesNotFitTheTypeIsPassedOver() async throws {
        let store = FreshStore.make()
        try store.connection.engine().profile.update { $0.preferredUnits[mass.identifier] = "m" }
        #expect(try await store.preferredUnits(for: [mass]) == [mass: .pound()])
    }

    @Test func aTypeNeverAskedForFails() async {
        let store = FreshStore.make(authorization: .handler { _ in .none })
        let error = await #expect(throws: HKError.self) { try await store.preferredUnits(for: [mass]) }
        #expect(error?.code == .errorAuthorizationNotDetermined)
    }

    @Test func refusedTypesHaveAUnit() async throws {
        let store = FreshStore.make(authorization: .handler { _ in .none })
        try await store.requestAuthorization(toShare: [], read: [mass])
        #expect(try await store.preferredUnits(for: [mass]) == [mass: .pound()])
    }

    @Test func everyUnitOfTheTableFitsItsType() {
        let regions = [
            UnitRegion(system: .metric, isGlucoseMolar: false),
            UnitRegion(system: .imperialUS, isGlucoseMolar: false),
            UnitRegion(system: .imperialUK, isGlucoseMolar: true),
        ]
        for type in TypeCatalog.all.compactMap({ HKObjectType.described(by: $0) as? HKQuantityType }) {
            for region in regions {
                guard let string = region.unit(of: type.identifier) else { continue }
                #expect(type.is(compatibleWith: HKUnit(from: string)), "\(type.identifier) \(string)")
            }
        }
    }

    @Test(arguments: [
        ("en_US", "lb", "mg/dL"), ("de_DE", "kg", "mg/dL"), ("en_CA", "kg", "mmol<180.1558800000541>/L"),
    ])
    func regions(locale: String, mass: String, glucose: String) throws {
        let region = try #require(UnitRegion(localeIdentifier: locale))
        #expect(region.unit(of: "HKQuantityTypeIdentifierBodyMass") == mass)
        #expect(region.isGlucoseMolar == glucose.hasPrefix("mmol"))
    }

    @Test func aChangeIsPostedByEachStore() async throws {
        let name = FreshStore.name()
        let stores = [FreshStore.make(named: name), FreshStore.make(named: name, app: "org.example.b")]
        let posts = Calls<ObjectIdentifier>()
        var tokens: [any NSObjectProtocol] = []
        for store in stores {
            _ = try await store.preferredUnits(for: [mass])
            tokens.append(
                NotificationCenter.default.addObserver(
                    forName: .HKUserPreferencesDidChange, object: store, queue: nil
                ) { note in
                    if let poster = note.object as? HKHealthStore { posts.add(ObjectIdentifier(poster)) }
                })
        }
        let engine = try stores[0].connection.engine()
        // Settings that aren't units are not reported.
        try engine.profile.update { $0.bloodType = 1 }
        try engine.profile.update { $0.preferredUnits[mass.identifier] = "st" }
        let posted = [await posts.next(), await posts.next()]
        #expect(Set(posted) == Set(stores.map { ObjectIdentifier($0) }))
        #expect(posts.all.count == 2)
        for token in tokens { NotificationCenter.default.removeObserver(token) }
    }

    @Test func changeIsPostedAsATypedMessage() async throws {
        let store = FreshStore.make(named: FreshStore.name())
        _ = try await store.preferredUnits(for: [mass])
        let told = Calls<Bool>()
        let token = NotificationCenter.default.addObserver(of: store, for: .userPreferencesDidChange) { _ in
            MainActor.assertIsolated()
            told.add(true)
        }
        try store.connection.engine().profile.update { $0.preferredUnits[mass.identifier] = "st" }
        #expect(await told.next())
        NotificationCenter.default.removeObserver(token)
        let name = HKHealthStore.HKUserPreferencesDidChangeMessage.name
        #expect(name == .HKUserPreferencesDidChange)
        await MainActor.run {
            #expect(HKHealthStore.HKUserPreferencesDidChangeMessage.makeMessage(Notification(name: name)) != nil)
            let other = Notification(name: .init("other"))
            #expect(HKHealthStore.HKUserPreferencesDidChangeMessage.makeMessage(other) == nil)
        }
    }
}
