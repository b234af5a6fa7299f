import Foundation
import HealthKit

// Appends new steps to a file, also while it doesn't run: HealthKit starts it when steps arrive.
//
//   BackgroundSteps FOLDER          run until stopped
//   BackgroundSteps FOLDER once     end when a delivery was handled

guard let path = CommandLine.arguments.dropFirst().first else {
    print("usage: BackgroundSteps FOLDER [once]")
    exit(64)
}

let endsAfterDelivery = CommandLine.arguments.contains("once")
let log = StepLog(healthStore: HKHealthStore(), folder: URL(fileURLWithPath: path))

log.start { completionHandler in
    completionHandler()
    print("Handled.")
    fflush(stdout)
    if endsAfterDelivery { exit(0) }
}

dispatchMain()
