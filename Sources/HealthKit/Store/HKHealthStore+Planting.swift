import Foundation
package import HealthEngine
package import HealthModel
import Synchronization

/// Where a test kit plays the parts that on a phone belong to the system and to other applications.
extension HKHealthStore {
    /// A store over an engine that is open already.
    package convenience init(configuration: Configuration, engine: HealthEngine) {
        var configuration = configuration
        configuration.engine = engine
        self.init(configuration: configuration)
    }

    /// Saves objects on behalf of another source, whatever this application may do.
    package func plant(_ objects: [HKObject], as revision: SourceRevisionRecord, device: HKDevice?) throws {
        try plant(revision) {
            try RecordEncoder.items(objects).map { item in
                guard let device else { return item }
                switch item {
                case .sample(var record):
                    record.device = device.record
                    return .sample(record)
                case .object(var record):
                    record.device = device.record
                    return .object(record)
                }
            }
        }
    }

    /// Saves days of rings on behalf of another source.
    package func plant(_ summaries: [HKActivitySummary], as revision: SourceRevisionRecord) throws {
        try plant(revision) {
            try summaries.map { summary in
                guard let body = summary.fields.withLock({ $0 }).body else {
                    throw EngineError.invalidArgument("An activity summary without a day cannot be stored.")
                }
                let noon = DateComponents(
                    timeZone: .gmt, year: body.year, month: body.month, day: body.day, hour: 12)
                let date = Calendar(identifier: .gregorian).date(from: noon) ?? .distantPast
                return .object(
                    ObjectRecord(
                        type: HKObjectType.activitySummaryType().code, start: date.timeIntervalSinceReferenceDate,
                        end: date.timeIntervalSinceReferenceDate, body: .activitySummary(body)))
            }
        }
    }

    /// Saves medications of the person on behalf of another source.
    package func plant(_ medications: [HKUserAnnotatedMedication], as revision: SourceRevisionRecord) throws {
        try plant(revision) {
            medications.map { medication in
                .object(
                    ObjectRecord(
                        uuid: UUID(), type: HKObjectType.userAnnotatedMedicationType().code, start: 0, end: 0,
                        body: .document(medication.record.document)))
            }
        }
    }

    private func plant(_ revision: SourceRevisionRecord, _ items: () throws -> [SaveItem]) throws {
        do {
            _ = try connection.engine().save(items(), as: Caller(revision: revision, permission: .allowAll))
        } catch {
            throw HKError.make(error)
        }
    }
}

extension HKActivitySummary {
    /// An empty summary of a Gregorian day.
    package static func ofDay(year: Int, month: Int, day: Int) -> HKActivitySummary {
        var fields = ActivitySummaryFields()
        fields.day = ActivitySummaryFields.Day(year: year, month: month, day: day)
        return HKActivitySummary(fields)
    }
}

extension ActivitySummaryFields {
    /// The fields as the store keeps them; `nil` without a day.
    fileprivate var body: ActivitySummaryBody? {
        guard let day else { return nil }
        var body = ActivitySummaryBody(
            year: day.year, month: day.month, day: day.day, moveMode: moveMode.rawValue, isPaused: isPaused)
        body.activeEnergyBurned = activeEnergyBurned.record
        body.activeEnergyBurnedGoal = activeEnergyBurnedGoal.record
        body.appleMoveTime = appleMoveTime.record
        body.appleMoveTimeGoal = appleMoveTimeGoal.record
        body.appleExerciseTime = appleExerciseTime.record
        body.appleExerciseTimeGoal = exerciseTimeGoal?.record
        body.appleStandHours = appleStandHours.record
        body.appleStandHoursGoal = standHoursGoal?.record
        return body
    }
}

extension HKObjectType {
    /// The type's number in a store; `nil` for one the store has never met.
    package func code(in engine: HealthEngine) throws -> TypeCode? {
        try engine.code(of: identifier)
    }
}
