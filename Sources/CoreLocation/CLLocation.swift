public import Foundation

/// Where something was at one instant, as a receiver measured it. Never changes once made.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The place.
    public let coordinate: CLLocationCoordinate2D
    /// Metres above mean sea level; valid while ``verticalAccuracy`` is above 0.
    public let altitude: CLLocationDistance
    /// The radius, in metres, of the circle the place lies in; negative when the place is not known.
    public let horizontalAccuracy: CLLocationAccuracy
    /// Metres that the altitude may be off; 0 or negative when it is not known.
    public let verticalAccuracy: CLLocationAccuracy
    /// The direction of travel; negative when it is not known.
    public let course: CLLocationDirection
    /// Degrees that the direction may be off; negative when it is not known.
    public let courseAccuracy: CLLocationDirectionAccuracy
    /// How fast it moved; negative when it is not known.
    public let speed: CLLocationSpeed
    /// How much the speed may be off; negative when it is not known.
    public let speedAccuracy: CLLocationSpeedAccuracy
    /// When it was there.
    public let timestamp: Date

    /// A place without altitude, course or speed, now.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
            horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
    }

    /// A place without course or speed.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy, verticalAccuracy vAccuracy: CLLocationAccuracy,
        timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
            verticalAccuracy: vAccuracy, course: -1, speed: -1, timestamp: timestamp)
    }

    /// A place with course and speed of unknown accuracy.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy, verticalAccuracy vAccuracy: CLLocationAccuracy,
        course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
            verticalAccuracy: vAccuracy, course: course, courseAccuracy: -1, speed: speed,
            speedAccuracy: -1, timestamp: timestamp)
    }

    /// A place with everything that can be known of it.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy, verticalAccuracy vAccuracy: CLLocationAccuracy,
        course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
        speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        horizontalAccuracy = hAccuracy
        verticalAccuracy = vAccuracy
        self.course = course
        self.courseAccuracy = courseAccuracy
        self.speed = speed
        self.speedAccuracy = speedAccuracy
        self.timestamp = timestamp
    }

    /// Metres above the WGS 84 ellipsoid. The shape of the sea is not known here, so this is
    /// ``altitude``.
    open var ellipsoidalAltitude: CLLocationDistance { altitude }

    /// The storey of a building: never known here.
    open var floor: CLFloor? { nil }

    /// Metres to another place along a great circle of the mean earth (radius 6,371,008.8 m); heights
    /// are left out.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        let radians = Double.pi / 180
        let first = coordinate.latitude * radians
        let second = location.coordinate.latitude * radians
        let north = sin((second - first) / 2)
        let east = sin((location.coordinate.longitude - coordinate.longitude) * radians / 2)
        let chord = north * north + cos(first) * cos(second) * east * east
        return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override var description: String {
        "<\(coordinate.latitude),\(coordinate.longitude)> +/- \(horizontalAccuracy)m "
            + "(speed \(speed) mps / course \(course)) @ \(timestamp)"
    }

    // MARK: Coding

    /// Ten numbers, each as eight bytes, least first.
    private static let archivedCount = 80
    private static let key = "location"

    public static var supportsSecureCoding: Bool { true }

    /// `nil` for an archive that holds no location.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: Self.key), let data = coder.decodeObject(of: NSData.self, forKey: Self.key) as Data?,
            data.count == Self.archivedCount
        else { return nil }
        let bytes = [UInt8](data)
        let numbers = stride(from: 0, to: bytes.count, by: 8).map { start in
            Double(bitPattern: bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }
        coordinate = CLLocationCoordinate2D(latitude: numbers[0], longitude: numbers[1])
        altitude = numbers[2]
        horizontalAccuracy = numbers[3]
        verticalAccuracy = numbers[4]
        course = numbers[5]
        courseAccuracy = numbers[6]
        speed = numbers[7]
        speedAccuracy = numbers[8]
        timestamp = Date(timeIntervalSinceReferenceDate: numbers[9])
    }

    open func encode(with coder: NSCoder) {
        let numbers = [
            coordinate.latitude, coordinate.longitude, altitude, horizontalAccuracy, verticalAccuracy,
            course, courseAccuracy, speed, speedAccuracy, timestamp.timeIntervalSinceReferenceDate,
        ]
        let bytes = numbers.flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt64($0))) }
        }
        coder.encode(Data(bytes) as NSData, forKey: Self.key)
    }
}
