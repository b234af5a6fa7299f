import Foundation
import HealthKit

// EnergyView: today's energy balance on the command line.
//
//   EnergyView                     print today's balance
//   EnergyView watch               print it again after every change, until input ends
//   EnergyView eat Soup 250        log food, in kilocalories
//   EnergyView weigh 70.5          log a weight, in kilograms
//   EnergyView measure 172         log a height, in centimeters
//   EnergyView train 30 280        log a run, in minutes and kilocalories

let healthStore = HKHealthStore()
let energyLog = EnergyLog(healthStore: healthStore)
let calculator = EnergyBalanceCalculator(healthStore: healthStore)
let arguments = Array(CommandLine.arguments.dropFirst())

func number(_ index: Int) -> Double { Double(arguments[index]) ?? 0 }

func printBalance() async throws {
    let formatter = EnergyFormatter()
    formatter.unitStyle = .long
    formatter.isForFoodEnergyUse = true
    formatter.numberFormatter.maximumFractionDigits = 2
    func text(_ quantity: HKQuantity) -> String { formatter.string(fromJoules: quantity.doubleValue(for: .joule())) }

    let balance = try await calculator.balance()
    print("Consumed: \(text(balance.consumed))")
    print("Active:   \(text(balance.active))")
    switch balance.resting {
    case .success(let resting): print("Resting:  \(text(resting))")
    case .failure(let missing): print("Resting:  unknown, because \(missing.rawValue)")
    }
    print("Net:      \(balance.netJoules.map(formatter.string(fromJoules:)) ?? "unknown")")
    fflush(stdout)
}

/// Prints the balance now and whenever one of its types changes.
func watch() async throws {
    let changes = AsyncStream<Void>(bufferingPolicy: .bufferingNewest(1)) { continuation in
        for case let type as HKSampleType in EnergyBalanceCalculator.typesToRead {
            healthStore.execute(
                HKObserverQuery(sampleType: type, predicate: nil) { _, completionHandler, error in
                    if error == nil { continuation.yield() }
                    completionHandler()
                })
        }
        continuation.yield()
    }
    DispatchQueue.global().async {
        while readLine() != nil {}
        exit(0)
    }
    for await _ in changes { try await printBalance() }
}

do {
    guard HKHealthStore.isHealthDataAvailable() else { throw HKError(.errorHealthDataUnavailable) }
    try await healthStore.requestAuthorization(
        toShare: EnergyLog.typesToShare, read: EnergyBalanceCalculator.typesToRead)
    switch (arguments.first, arguments.count) {
    case ("eat", 3): try await energyLog.logFood(arguments[1], kilocalories: number(2))
    case ("weigh", 2): try await energyLog.logWeight(kilograms: number(1))
    case ("measure", 2): try await energyLog.logHeight(centimeters: number(1))
    case ("train", 3): try await energyLog.logRun(minutes: number(1), kilocalories: number(2))
    case ("watch", _): try await watch()
    default: try await printBalance()
    }
} catch {
    print("EnergyView failed: \(error.localizedDescription)")
    exit(1)
}
