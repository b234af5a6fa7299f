package import Foundation
import HealthModel

extension HKElectrocardiogram {
    /// What an electrocardiogram is made of, for tests and tools: applications cannot make one.
    package struct Recording: Sendable {
        /// When it began.
        package var start: Date
        /// Voltages of the one lead there is, in volts; NaN where none was measured.
        package var volts: [Double]
        /// Measurements a second.
        package var frequency: Double
        package var classification: Classification
        package var symptomsStatus: SymptomsStatus
        /// Beats a minute.
        package var averageHeartRate: Double?

        package init(
            start: Date, volts: [Double], frequency: Double = 512,
            classification: Classification = .sinusRhythm, symptomsStatus: SymptomsStatus = .notSet,
            averageHeartRate: Double? = nil
        ) {
            self.start = start
            self.volts = volts
            self.frequency = frequency
            self.classification = classification
            self.symptomsStatus = symptomsStatus
            self.averageHeartRate = averageHeartRate
        }
    }

    /// An electrocardiogram of a recording, as a device would write it.
    ///
    /// A frequency that is not positive, or metadata that is not allowed, ends the process.
    package convenience init(
        recording: Recording, device: HKDevice? = nil, metadata: [String: Any]? = nil
    ) {
        let document = ProgrammerError.checked { () throws(ObjectRefusal) in try Self.document(recording) }
        self.init(
            new: .electrocardiogramType(), start: recording.start,
            end: recording.start + Double(recording.volts.count) / recording.frequency, device: device,
            metadata: metadata, document: document)
    }

    /// The document of a recording.
    ///
    /// - Throws: for a frequency or a heart rate that is not positive.
    static func document(_ recording: Recording) throws(ObjectRefusal) -> DocumentBody {
        guard recording.frequency > 0, recording.frequency.isFinite else {
            throw ObjectRefusal(reason: "An HKElectrocardiogram requires a positive sampling frequency")
        }
        var fields: [String: FieldValue] = [
            Field.classification: .integer(Int64(recording.classification.rawValue)),
            Field.symptomsStatus: .integer(Int64(recording.symptomsStatus.rawValue)),
            Field.samplingFrequency: .quantity(QuantityRecord(recording.frequency, unit: "Hz")),
        ]
        if let rate = recording.averageHeartRate {
            guard rate > 0, rate.isFinite else {
                throw ObjectRefusal(reason: "The average heart rate of an HKElectrocardiogram must be positive")
            }
            fields[Field.averageHeartRate] = .quantity(QuantityRecord(rate, unit: "count/min"))
        }
        return DocumentBody(
            fields: fields,
            series: [
                Field.times: recording.volts.indices.map { Double($0) / recording.frequency },
                Field.voltages(.appleWatchSimilarToLeadI): recording.volts,
            ])
    }
}
