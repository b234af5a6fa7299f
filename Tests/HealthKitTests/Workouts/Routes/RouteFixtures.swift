import CoreLocation
import Foundation

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
