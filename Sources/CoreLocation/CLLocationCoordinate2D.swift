/// A place on the surface of the earth, in the WGS 84 reference frame.
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees north of the equator; negative to the south.
    public var latitude: CLLocationDegrees
    /// Degrees east of Greenwich; negative to the west.
    public var longitude: CLLocationDegrees

    /// Where the equator meets the zero meridian.
    public init() {
        latitude = 0
        longitude = 0
    }

    /// Makes a place of its degrees, which are not checked.
    /// The place of a latitude and a longitude, in degrees.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A coordinate that is no place.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Whether the latitude lies within 90 degrees and the longitude within 180, both ways.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
    // A number that is none fails both comparisons.
    abs(coordinate.latitude) <= 90 && abs(coordinate.longitude) <= 180
}

/// The coordinate of a latitude and a longitude, in degrees.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}
