import HealthModel

/// A record that is a page sample, its nouns as numbers of this import.
struct ParsedSample {
    /// Index into ``TypeTable``.
    var type: Int
    var start: Double
    var end: Double
    var value: Double
    var unit: UInt32
    var revision: UInt32
    var device: UInt32
    /// NaN where the archive gives none.
    var creation: Double
    var metadata: Metadata
}
