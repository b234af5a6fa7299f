import Foundation

extension Date {
    /// The date of an engine's instant.
    init(reference seconds: Double) {
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
}
