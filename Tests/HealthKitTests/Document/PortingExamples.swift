// What Docs/Application.md advises for code of Apple's platforms, a mark for each row of its table. This file is compiled on Linux.
import CoreLocation
import Foundation
import HealthKit
import Observation

// row: `@objc`, `#selector`
final class TimerTarget: NSObject {
    #if canImport(ObjectiveC)
        @objc
    #endif
    func fire() {}
}

func repeatedly(_ target: TimerTarget) -> Timer {
    Timer(timeInterval: 1, repeats: true) { _ in }
}

// row: `URLSession`, `URLRequest`
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func request(_ url: URL) -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    return request
}

// row: `ObservableObject`, `@Published` with only `import Foundation`
@Observable
final class ObservedSteps {
    var count = 0
}

#if canImport(Combine)
    import Combine

    final class PublishedSteps: ObservableObject {
        @Published var count = 0
    }
#endif

// row: `CLLocationManager`, `kCLLocationAccuracyBest`
func length(of route: [CLLocation]) -> CLLocationDistance {
    zip(route, route.dropFirst()).reduce(0) { $0 + $1.1.distance(from: $1.0) }
}

#if !os(Linux)
    func preciseManager() -> CLLocationManager {
        let manager = CLLocationManager()
        manager.desiredAccuracy = kCLLocationAccuracyBest
        return manager
    }
#endif

// row: `import WorkoutKit`, `WatchKit`, `WidgetKit`, `ActivityKit`
#if canImport(WorkoutKit)
    import WorkoutKit

    func goal() -> WorkoutGoal { .open }
#endif

// row: `#if os(watchOS)` around workout sessions
#if os(watchOS) || os(Linux)
    func mirror(_ session: HKWorkoutSession) async throws {
        try await session.startMirroringToCompanionDevice()
    }
#endif

// row: `error as NSError` with a `code` of HealthKit
func isWithoutData(_ error: any Error) -> Bool {
    (error as? HKError)?.code == .errorNoData
}

// row: `autoreleasepool { … }`
func pooled<Result>(_ body: () throws -> Result) rethrows -> Result {
    #if canImport(ObjectiveC)
        try autoreleasepool(invoking: body)
    #else
        try body()
    #endif
}

// row: `String(localized:)`
func title() -> String { NSLocalizedString("Steps", comment: "") }
