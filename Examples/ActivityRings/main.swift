import Foundation
import HealthKit
import HealthKitUI

// Prints today's activity rings and the number of active days in the last seven.
//
//   ActivityRings [PICTURE.svg]    print the rings, and draw today's to a file
//   ActivityRings watch            print the rings after every change, until input ends

let healthStore = HKHealthStore()
let reader = ActivityReader(healthStore: healthStore)
let arguments = Array(CommandLine.arguments.dropFirst())

let allTypes: Set<HKObjectType> = [
    HKObjectType.activitySummaryType(),
    HKObjectType.categoryType(forIdentifier: .appleStandHour)!,
    HKObjectType.quantityType(forIdentifier: .activeEnergyBurned)!,
    HKObjectType.quantityType(forIdentifier: .appleExerciseTime)!,
]

healthStore.requestAuthorization(toShare: nil, read: allTypes) { success, error in
    guard success else {
        print("Not authorized: \(error?.localizedDescription ?? "")")
        exit(1)
    }
    if arguments.first == "watch" {
        reader.observe {
            reader.readToday { summary in
                print(describe(summary)); fflush(stdout)
            }
        }
        DispatchQueue.global().async {
            while readLine() != nil {}
            exit(0)
        }
        return
    }
    reader.readToday { summary in
        print(describe(summary))
        if let path = arguments.first {
            let ringView = HKActivityRingView(frame: CGRect(x: 0, y: 0, width: 200, height: 200))
            ringView.setActivitySummary(summary, animated: false)
            try? ringView.svg.write(toFile: path, atomically: true, encoding: .utf8)
        }
        reader.readLastSevenDays { summaries in
            print("Last seven days: \(summaries.count) with activity")
            exit(0)
        }
    }
}

func describe(_ summary: HKActivitySummary?) -> String {
    guard let summary = summary else {
        return "No activity today."
    }
    let rings = ActivityProgress(summary)
    return """
        Move:     \(rings.kilojoules) kJ, \(rings.kilocalories) kcal, \(rings.movePercent) % of the goal
        Exercise: \(rings.exerciseSeconds) s, \(rings.exercisePercent) % of the goal
        Stand:    \(rings.standHours) h, \(rings.standPercent) % of the goal
        """
}

dispatchMain()
