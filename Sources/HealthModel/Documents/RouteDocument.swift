/// What a workout route keeps in its document: a column for each property of a location, all of one
/// length, ordered by time. The names are those of the store.
public enum RouteDocument {
    /// A property of the locations.
    public enum Column: String, CaseIterable, Sendable {
        /// Seconds since 2001-01-01 00:00:00 UTC, ascending.
        case timestamps
        /// Degrees north of the equator.
        case latitudes
        /// Degrees east of Greenwich.
        case longitudes
        /// Metres above sea level.
        case altitudes
        /// Radius of uncertainty of the place in metres; negative for a place that is not valid.
        case horizontalAccuracies
        /// Uncertainty of the altitude in metres; negative where the altitude is not valid.
        case verticalAccuracies
        /// Degrees clockwise from true north; negative where the course is not known.
        case courses
        /// Uncertainty of the course in degrees; negative where it is not known.
        case courseAccuracies
        /// Metres a second; negative where the speed is not known.
        case speeds
        /// Uncertainty of the speed in metres a second; negative where it is not known.
        case speedAccuracies
    }
}
