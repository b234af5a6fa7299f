import Foundation
import HealthKit

// Tells what is new among five types since the program ran last; the first run only takes note of the place.
//
//   Watcher ANCHOR-FILE            end after the first word of the observer
//   Watcher ANCHOR-FILE watch      go on until input ends

guard let anchorPath = CommandLine.arguments.dropFirst().first else {
    print("usage: Watcher ANCHOR-FILE [watch]")
    exit(64)
}

let healthStore = HKHealthStore()
let followsOn = CommandLine.arguments.contains("watch")
let watcher = SampleWatcher(healthStore: healthStore, anchorURL: URL(fileURLWithPath: anchorPath))

healthStore.requestAuthorization(toShare: nil, read: Set(watcher.sampleTypes)) { success, error in
    guard success else {
        print("Not authorized: \(error?.localizedDescription ?? "")")
        exit(1)
    }
    watcher.start { isFirst in
        if isFirst { print("Ready.") }
        fflush(stdout)
        if !followsOn { exit(0) }
    }
}

if followsOn {
    DispatchQueue.global().async {
        while readLine() != nil {}
        exit(0)
    }
}

dispatchMain()
