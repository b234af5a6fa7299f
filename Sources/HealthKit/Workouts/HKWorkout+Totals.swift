import HealthModel

extension HKWorkout {
    /// Active energy of the whole workout: the total it was made with, else the sum of its statistics.
    public var totalEnergyBurned: HKQuantity? {
        total(body.totalEnergyBurned, orSumOf: [.activeEnergyBurned])
    }

    /// Distance of the whole workout: the total it was made with, else the sum of its statistics.
    public var totalDistance: HKQuantity? {
        total(body.totalDistance, orSumOf: Self.distances)
    }

    /// Swimming strokes of the whole workout: the total it was made with, else the sum of its statistics.
    public var totalSwimmingStrokeCount: HKQuantity? {
        total(body.totalSwimmingStrokeCount, orSumOf: [.swimmingStrokeCount])
    }

    /// Flights climbed in the whole workout: the total it was made with, else the sum of its statistics.
    public var totalFlightsClimbed: HKQuantity? {
        total(body.totalFlightsClimbed, orSumOf: [.flightsClimbed])
    }

    static let distances: [HKQuantityTypeIdentifier] = [
        .distanceWalkingRunning, .distanceCycling, .distanceSwimming, .distanceWheelchair,
        .distanceDownhillSnowSports, .distanceCrossCountrySkiing, .distancePaddleSports,
        .distanceRowing, .distanceSkatingSports,
    ]

    private func total(
        _ given: QuantityRecord?, orSumOf types: [HKQuantityTypeIdentifier]
    ) -> HKQuantity? {
        if let given { return HKQuantity(given) }
        for type in types {
            if let stored = body.statistics.first(where: { $0.type == type.rawValue }), let sum = stored.sum {
                return HKQuantity(sum, unit: stored.unit)
            }
        }
        return nil
    }
}
