import Foundation
import HealthKit

// Prints today's dietary energy and the minimum, maximum and average heart rate.

let healthStore = HKHealthStore()
let energyType = HKObjectType.quantityType(forIdentifier: .dietaryEnergyConsumed)!
let heartRateType = HKObjectType.quantityType(forIdentifier: .heartRate)!
let done = DispatchGroup()

let calendar = Calendar.current
let startOfToday = calendar.startOfDay(for: Date())
let endOfToday = calendar.date(byAdding: .day, value: 1, to: startOfToday)!
let today = HKQuery.predicateForSamples(withStart: startOfToday, end: endOfToday, options: .strictStartDate)

func showEnergy() {
    done.enter()
    let query = HKStatisticsQuery(
        quantityType: energyType, quantitySamplePredicate: today, options: .cumulativeSum
    ) { _, statistics, error in
        if let sum = statistics?.sumQuantity() {
            print("Consumed today: \(Int(sum.doubleValue(for: .joule()).rounded())) J")
        } else {
            print("Consumed today: \(error?.localizedDescription ?? "nothing")")
        }
        done.leave()
    }
    healthStore.execute(query)
}

func showHeartRate() {
    done.enter()
    let beatsPerMinute = HKUnit.count().unitDivided(by: .minute())
    let query = HKStatisticsQuery(
        quantityType: heartRateType, quantitySamplePredicate: today,
        options: [.discreteMin, .discreteMax, .discreteAverage]
    ) { _, statistics, error in
        if let statistics = statistics {
            let minimum = statistics.minimumQuantity()!.doubleValue(for: beatsPerMinute)
            let maximum = statistics.maximumQuantity()!.doubleValue(for: beatsPerMinute)
            let average = statistics.averageQuantity()!.doubleValue(for: beatsPerMinute)
            print("Heart rate today: \(minimum) to \(maximum), average \(average)")
        } else {
            print("Heart rate today: \(error?.localizedDescription ?? "nothing")")
        }
        done.leave()
    }
    healthStore.execute(query)
}

// With the argument `wrong`, requests a sum of heart rates, which the framework rejects.
if CommandLine.arguments.contains("wrong") {
    let query = HKStatisticsQuery(
        quantityType: heartRateType, quantitySamplePredicate: nil, options: .cumulativeSum
    ) { _, _, _ in }
    healthStore.execute(query)
}

// Statistics exist for quantities only: no initializer accepts workout or correlation types.
let others: [HKObjectType] = [HKObjectType.workoutType(), HKObjectType.correlationType(forIdentifier: .food)!]
for type in others where !(type is HKQuantityType) {
    print("No statistics for \(type.identifier)")
}

healthStore.requestAuthorization(toShare: nil, read: [energyType, heartRateType]) { success, _ in
    guard success else { exit(1) }
    showEnergy()
    done.wait()
    showHeartRate()
    done.wait()
    exit(0)
}

dispatchMain()
