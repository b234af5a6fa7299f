// What code sets on a location manager. There is no location manager here: a device has one, and its code stays in the app.
// The values are those of the original's public headers.

/// The highest accuracy with additional sensor data, for navigation.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// The best accuracy.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// An accuracy of ten meters.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// An accuracy of a hundred meters.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// An accuracy of a kilometer.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1_000
/// An accuracy of three kilometers.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3_000
/// A distance filter that reports all movements.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// The maximum distance.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
