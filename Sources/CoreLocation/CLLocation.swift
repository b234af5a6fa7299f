// A file that imports only CoreLocation sees Foundation too, as with the original.
@_exported public import Foundation

/// A measured position at one instant. Locations are immutable.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The position.
    public let coordinate: CLLocationCoordinate2D
    /// The altitude in meters above mean sea level; valid if ``verticalAccuracy`` is positive.
    public let altitude: CLLocationDistance
    /// The radius of uncertainty of the position in meters; negative if the position is invalid.
    public let horizontalAccuracy: CLLocationAccuracy
    /// The accuracy of the altitude in meters; 0 or negative if the altitude is invalid.
    public let verticalAccuracy: CLLocationAccuracy
    /// The direction of travel; negative if it is invalid.
    public let course: CLLocationDirection
    /// The accuracy of the course in degrees; negative if the course is invalid.
    public let courseAccuracy: CLLocationDirectionAccuracy
    /// The speed; negative if it is invalid.
    public let speed: CLLocationSpeed
    /// The accuracy of the speed; negative if the speed is invalid.
    public let speedAccuracy: CLLocationSpeedAccuracy
    /// The time of the measurement.
    public let timestamp: Date
    /// The origin of the measurement, if it is known.
    public let sourceInformation: CLLocationSourceInformation?

    /// Creates a location without altitude, course or speed, measured now.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
            horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
    }

    /// Creates a location without course or speed.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy, verticalAccuracy vAccuracy: CLLocationAccuracy,
        timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
            verticalAccuracy: vAccuracy, course: -1, speed: -1, timestamp: timestamp)
    }

    /// Creates a location with course and speed of unknown accuracy.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy, verticalAccuracy vAccuracy: CLLocationAccuracy,
        course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
            course: course, courseAccuracy: -1, speed: speed, speedAccuracy: -1, timestamp: timestamp)
    }

    /// Creates a location with all values and its origin.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy, verticalAccuracy vAccuracy: CLLocationAccuracy,
        course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
        speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date,
        sourceInfo: CLLocationSourceInformation
    ) {
        (self.coordinate, self.altitude) = (coordinate, altitude)
        (horizontalAccuracy, verticalAccuracy) = (hAccuracy, vAccuracy)
        (self.course, self.courseAccuracy) = (course, courseAccuracy)
        (self.speed, self.speedAccuracy) = (speed, speedAccuracy)
        (self.timestamp, sourceInformation) = (timestamp, sourceInfo)
    }

    /// Creates a location with all values.
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
        sourceInformation = nil
    }

    /// The altitude in meters above the WGS 84 ellipsoid. Without a model of the sea level, this is ``altitude``.
    open var ellipsoidalAltitude: CLLocationDistance { altitude }

    /// The floor of a building: always `nil`.
    open var floor: CLFloor? { nil }

    /// The distance to another location in meters along a great circle of a sphere with the earth's mean radius
    /// (6,371,008.8 m). Altitudes are ignored.
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

    /// Ten numbers, each as eight bytes in little-endian order.
    private static let archivedCount = 80
    private static let key = "location"
    private static let sourceKey = "source"

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a location; `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: Self.key),
            let data = coder.decodeObject(of: NSData.self, forKey: Self.key) as Data?, data.count == Self.archivedCount
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
        sourceInformation =
            coder.containsValue(forKey: Self.sourceKey)
            ? coder.decodeObject(of: CLLocationSourceInformation.self, forKey: Self.sourceKey) : nil
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
        if let sourceInformation { coder.encode(sourceInformation, forKey: Self.sourceKey) }
    }
}

/// The origin of a location.
// Unchecked: the stored properties are constants; the compiler checks only final classes.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// A Boolean value that indicates whether software simulated the location.
    public let isSimulatedBySoftware: Bool
    /// A Boolean value that indicates whether an external accessory measured the location.
    public let isProducedByAccessory: Bool

    /// Creates the origin of a location.
    public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
        (isSimulatedBySoftware, isProducedByAccessory) = (isSoftware, isAccessory)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes an origin; `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "states"),
            let states = coder.decodeObject(of: NSString.self, forKey: "states") as String?, states.count == 2
        else { return nil }
        (isSimulatedBySoftware, isProducedByAccessory) = (states.hasPrefix("1"), states.hasSuffix("1"))
    }

    open func encode(with coder: NSCoder) {
        // As text, because numbers lose their type in Foundation's unarchiver on Linux.
        let states = "\(isSimulatedBySoftware ? 1 : 0)\(isProducedByAccessory ? 1 : 0)"
        coder.encode(states as NSString, forKey: "states")
    }
}

/// A position on the surface of the earth in the WGS 84 reference frame.
public struct CLLocationCoordinate2D: Sendable {
    /// The latitude in degrees; negative south of the equator.
    public var latitude: CLLocationDegrees
    /// The longitude in degrees; negative west of Greenwich.
    public var longitude: CLLocationDegrees

    /// Creates the coordinate of latitude 0 and longitude 0.
    public init() {
        latitude = 0
        longitude = 0
    }

    /// Creates a coordinate of a latitude and a longitude in degrees, which are not checked.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// An invalid coordinate.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Whether the latitude is between -90 and 90 degrees and the longitude between -180 and 180.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
    // NaN fails both comparisons.
    abs(coordinate.latitude) <= 90 && abs(coordinate.longitude) <= 180
}

/// Creates a coordinate of a latitude and a longitude in degrees.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// A floor of a building. This platform does not detect floors, so no location has one.
// Unchecked: the only stored property is constant; the compiler checks only final classes.
open class CLFloor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The level: 0 for the ground floor, negative below it.
    public let level: Int

    package init(level: Int) {
        self.level = level
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a floor; `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        // Foundation's unarchiver may end the process for a missing key.
        guard coder.containsValue(forKey: "level"), let text = coder.decodeObject(of: NSString.self, forKey: "level"),
            let level = Int(text as String)
        else { return nil }
        self.level = level
    }

    open func encode(with coder: NSCoder) {
        // As text, because numbers lose their type in Foundation's unarchiver on Linux.
        coder.encode("\(level)" as NSString, forKey: "level")
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CLFloor)?.level == level
    }

    open override var hash: Int { level.hashValue }
}

/// An angle in degrees.
public typealias CLLocationDegrees = Double

/// A distance in meters.
public typealias CLLocationDistance = Double

/// A speed in meters per second; negative if it is invalid.
public typealias CLLocationSpeed = Double

/// The accuracy of a speed in meters per second; negative if the speed is invalid.
public typealias CLLocationSpeedAccuracy = Double

/// A direction in degrees clockwise from true north; negative if it is invalid.
public typealias CLLocationDirection = Double

/// The accuracy of a direction in degrees; negative if the direction is invalid.
public typealias CLLocationDirectionAccuracy = Double

/// An accuracy in meters; negative if the measured value is invalid.
public typealias CLLocationAccuracy = Double
