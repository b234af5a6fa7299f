/// An angle in degrees.
public typealias CLLocationDegrees = Double

/// A distance in metres.
public typealias CLLocationDistance = Double

/// A speed in metres a second; negative where it is not known.
public typealias CLLocationSpeed = Double

/// The accuracy of a speed in metres a second; negative where it is not known.
public typealias CLLocationSpeedAccuracy = Double

/// A direction in degrees from true north, clockwise; negative where it is not known.
public typealias CLLocationDirection = Double

/// The accuracy of a direction in degrees; negative where it is not known.
public typealias CLLocationDirectionAccuracy = Double

/// An accuracy in metres; negative where what it is of is not known.
public typealias CLLocationAccuracy = Double
