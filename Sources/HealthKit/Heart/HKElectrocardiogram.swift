public import Foundation

/// An electrocardiogram: its classification, its voltages, and whether there were symptoms.
///
/// Applications can read electrocardiograms but cannot create them.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKElectrocardiogram: HKSample, DocumentSample, @unchecked Sendable {
    /// The stored values. Raw values are kept as they are, so that values of a later version survive.
    struct Fields: Hashable, Sendable {
        var classification: Int?
        var symptomsStatus: Int?
        var averageHeartRate: HKQuantity?
        var samplingFrequency: HKQuantity?
        /// Seconds since the start, one for each measurement.
        var times: [Double]?
        /// Volts by the raw value of a lead, one for each measurement; NaN where the lead has none.
        var voltages: [Int: [Double]] = [:]
    }

    final let fields: Fields

    init(_ base: SampleBase, fields: Fields) {
        self.fields = fields
        super.init(base)
    }

    class func stored(_ base: SampleBase, fields: Fields) -> HKSample { HKElectrocardiogram(base, fields: fields) }

    /// The number of voltage measurements.
    open var numberOfVoltageMeasurements: Int { fields.times?.count ?? 0 }

    /// The number of measurements per second; `nil` if unknown.
    open var samplingFrequency: HKQuantity? { fields.samplingFrequency }

    /// The classification of the recording.
    open var classification: HKElectrocardiogram.Classification {
        fields.classification.map { Classification(rawValue: $0) ?? .unrecognized } ?? .notSet
    }

    /// The heart rate during the recording; `nil` if the recording was too poor to determine one.
    open var averageHeartRate: HKQuantity? { fields.averageHeartRate }

    /// A value that indicates whether the person noted symptoms.
    open var symptomsStatus: HKElectrocardiogram.SymptomsStatus {
        fields.symptomsStatus.flatMap(SymptomsStatus.init(rawValue:)) ?? .notSet
    }

    /// The electrocardiogram in an archive; `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let archived = ObjectCoding.fields(Fields.self, from: coder) else { return nil }
        fields = archived.fields
        super.init(archived.base)
    }
}

// MARK: - Voltages

extension HKElectrocardiogram {
    /// The voltages of an electrocardiogram's leads at one instant.
    // Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
    open class VoltageMeasurement: NSObject, NSCopying, @unchecked Sendable {
        /// Seconds from the start of the recording.
        open var timeSinceSampleStart: TimeInterval { storedTimeSinceSampleStart }

        private let storedTimeSinceSampleStart: TimeInterval
        private let volts: [Lead: Double]

        init(timeSinceSampleStart: TimeInterval, volts: [Lead: Double]) {
            storedTimeSinceSampleStart = timeSinceSampleStart
            self.volts = volts
        }

        /// The voltage of a lead; `nil` if the lead has none at this instant.
        open func quantity(for lead: HKElectrocardiogram.Lead) -> HKQuantity? {
            volts[lead].map { HKQuantity(unit: .volt(), doubleValue: $0) }
        }

        /// Returns the measurement itself, which never changes.
        open func copy(with zone: NSZone? = nil) -> Any { self }
    }

    /// The measurements in order of time.
    var measurements: [VoltageMeasurement] {
        let times = fields.times ?? []
        let leads = [Lead.appleWatchSimilarToLeadI].map { ($0, fields.voltages[$0.rawValue] ?? []) }
        return times.indices.map { index in
            var volts: [Lead: Double] = [:]
            for (lead, values) in leads where index < values.count && !values[index].isNaN {
                volts[lead] = values[index]
            }
            return VoltageMeasurement(timeSinceSampleStart: times[index], volts: volts)
        }
    }
}

// MARK: - Recordings

extension HKElectrocardiogram {
    /// The contents of a new electrocardiogram, for tests and tools: applications cannot create one.
    package struct Recording: Sendable {
        /// The start of the recording.
        package var start: Date
        /// The voltages of the one lead, in volts; NaN where none was measured.
        package var volts: [Double]
        /// Measurements per second.
        package var frequency: Double
        package var classification: Classification
        package var symptomsStatus: SymptomsStatus
        /// Beats per minute.
        package var averageHeartRate: Double?

        package init(
            start: Date, volts: [Double], frequency: Double = 512, classification: Classification = .sinusRhythm,
            symptomsStatus: SymptomsStatus = .notSet, averageHeartRate: Double? = nil
        ) {
            self.start = start
            self.volts = volts
            self.frequency = frequency
            self.classification = classification
            self.symptomsStatus = symptomsStatus
            self.averageHeartRate = averageHeartRate
        }
    }

    /// Creates the electrocardiogram of a recording, as a device writes it.
    ///
    /// A frequency or heart rate that is not positive, or metadata that is not allowed, ends the process.
    package convenience init(
        recording: Recording, device: HKDevice? = nil, metadata: [String: Any]? = nil
    ) {
        let fields = ProgrammerError.checked { () throws(InvalidObjectError) in try Self.fields(of: recording) }
        self.init(
            .document(
                .electrocardiogramType(), start: recording.start,
                end: recording.start + Double(recording.volts.count) / recording.frequency, device: device,
                metadata: metadata), fields: fields)
    }

    /// The values of a recording.
    ///
    /// - Throws: for a frequency or a heart rate that is not positive.
    static func fields(of recording: Recording) throws(InvalidObjectError) -> Fields {
        guard recording.frequency > 0, recording.frequency.isFinite else {
            throw InvalidObjectError(reason: "An HKElectrocardiogram requires a positive sampling frequency")
        }
        var fields = Fields(
            classification: recording.classification.rawValue, symptomsStatus: recording.symptomsStatus.rawValue,
            samplingFrequency: HKQuantity(unit: .hertz(), doubleValue: recording.frequency),
            times: recording.volts.indices.map { Double($0) / recording.frequency },
            voltages: [Lead.appleWatchSimilarToLeadI.rawValue: recording.volts])
        if let rate = recording.averageHeartRate {
            guard rate > 0, rate.isFinite else {
                throw InvalidObjectError(reason: "The average heart rate of an HKElectrocardiogram must be positive")
            }
            fields.averageHeartRate = HKQuantity(unit: .count().unitDivided(by: .minute()), doubleValue: rate)
        }
        return fields
    }
}

// MARK: - Symptoms

extension HKHealthStore {
    /// Associates symptoms with a stored electrocardiogram, as the system does. Samples that are not stored yet
    /// are saved; ``HKQuery/predicateForObjectsAssociated(electrocardiogram:)`` finds all of them.
    package func associate(
        _ symptoms: [HKCategorySample], with electrocardiogram: HKElectrocardiogram
    ) async throws {
        try await connection.perform(connection.addingMembers(symptoms, to: electrocardiogram))
    }
}
