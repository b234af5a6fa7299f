import Foundation
import HealthKit

// Prints what changed in five types since the last run; the first run only saves an anchor.
//
//   Watcher ANCHOR-FILE            end after the first read
//   Watcher ANCHOR-FILE watch      watch until input ends

guard let anchorPath = CommandLine.arguments.dropFirst().first else {
    print("usage: Watcher ANCHOR-FILE [watch]")
    exit(64)
}

let healthStore = HKHealthStore()
let keepsWatching = CommandLine.arguments.contains("watch")
let watcher = SampleWatcher(healthStore: healthStore, anchorURL: URL(fileURLWithPath: anchorPath))

healthStore.requestAuthorization(toShare: nil, read: Set(watcher.sampleTypes)) { success, error in
    guard success else {
        print("Not authorized: \(error?.localizedDescription ?? "")")
        exit(1)
    }
    watcher.start { isFirst in
        if isFirst { print("Ready.") }
        fflush(stdout)
        if !keepsWatching { exit(0) }
    }
}

if keepsWatching {
    DispatchQueue.global().async {
        while readLine() != nil {}
        exit(0)
    }
}

dispatchMain()
