public import Foundation
import HealthModel

/// An electrocardiogram: its class, its voltages, and whether there were symptoms.
///
/// Applications read electrocardiograms and cannot make them, as with the original.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKElectrocardiogram: HKSample, DocumentBacked, @unchecked Sendable {
    /// The names of the document's fields and series.
    enum Field {
        static let classification = ElectrocardiogramDocument.classification
        static let symptomsStatus = ElectrocardiogramDocument.symptomsStatus
        static let averageHeartRate = ElectrocardiogramDocument.averageHeartRate
        static let samplingFrequency = ElectrocardiogramDocument.samplingFrequency
        static let times = ElectrocardiogramDocument.times

        static func voltages(_ lead: Lead) -> String { ElectrocardiogramDocument.voltages(lead: lead.rawValue) }
    }

    final let document: DocumentBody

    required init(identity: UUID, context: ObjectContext, start: Double, end: Double, document: DocumentBody) {
        self.document = document
        super.init(identity: identity, context: context, start: start, end: end)
    }

    /// How many measurements there are.
    public var numberOfVoltageMeasurements: Int { document.series[Field.times]?.count ?? 0 }

    /// How many measurements were made a second; `nil` where that is not known.
    public var samplingFrequency: HKQuantity? { document.quantity(Field.samplingFrequency) }

    /// What the recording was found to be.
    public var classification: HKElectrocardiogram.Classification {
        document.integer(Field.classification).map { Classification(rawValue: $0) ?? .unrecognized } ?? .notSet
    }

    /// The heart rate during the recording; `nil` where the recording was too poor for one.
    public var averageHeartRate: HKQuantity? { document.quantity(Field.averageHeartRate) }

    /// Whether the person noted symptoms.
    public var symptomsStatus: HKElectrocardiogram.SymptomsStatus {
        document.integer(Field.symptomsStatus).flatMap(SymptomsStatus.init(rawValue:)) ?? .notSet
    }

    /// The electrocardiogram in an archive; `nil` for a damaged one.
    public required init?(coder: NSCoder) {
        guard let item = ObjectArchive.document(from: coder), item.context.type is HKElectrocardiogramType,
            item.document.integer(Field.classification) != nil,
            item.document.integer(Field.symptomsStatus) != nil, Self.isComplete(item.document)
        else { return nil }
        document = item.document
        super.init(identity: item.identity, context: item.context, start: item.start, end: item.end)
    }

    /// Whether there is a voltage for every time, and no quantity is of another kind.
    private static func isComplete(_ document: DocumentBody) -> Bool {
        let count = document.series[Field.times]?.count ?? 0
        return document.series.values.allSatisfy { $0.count == count }
            && [Field.averageHeartRate, Field.samplingFrequency].allSatisfy {
                document[$0] == nil || document.quantity($0) != nil
            }
    }
}
