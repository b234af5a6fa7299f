/// The field and series names of an electrocardiogram.
package enum ElectrocardiogramDocument {
    /// The classification of the recording, an integer: not set 0, sinus rhythm 1, atrial fibrillation 2,
    /// inconclusive because of a low heart rate 3, of a high heart rate 4 or of a poor reading 5, inconclusive
    /// for another reason 6, unrecognized 100.
    package static let classification = "classification"
    /// Whether the person recorded symptoms, an integer: not set 0, none 1, present 2.
    package static let symptomsStatus = "symptomsStatus"
    /// A quantity; missing if the recording was too poor to determine it.
    package static let averageHeartRate = "averageHeartRate"
    /// A quantity: measurements per second.
    package static let samplingFrequency = "samplingFrequency"
    /// A series: seconds since the start, one per measurement.
    package static let times = "times"

    /// A series: the volts measured by a lead, one per measurement; NaN where there is none. The only lead,
    /// similar to lead I, is number 1.
    package static func voltages(lead: Int) -> String { "voltages.\(lead)" }
}

/// The series names of a heartbeat series: columns of equal length with one row per beat.
package enum HeartbeatSeriesDocument {
    /// Seconds since the start, ascending.
    package static let offsets = "offsets"
    /// 1 if beats were missed before this one, otherwise 0; missing if unknown.
    package static let gaps = "gaps"
    /// Beats per minute at each beat, as given by an archive; missing if unknown.
    package static let rates = "rates"
}

/// The series names of a workout route: one column per property of its locations, all of equal length and
/// ordered by time.
package enum RouteDocument {
    /// A property of the locations; the raw values are the stored names.
    package enum Column: String, CaseIterable, Sendable {
        /// Seconds since 2001-01-01 00:00:00 UTC, ascending.
        case timestamps
        /// Degrees north of the equator.
        case latitudes
        /// Degrees east of Greenwich.
        case longitudes
        /// Meters above sea level.
        case altitudes
        /// The radius of uncertainty of the coordinate in meters; negative if the coordinate is invalid.
        case horizontalAccuracies
        /// The uncertainty of the altitude in meters; negative if the altitude is invalid.
        case verticalAccuracies
        /// Degrees clockwise from true north; negative if unknown.
        case courses
        /// The uncertainty of the course in degrees; negative if unknown.
        case courseAccuracies
        /// Meters per second; negative if unknown.
        case speeds
        /// The uncertainty of the speed in meters per second; negative if unknown.
        case speedAccuracies
    }
}

/// The field names of a clinical record.
package enum ClinicalRecordDocument {
    /// The name shown to people.
    package static let displayName = "displayName"
    /// The version of the FHIR standard, such as `4.0.1`.
    package static let version = "FHIRVersion"
    /// The type of the FHIR resource, such as `Immunization`.
    package static let resourceType = "FHIRResourceType"
    /// The resource's identifier at the institution.
    package static let identifier = "FHIRIdentifier"
    /// The resource as JSON; missing if only its existence is known.
    package static let data = "FHIRData"
    /// The URL the resource was retrieved from.
    package static let sourceURL = "FHIRSourceURL"
}

/// The field names of an audiogram, and the limits of its values.
package enum AudiogramDocument {
    /// The list of sensitivity points, each a ``Point`` record.
    package static let points = "sensitivityPoints"

    /// The field names of the sensitivities at one frequency.
    package enum Point {
        /// The frequency of the tone, a quantity.
        package static let frequency = "frequency"
        /// The list of tests, each a ``Test`` record.
        package static let tests = "tests"
    }

    /// The field names of one test of one ear.
    package enum Test {
        /// The faintest tone heard, a quantity.
        package static let sensitivity = "sensitivity"
        /// The raw value of the conduction type.
        package static let type = "type"
        /// Whether the other ear was masked with noise.
        package static let masked = "masked"
        /// The raw value of the ear.
        package static let side = "side"
        /// The range the sensitivity was clamped to, a ``ClampingRange`` record; missing if it was not clamped.
        package static let clampingRange = "clampingRange"
    }

    /// The field names of a clamping range, in decibels of hearing level.
    package enum ClampingRange {
        /// The minimum; missing if there is none.
        package static let lower = "lowerBound"
        /// The maximum; missing if there is none.
        package static let upper = "upperBound"
    }

    /// The raw value of air conduction.
    package static let air: Int64 = 0
    /// The raw value of the left ear.
    package static let left: Int64 = 0
    /// The raw value of the right ear.
    package static let right: Int64 = 1

    /// The maximum frequency of a point, in hertz. The original does not publish its limit; this is the limit of
    /// human hearing.
    package static let maximumFrequency = 20_000.0

    /// The allowed sensitivities, in decibels of hearing level. The original does not publish its limits; these
    /// are wider than what audiometers measure.
    package static let sensitivities = -50.0...200.0
}
