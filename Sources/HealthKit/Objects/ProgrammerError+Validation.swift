import Foundation
import HealthEngine
import HealthModel

extension ProgrammerError {
    /// What the original calls the exception that a constructor raises.
    private static let validationName = "_HKObjectValidationFailureException"

    /// Ends the process because an object cannot be made.
    static func refuse(_ reason: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
        raise(reason, name: validationName, file: file, line: line)
    }

    /// The record of metadata an application gave; a value of a wrong class ends the process.
    static func checkedMetadata(
        _ given: [String: Any]?, file: StaticString = #fileID, line: UInt = #line
    ) -> Metadata {
        do {
            return try Metadata(given)
        } catch {
            refuse(error.reason, file: file, line: line)
        }
    }

    /// Ends the process unless `record` may stand as a sample of `type`.
    static func check(
        _ record: SampleRecord, of type: HKSampleType, class name: String, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        do {
            try RecordValidation.validate(record, description: type.typeDescription)
        } catch {
            // The original's words begin with the object itself; its value and dates are left out
            // here, because they are health data.
            let object = error.rule == .unit ? "\(name) \(record.uuid?.uuidString ?? "") " : ""
            refuse(object + error.reason, file: file, line: line)
        }
    }

    /// Ends the process unless `record` may stand as an object of `type`.
    static func check(
        _ record: ObjectRecord, of type: HKSampleType, file: StaticString = #fileID, line: UInt = #line
    ) {
        do {
            try RecordValidation.validate(record, description: type.typeDescription)
        } catch {
            refuse(error.reason, file: file, line: line)
        }
    }
}
