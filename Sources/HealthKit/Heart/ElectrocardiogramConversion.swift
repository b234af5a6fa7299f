import HealthModel

extension HKElectrocardiogram {
    /// The names of the document's fields that predicates use.
    enum Field {
        static let classification = ElectrocardiogramDocument.classification
        static let symptomsStatus = ElectrocardiogramDocument.symptomsStatus
        static let averageHeartRate = ElectrocardiogramDocument.averageHeartRate
    }
}

extension HKElectrocardiogram.Fields: DocumentFields {
    typealias SampleType = HKElectrocardiogramType
    private typealias Field = ElectrocardiogramDocument

    /// The leads of this version.
    private static let leads = [HKElectrocardiogram.Lead.appleWatchSimilarToLeadI.rawValue]

    init(_ document: DocumentBody) {
        self.init(
            classification: document.integer(Field.classification),
            symptomsStatus: document.integer(Field.symptomsStatus),
            averageHeartRate: document.quantity(Field.averageHeartRate),
            samplingFrequency: document.quantity(Field.samplingFrequency), times: document.series[Field.times])
        for lead in Self.leads { voltages[lead] = document.series[Field.voltages(lead: lead)] }
    }

    var document: DocumentBody {
        var document = DocumentBody(present: [
            Field.classification: .wholeNumber(classification), Field.symptomsStatus: .wholeNumber(symptomsStatus),
            Field.averageHeartRate: .quantity(averageHeartRate), Field.samplingFrequency: .quantity(samplingFrequency),
        ])
        document.series[Field.times] = times
        for (lead, volts) in voltages { document.series[Field.voltages(lead: lead)] = volts }
        return document
    }

    /// There must be a voltage for every time, and quantities must be quantities.
    static func isComplete(_ document: DocumentBody) -> Bool {
        let count = document.series[Field.times]?.count ?? 0
        return document.integer(Field.classification) != nil && document.integer(Field.symptomsStatus) != nil
            && document.series.values.allSatisfy { $0.count == count }
            && [Field.averageHeartRate, Field.samplingFrequency].allSatisfy {
                document[$0] == nil || document.quantity($0) != nil
            }
    }
}
