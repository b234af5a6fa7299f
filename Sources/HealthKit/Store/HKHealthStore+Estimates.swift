public import Foundation
import HealthEngine

extension HKHealthStore {
    /// Begins estimates of a type anew from a date. Estimates are a watch's work; nothing here makes any, so
    /// there is nothing to forget.
    ///
    /// Fails with ``HKError/errorInvalidArgument`` for a type without estimates
    /// (``HKSampleType/allowsRecalibrationForEstimates``) and for a date to come.
    @preconcurrency
    public func recalibrateEstimates(
        sampleType: HKSampleType, date: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(.writing, recalibration(sampleType, date)) { completion($0.isSuccess, $0.error) }
    }

    /// Begins estimates of a type anew from a date. See ``recalibrateEstimates(sampleType:date:completion:)``.
    public func recalibrateEstimates(sampleType: HKSampleType, date: Date) async throws {
        try await connection.perform(.writing, recalibration(sampleType, date))
    }

    private func recalibration(_ type: HKSampleType, _ date: Date) -> @Sendable (HealthEngine) throws -> Void {
        let (now, isAllowed) = (connection.clock.now(), type.allowsRecalibrationForEstimates)
        return { _ in
            guard isAllowed else {
                throw EngineError.invalidArgument("Type \(type.identifier) does not allow recalibration.")
            }
            guard date <= now else {
                throw EngineError.invalidArgument("The date of a recalibration cannot be in the future.")
            }
        }
    }
}
