import Foundation
import HealthEngine
import HealthModel
import Testing

@testable import HealthKit

@Suite struct ConfigurationTests {
    @Test(arguments: [
        (["HEALTHKIT_STORE": "/a/b.sqlite", "XDG_DATA_HOME": "/x"], "/a/b.sqlite"),
        (["XDG_DATA_HOME": "/x", "HOME": "/h"], "/x/openhealthkit/health.sqlite"),
        (["XDG_DATA_HOME": "relative", "HOME": "/h"], "/h/.local/share/openhealthkit/health.sqlite"),
        (["HEALTHKIT_STORE": "", "HOME": "/h"], "/h/.local/share/openhealthkit/health.sqlite"),
    ])
    func theDefaultFileFollowsTheEnvironment(environment: [String: String], path: String) {
        #expect(HKHealthStore.Configuration.defaultStorePath(in: environment) == path)
    }

    @Test(arguments: [
        (HKHealthStore.Configuration.Location.inMemory(name: nil), [:], true),
        (.default, ["HEALTHKIT_AUTHORIZATION": "allow"], true),
        (.default, ["HEALTHKIT_AUTHORIZATION": "no"], false),
        (.default, [:], false),
    ])
    func automaticPermissionFollowsPlaceAndEnvironment(
        location: HKHealthStore.Configuration.Location, environment: [String: String], allowsAll: Bool
    ) {
        let connection = StoreConnection(.init(location: location), environment: environment)
        #expect((connection.caller.permission == .allowAll) == allowsAll)
    }

    @Test func storesOfOneNameShareAndOthersDoNot() async throws {
        let name = FreshStore.name()
        let one = FreshStore.make(named: name)
        let two = FreshStore.make(named: name)
        let alone = FreshStore.make()
        let alsoAlone = FreshStore.make()
        #expect(try one.connection.engine() === two.connection.engine())
        #expect(try one.connection.engine() !== alone.connection.engine())
        #expect(try alone.connection.engine() !== alsoAlone.connection.engine())
        #expect(try alone.connection.engine() === alone.connection.engine())
    }

    @Test func anEngineEndsWithItsLastUser() throws {
        let name = FreshStore.name()
        var store: HKHealthStore? = FreshStore.make(named: name)
        let first = try store?.connection.engine().identity()
        store = FreshStore.make(named: name)
        #expect(try store?.connection.engine().identity() != first)
    }

    @Test func theApplicationSignsWhatItSaves() {
        let application = HKHealthStore.Configuration.Application(
            bundleIdentifier: "org.example.a", name: "A", version: "1.2")
        #expect(application.revision.source.bundleIdentifier == "org.example.a")
        #expect(application.revision.source.name == "A")
        #expect(application.revision.version == "1.2")
    }

    @Test func nothingLimitsTheStoreOnThisMachine() {
        #expect(HKHealthStore.isHealthDataAvailable())
        #expect(FreshStore.make().supportsHealthRecords())
        #expect(FreshStore.make().earliestPermittedSampleDate() == .distantPast)
    }
}
