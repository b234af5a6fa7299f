import HealthModel

/// The quantities that count in a series sample's place.
struct SeriesExpansion {
    let series: QuantitySeries
    let revision: UInt32
    let conversion: UnitConversion
}
