import CoreLocation
import Foundation
@testable import HealthKit
import HealthModel
import Testing

@Suite struct HKWorkoutRouteTests {
    private let store = FreshStore.make()
    private let start = FreshStore.epoch

    private func savedWorkout() async throws -> HKWorkout {
        let workout = HKWorkout(activityType: .walking, start: start, end: start + 600)
        try await store.save(workout)
        return workout
    }

    private func builder() -> HKWorkoutRouteBuilder { HKWorkoutRouteBuilder(healthStore: store, device: nil) }

    private func route(_ count: Int) async throws -> HKWorkoutRoute {
        let builder = builder()
        try await builder.insertRouteData((0..<count).map { RouteFixtures.point($0) })
        return try await builder.finishRoute(with: savedWorkout(), metadata: nil)
    }

    @Test func pointsAreReturnedSortedAndComplete() async throws {
        let workout = try await savedWorkout()
        let builder = builder()
        try await builder.insertRouteData([RouteFixtures.point(5), RouteFixtures.point(1)])
        try await builder.insertRouteData([RouteFixtures.point(3)])
        try await builder.addMetadata(["a": 1, "b": 2])
        let made = try await builder.finishRoute(with: workout, metadata: ["b": 3])
        #expect(made.count == 3)
        #expect(made.startDate == start + 1)
        #expect(made.endDate == start + 5)
        #expect(made.metadata?["a"] as? Int == 1 && made.metadata?["b"] as? Int == 3)
        let read = try await HKSampleQueryDescriptor(
            predicates: [.workoutRoute(HKQuery.predicateForObjects(from: workout))], sortDescriptors: []
        ).result(for: store)
        #expect(read == [made])
        var points: [CLLocation] = []
        for try await point in HKWorkoutRouteQueryDescriptor(read[0]).results(for: store) { points.append(point) }
        #expect(points.map(\.timestamp) == [1, 3, 5].map { start + $0 })
        let last = RouteFixtures.point(5)
        #expect(points[2].coordinate.latitude == last.coordinate.latitude)
        #expect(points[2].coordinate.longitude == last.coordinate.longitude)
        #expect(points[2].altitude == last.altitude)
        #expect(points[2].horizontalAccuracy == 5 && points[2].verticalAccuracy == 3)
        #expect(points[2].course == 359.5 && points[2].courseAccuracy == 2)
        #expect(points[2].speed == 1.1 && points[2].speedAccuracy == 0.5)
    }

    @Test func anEmptyRouteIsAnErrorAndMayBeFilledLater() async throws {
        let workout = try await savedWorkout()
        let builder = builder()
        let calls = Calls<(HKWorkoutRoute?, (any Error)?)>()
        builder.finishRoute(with: workout, metadata: nil) { calls.add(($0, $1)) }
        let (route, error) = await calls.next()
        #expect(route == nil)
        #expect((error as? HKError)?.code == .errorInvalidArgument)
        try await builder.insertRouteData([RouteFixtures.point(0)])
        #expect(try await builder.finishRoute(with: workout, metadata: nil).count == 1)
    }

    @Test(arguments: [[], [CLLocation(latitude: 91, longitude: 0)], [CLLocation(latitude: 0, longitude: .nan)]])
    func aFailedInsertionIsFinal(_ locations: [CLLocation]) async throws {
        let workout = try await savedWorkout()
        let builder = builder()
        try await builder.insertRouteData([RouteFixtures.point(0)])
        await #expect(throws: HKError.self) { try await builder.insertRouteData(locations) }
        await #expect(throws: HKError.self) { try await builder.insertRouteData([RouteFixtures.point(1)]) }
        await #expect(throws: HKError.self) { try await builder.finishRoute(with: workout, metadata: nil) }
    }

    @Test func theWorkoutIsSavedFirst() async throws {
        let builder = builder()
        try await builder.insertRouteData([RouteFixtures.point(0)])
        let unsaved = HKWorkout(activityType: .walking, start: start, end: start + 600)
        let error = await #expect(throws: HKError.self) {
            try await builder.finishRoute(with: unsaved, metadata: nil)
        }
        #expect(error?.code == .errorInvalidArgument)
        try await store.save(unsaved)
        #expect(try await builder.finishRoute(with: unsaved, metadata: nil).count == 1)
    }

    @Test func aFinishedBuilderIsDone() async throws {
        let workout = try await savedWorkout()
        let builder = builder()
        try await builder.insertRouteData([RouteFixtures.point(0)])
        try await builder.finishRoute(with: workout, metadata: nil)
        await #expect(throws: HKError.self) { try await builder.insertRouteData([RouteFixtures.point(1)]) }
        await #expect(throws: HKError.self) { try await builder.addMetadata(["a": 1]) }
        await #expect(throws: HKError.self) { try await builder.finishRoute(with: workout, metadata: nil) }
        let discarded = self.builder()
        discarded.discard()
        await #expect(throws: HKError.self) { try await discarded.insertRouteData([RouteFixtures.point(1)]) }
    }

    @Test func aRouteDoesNotMoveToAnotherWorkout() async throws {
        let route = try await route(3)
        let other = try await savedWorkout()
        await #expect(throws: HKError.self) { try await store.addSamples([route], to: other) }
        let found = try await HKSampleQueryDescriptor(
            predicates: [.workoutRoute(HKQuery.predicateForObjects(from: other))], sortDescriptors: []
        ).result(for: store)
        #expect(found.isEmpty)
    }

    @Test func aWorkoutOfAnotherApplicationTakesNoRoute() async throws {
        let name = FreshStore.name()
        let (mine, theirs) = (FreshStore.make(named: name), FreshStore.make(named: name, app: "org.example.other"))
        let workout = HKWorkout(activityType: .walking, start: start, end: start + 600)
        try await theirs.save(workout)
        let builder = HKWorkoutRouteBuilder(healthStore: mine, device: nil)
        try await builder.insertRouteData([RouteFixtures.point(0)])
        let error = await #expect(throws: HKError.self) {
            try await builder.finishRoute(with: workout, metadata: nil)
        }
        #expect(error?.code == .errorAuthorizationDenied)
    }

    @Test func theQueryHandsOverBatches() async throws {
        let route = try await route(250)
        let calls = Calls<[Int]>()
        store.execute(
            HKWorkoutRouteQuery(route: route) { calls.add([$1?.count ?? -1, $2 ? 1 : 0, $3 == nil ? 0 : 1]) })
        #expect(await calls.next() == [100, 0, 0])
        #expect(await calls.next() == [100, 0, 0])
        #expect(await calls.next() == [50, 1, 0])
    }

    @Test func theQueryKeepsToItsInterval() async throws {
        let route = try await route(100)
        let calls = Calls<([Date], Bool)>()
        let interval = DateInterval(start: start + 9.5, end: start + 12)
        store.execute(
            HKWorkoutRouteQuery(route: route, dateInterval: interval) { _, points, done, _ in
                calls.add((points?.map(\.timestamp) ?? [], done))
            })
        let (dates, done) = await calls.next()
        #expect(done)
        #expect(dates == [10, 11, 12].map { start + $0 })
        let outside = DateInterval(start: start + 900, end: start + 901)
        store.execute(
            HKWorkoutRouteQuery(route: route, dateInterval: outside) { _, points, done, _ in
                calls.add((points?.map(\.timestamp) ?? [.distantPast], done))
            })
        let (none, end) = await calls.next()
        #expect(none.isEmpty && end)
    }

    @Test func theHandlerMayStopTheQuery() async throws {
        let route = try await route(250)
        let calls = Calls<Int>()
        let store = store
        store.execute(
            HKWorkoutRouteQuery(route: route) { query, points, _, _ in
                store.stop(query)
                calls.add(points?.count ?? 0)
            })
        #expect(await calls.next() == 100)
        // A second query, whose end comes after everything the first one could still have said.
        let ends = Calls<Bool>()
        store.execute(HKWorkoutRouteQuery(route: route) { _, _, done, _ in if done { ends.add(done) } })
        #expect(await ends.next())
        #expect(calls.all == [100])
    }

    @Test func aDeletedRouteIsAnError() async throws {
        let route = try await route(2)
        try await store.delete(route)
        let calls = Calls<(Bool, Bool, (any Error)?)>()
        store.execute(HKWorkoutRouteQuery(route: route) { calls.add(($1 == nil, $2, $3)) })
        let (isNil, done, error) = await calls.next()
        #expect(isNil && done)
        #expect((error as? HKError)?.code == .errorInvalidArgument)
        await #expect(throws: HKError.self) {
            for try await _ in HKWorkoutRouteQueryDescriptor(route).results(for: store) {}
        }
    }

    @Test func routesAreObservedAndAnchoredLikeAnySample() async throws {
        let route = try await route(2)
        let descriptor = HKAnchoredObjectQueryDescriptor(predicates: [.workoutRoute()], anchor: nil)
        let first = try await descriptor.result(for: store)
        #expect(first.addedSamples == [route])
        try await store.delete(route)
        let next = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.workoutRoute()], anchor: first.newAnchor
        ).result(for: store)
        #expect(next.deletedObjects.map(\.uuid) == [route.uuid])
    }

    @Test func anArchiveKeepsEveryPoint() async throws {
        let route = try await route(20)
        let data = try NSKeyedArchiver.archivedData(withRootObject: route, requiringSecureCoding: true)
        let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: HKWorkoutRoute.self, from: data))
        #expect(back == route)
        #expect(back.fields == route.fields)
        #expect(back.startDate == route.startDate && back.endDate == route.endDate)
    }

    @Test func inconsistentColumnsAreNotARoute() throws {
        #expect(!RouteColumns.isComplete(DocumentBody(series: ["timestamps": [1], "latitudes": [1, 2]])))
        #expect(RouteColumns.isComplete(DocumentBody()))
        let damaged = DocumentBody(series: ["timestamps": [1]])
        #expect(!RouteColumns.isComplete(damaged))
        let base = SampleBase(
            identity: UUID(), context: ObjectContext(type: HKSeriesType.workoutRoute()), start: 0, end: 1)
        let route = HKWorkoutRoute(base, fields: RouteColumns(damaged))
        #expect(route.count == 0)
        var archive = try #require(ObjectCoding(route))
        func read() throws -> HKWorkoutRoute? {
            RecordBytesCoder.object(HKWorkoutRoute.self, in: try JSONEncoder().encode(archive))
        }
        #expect(try read()?.count == 0)
        try #require(archive.object != nil)
        archive.object?.body = .document(damaged)
        #expect(try read() == nil)
    }
}

/// Points of a straight walk north, one a second from the tests' instant on.
enum RouteFixtures {
    static func point(_ index: Int) -> CLLocation {
        CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 48 + Double(index) * 1e-5, longitude: 11.5),
            altitude: 500 + Double(index) / 10, horizontalAccuracy: 5, verticalAccuracy: 3, course: 359.5,
            courseAccuracy: 2, speed: 1.1, speedAccuracy: 0.5,
            timestamp: FreshStore.epoch + Double(index))
    }
}
