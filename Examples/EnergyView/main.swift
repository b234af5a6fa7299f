import Foundation
import HealthKit

// An energy journal: what was eaten, what was burned, what is left.
//
//   EnergyView                     show today's figures
//   EnergyView watch               show them again whenever the store changes, until input ends
//   EnergyView eat Soup 250        enter food, kilocalories
//   EnergyView weigh 70.5          enter a weight, kilograms
//   EnergyView measure 172         enter a height, centimetres
//   EnergyView train 30 280        enter a run, minutes and kilocalories

guard HKHealthStore.isHealthDataAvailable() else {
    print("Health data is not available on this device.")
    exit(1)
}

let healthStore = HKHealthStore()
let journal = EnergyJournal(healthStore: healthStore)
let controller = EnergyViewController(healthStore: healthStore)
let arguments = Array(CommandLine.arguments.dropFirst())

func end(_ success: Bool, _ error: Error?) {
    if let error = error {
        print("An error occurred: \(error.localizedDescription)")
    }
    exit(success ? 0 : 1)
}

healthStore.requestAuthorization(toShare: EnergyJournal.typesToWrite, read: EnergyViewController.typesToRead) { success, error in
    guard success else {
        print("You did not allow HealthKit to access these types: \(error?.localizedDescription ?? "")")
        exit(1)
    }
    switch arguments.first {
    case "eat" where arguments.count == 3:
        journal.addFood(named: arguments[1], kilocalories: Double(arguments[2]) ?? 0, completion: end)
    case "weigh" where arguments.count == 2:
        journal.addWeight(kilograms: Double(arguments[1]) ?? 0, completion: end)
    case "measure" where arguments.count == 2:
        journal.addHeight(centimeters: Double(arguments[1]) ?? 0, completion: end)
    case "train" where arguments.count == 3:
        journal.addRun(minutes: Double(arguments[1]) ?? 0, kilocalories: Double(arguments[2]) ?? 0, completion: end)
    case "watch":
        controller.observeChanges()
        DispatchQueue.global().async {
            while readLine() != nil {}
            exit(0)
        }
    default:
        controller.refreshStatistics { exit(0) }
    }
}

dispatchMain()
