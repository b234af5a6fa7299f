import CoreLocation
import Foundation
import HealthKit

/// Half an hour of running around a park, as a chest strap, a foot pod and a GPS receiver would measure it.
struct RecordedRun {
    let start: Date
    let duration: TimeInterval = 1800
    let heartRateUnit = HKUnit.count().unitDivided(by: .minute())

    var end: Date { start.addingTimeInterval(duration) }

    /// A heart rate every five seconds: warming up, then steady with a hill in the middle.
    func heartRates() -> [HKQuantitySample] {
        let type = HKQuantityType.quantityType(forIdentifier: .heartRate)!
        return stride(from: 0, to: duration, by: 5).map { offset in
            let warm = min(1, offset / 300)
            let hill = max(0, 1 - abs(offset - 900) / 200)
            let rate = (95 + 55 * warm + 20 * hill).rounded()
            let instant = start.addingTimeInterval(offset)
            return HKQuantitySample(
                type: type, quantity: HKQuantity(unit: heartRateUnit, doubleValue: rate),
                start: instant, end: instant)
        }
    }

    /// Thirty meters every ten seconds.
    func distances() -> [HKQuantitySample] {
        samples(.distanceWalkingRunning, unit: .meter(), value: 30, every: 10)
    }

    /// Twelve kilocalories every minute.
    func energies() -> [HKQuantitySample] {
        samples(.activeEnergyBurned, unit: .kilocalorie(), value: 12, every: 60)
    }

    /// A location every second, on a circle of 400 meters, with an occasional inaccurate fix.
    func locations() -> [CLLocation] {
        let center = CLLocationCoordinate2D(latitude: 52.5145, longitude: 13.3501)
        return (0..<Int(duration)).map { second in
            let angle = Double(second) * 3 / 63.66
            return CLLocation(
                coordinate: CLLocationCoordinate2D(
                    latitude: center.latitude + 63.66 * cos(angle) / 111_195,
                    longitude: center.longitude + 63.66 * sin(angle) / (111_195 * cos(center.latitude * .pi / 180))),
                altitude: 34, horizontalAccuracy: second % 600 == 599 ? 120 : 4, verticalAccuracy: 6,
                course: -1, speed: 3, timestamp: start.addingTimeInterval(TimeInterval(second)))
        }
    }

    private func samples(
        _ identifier: HKQuantityTypeIdentifier, unit: HKUnit, value: Double, every step: TimeInterval
    ) -> [HKQuantitySample] {
        let type = HKQuantityType.quantityType(forIdentifier: identifier)!
        return stride(from: 0, to: duration, by: step).map { offset in
            HKQuantitySample(
                type: type, quantity: HKQuantity(unit: unit, doubleValue: value),
                start: start.addingTimeInterval(offset), end: start.addingTimeInterval(offset + step))
        }
    }
}
