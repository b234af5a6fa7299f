/// What any other object holds: named fields, and long inner series in columns.
///
/// Electrocardiograms, audiograms, prescriptions, states of mind, assessments, clinical records,
/// routes and heartbeats are all kept so; the API layer alone knows their names.
public struct DocumentBody: Hashable, Sendable, Codable {
    /// Short facts by name.
    public var fields: [String: FieldValue]
    /// Long columns of numbers by name (voltages, coordinates, offsets), stored as pages store columns.
    public var series: [String: [Double]]

    /// Makes a document of fields and columns.
    public init(fields: [String: FieldValue] = [:], series: [String: [Double]] = [:]) {
        self.fields = fields
        self.series = series
    }

    /// The field of this name; setting `nil` takes it away.
    public subscript(name: String) -> FieldValue? {
        get { fields[name] }
        set { fields[name] = newValue }
    }
}
