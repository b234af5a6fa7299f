import HealthModel

/// The attributes that give a workout's totals, and what its statistics tell of them. Archives since iOS 16
/// have the statistics alone.
enum WorkoutTotals {
    static let distance = "totalDistance"
    static let energy = "totalEnergyBurned"
    static let strokes = "totalSwimmingStrokeCount"
    static let flights = "totalFlightsClimbed"

    /// The sum among the workout's own statistics that stands for a total. The activities' statistics are
    /// parts of those and are not added.
    static func told(by statistics: [WorkoutBody.Statistics], _ total: String) -> QuantityRecord? {
        guard let figures = statistics.first(where: { isMeant($0.type, total) && $0.sum != nil && !$0.unit.isEmpty }),
            let sum = figures.sum
        else { return nil }
        return QuantityRecord(sum, unit: figures.unit)
    }

    private static func isMeant(_ type: String, _ total: String) -> Bool {
        switch total {
        case energy: type.hasSuffix("ActiveEnergyBurned")
        case distance: type.contains("IdentifierDistance")
        case strokes: type.hasSuffix("SwimmingStrokeCount")
        case flights: type.hasSuffix("FlightsClimbed")
        default: false
        }
    }
}
