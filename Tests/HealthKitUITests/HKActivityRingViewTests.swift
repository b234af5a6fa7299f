import Foundation
import HealthKit
import HealthKitUI
import Testing

@Suite("HKActivityRingView")
struct HKActivityRingViewTests {
    private func summary() -> HKActivitySummary {
        let summary = HKActivitySummary()
        summary.activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: 775)
        summary.activeEnergyBurnedGoal = HKQuantity(unit: .kilocalorie(), doubleValue: 500)
        summary.appleExerciseTime = HKQuantity(unit: .minute(), doubleValue: 39)
        summary.appleExerciseTimeGoal = HKQuantity(unit: .minute(), doubleValue: 30)
        summary.appleStandHours = HKQuantity(unit: .count(), doubleValue: 6)
        summary.appleStandHoursGoal = HKQuantity(unit: .count(), doubleValue: 12)
        return summary
    }

    @Test("Shows the progress of the summary, and empty rings without one")
    func shares() {
        let view = HKActivityRingView(frame: CGRect(x: 0, y: 0, width: 120, height: 120))
        #expect(view.svg.contains("Move not set, Exercise not set, Stand not set"))
        view.activitySummary = summary()
        #expect(view.svg.contains("Move 155 %, Exercise 130 %, Stand 50 %"))
        #expect(!view.svg.contains("<animate"))
        view.setActivitySummary(summary(), animated: true)
        #expect(view.svg.contains("<animate"))
        view.activitySummary = nil
        #expect(view.svg.contains("Move not set"))
    }

    @Test("A view without a frame gets its size later")
    func frameless() {
        let view = HKActivityRingView()
        #expect(view.frame.size == CGSize(width: 0, height: 0))
        view.activitySummary = summary()
        view.frame = CGRect(x: 0, y: 0, width: 90, height: 90)
        let other = HKActivityRingView(frame: CGRect(x: 0, y: 0, width: 90, height: 90))
        other.activitySummary = summary()
        #expect(view.svg == other.svg)
    }

    @Test("In move time mode, the move ring shows minutes")
    func moveTime() {
        let summary = summary()
        summary.activityMoveMode = .appleMoveTime
        summary.appleMoveTime = HKQuantity(unit: .minute(), doubleValue: 30)
        summary.appleMoveTimeGoal = HKQuantity(unit: .minute(), doubleValue: 60)
        let view = HKActivityRingView(frame: CGRect(x: 0, y: 0, width: 120, height: 120))
        view.activitySummary = summary
        #expect(view.svg.contains("Move 50 %"))
    }

    @Test("A NaN leaves its ring empty, and a huge value is drawn")
    func unusualValues() {
        let summary = summary()
        summary.activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: .nan)
        summary.appleExerciseTime = HKQuantity(unit: .minute(), doubleValue: 3e30)
        summary.appleStandHours = HKQuantity(unit: .count(), doubleValue: -1)
        let view = HKActivityRingView(frame: CGRect(x: 0, y: 0, width: 120, height: 120))
        view.activitySummary = summary
        #expect(view.svg.contains("Move not set, Exercise 9"))
        #expect(view.svg.contains("Stand 0 %"))
    }

    @Test("A PNG image has the frame’s size times the scale")
    func png() throws {
        let view = HKActivityRingView(frame: CGRect(x: 0, y: 0, width: 120, height: 90))
        view.activitySummary = summary()
        let data = try view.pngData(scale: 2)
        #expect(data.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        let size = [UInt8](data[16..<24])
        #expect(size == [0, 0, 0, 240, 0, 0, 0, 180])
        // An image with rings has more data than one without.
        let empty = HKActivityRingView(frame: CGRect(x: 0, y: 0, width: 120, height: 90))
        #expect(data.count > (try empty.pngData(scale: 2).count))
    }

    @Test("An empty frame is an error")
    func noSize() {
        let view = HKActivityRingView(frame: .zero)
        #expect(throws: ImageError.self) { try view.pngData() }
    }
}
