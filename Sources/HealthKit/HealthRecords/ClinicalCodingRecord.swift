/// A code of a medical vocabulary as plain values.
struct ClinicalCodingRecord: Hashable, Sendable, Codable {
    var system: String
    var version: String?
    var code: String
}
