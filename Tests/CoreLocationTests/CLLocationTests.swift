import CoreLocation
import Foundation
import Testing

@Suite struct CLLocationTests {
    private let instant = Date(timeIntervalSinceReferenceDate: 700_000_000.125)

    @Test func missingValuesAreUnknown() {
        let bare = CLLocation(latitude: 48.1, longitude: 11.5)
        #expect(bare.coordinate.latitude == 48.1)
        #expect(bare.coordinate.longitude == 11.5)
        #expect(bare.verticalAccuracy < 0)
        #expect(bare.course < 0 && bare.courseAccuracy < 0)
        #expect(bare.speed < 0 && bare.speedAccuracy < 0)
        #expect(bare.floor == nil)
        let measured = CLLocation(
            coordinate: CLLocationCoordinate2DMake(1, 2), altitude: 3, horizontalAccuracy: 4,
            verticalAccuracy: 5, course: 6, speed: 7, timestamp: instant)
        #expect(measured.course == 6 && measured.courseAccuracy == -1)
        #expect(measured.speed == 7 && measured.speedAccuracy == -1)
        #expect(measured.ellipsoidalAltitude == 3)
    }

    @Test(arguments: [
        (90.0, 180.0, true), (-90, -180, true), (0, 0, true), (90.5, 0, false), (0, -180.5, false),
        (.nan, 0, false), (0, .infinity, false),
    ])
    func placesOnEarth(_ latitude: Double, _ longitude: Double, _ isValid: Bool) {
        let coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        #expect(CLLocationCoordinate2DIsValid(coordinate) == isValid)
    }

    @Test func noPlace() {
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
    }

    @Test func distances() {
        let pole = CLLocation(latitude: 90, longitude: 0)
        let equator = CLLocation(latitude: 0, longitude: 77)
        // A quarter of a great circle of the mean earth.
        #expect(abs(pole.distance(from: equator) - 6_371_008.8 * .pi / 2) < 1e-3)
        #expect(equator.distance(from: equator) == 0)
        let west = CLLocation(latitude: 0, longitude: 179.5)
        let east = CLLocation(latitude: 0, longitude: -179.5)
        #expect(abs(west.distance(from: east) - 6_371_008.8 * .pi / 180) < 1e-3)
        #expect(west.distance(from: east) == east.distance(from: west))
    }

    @Test func anArchiveKeepsEveryBit() throws {
        let location = CLLocation(
            coordinate: .init(latitude: 0.1 + 0.2, longitude: -.pi), altitude: -1.5,
            horizontalAccuracy: 4.25, verticalAccuracy: .greatestFiniteMagnitude, course: 359.9,
            courseAccuracy: 1, speed: .leastNonzeroMagnitude, speedAccuracy: -1, timestamp: instant)
        let data = try NSKeyedArchiver.archivedData(withRootObject: location, requiringSecureCoding: true)
        let back = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data))
        #expect(back.coordinate.latitude == location.coordinate.latitude)
        #expect(back.coordinate.longitude == location.coordinate.longitude)
        #expect(back.altitude == location.altitude)
        #expect(back.horizontalAccuracy == location.horizontalAccuracy)
        #expect(back.verticalAccuracy == location.verticalAccuracy)
        #expect(back.course == location.course && back.courseAccuracy == location.courseAccuracy)
        #expect(back.speed == location.speed && back.speedAccuracy == location.speedAccuracy)
        #expect(back.timestamp == location.timestamp && back.sourceInformation == nil)
        #expect(location.copy() as? CLLocation === location)
    }

    @Test func anArchiveKeepsTheOrigin() throws {
        let location = CLLocation(
            coordinate: .init(latitude: 1, longitude: 2), altitude: 3, horizontalAccuracy: 4, verticalAccuracy: 5,
            course: 6, courseAccuracy: 7, speed: 8, speedAccuracy: 9, timestamp: instant,
            sourceInfo: .init(softwareSimulationState: true, andExternalAccessoryState: false))
        let data = try NSKeyedArchiver.archivedData(withRootObject: location, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data)
        let origin = try #require(back?.sourceInformation)
        #expect(origin.isSimulatedBySoftware && !origin.isProducedByAccessory)
        #expect(back?.speedAccuracy == 9)
    }

    /// Reads an archive as `unarchivedObject(ofClass:from:)` does: errors come back.
    private func reader(_ bytes: Data?) throws -> NSKeyedUnarchiver {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        if let bytes { archiver.encode(bytes as NSData, forKey: "location") }
        archiver.finishEncoding()
        let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        reader.decodingFailurePolicy = .setErrorAndReturn
        return reader
    }

    @Test func archivesOfOtherObjectsAreRejected() throws {
        #expect(CLLocation(coder: try reader(Data(count: 79))) == nil)
        #expect(CLLocation(coder: try reader(Data(count: 81))) == nil)
        #expect(CLLocation(coder: try reader(nil)) == nil)
        #expect(CLLocation(coder: try reader(Data(count: 80)))?.coordinate.latitude == 0)
        #expect(CLFloor(coder: try reader(nil)) == nil)
    }
}

@Suite("Constants of a location manager")
struct LocationConstantsTests {
    @Test("Accuracies are meters, and special ones are negative")
    func accuracies() {
        let meters = [
            kCLLocationAccuracyNearestTenMeters, kCLLocationAccuracyHundredMeters, kCLLocationAccuracyKilometer,
            kCLLocationAccuracyThreeKilometers,
        ]
        #expect(meters == [10, 100, 1_000, 3_000])
        #expect(kCLLocationAccuracyBestForNavigation < kCLLocationAccuracyBest && kCLLocationAccuracyBest < 0)
        #expect(kCLDistanceFilterNone < 0 && CLLocationDistanceMax == Double.greatestFiniteMagnitude)
    }
}
