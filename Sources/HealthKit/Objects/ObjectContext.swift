import Foundation
import HealthEngine
import HealthModel
import Synchronization

/// The common parts of objects: type, source revision, device and metadata.
///
/// Samples from a store come in long runs that agree in all four. They share one context, so that each sample
/// costs one allocation and one reference.
final class ObjectContext: Sendable {
    let type: HKSampleType
    /// `nil` for objects that were not read from a store.
    let revision: HKSourceRevision?
    let device: HKDevice?
    let metadata: Metadata

    // Created on demand, because few readers of samples use the metadata.
    private let dictionary = Mutex<MetadataDictionary?>(nil)

    init(
        type: HKSampleType, revision: HKSourceRevision? = nil, device: HKDevice? = nil,
        metadata: Metadata = .empty
    ) {
        self.type = type
        self.revision = revision
        self.device = device
        self.metadata = metadata
    }

    /// The metadata for applications; `nil` when there is none.
    var metadataValues: [String: Any]? {
        if metadata.isEmpty { return nil }
        let made = dictionary.withLock { made in
            if let made { return made }
            let new = MetadataDictionary(metadata)
            made = new
            return new
        }
        return made.values.isEmpty ? nil : made.values
    }
}

/// What every sample has, whatever its family: identity, context, and when it began and ended.
struct SampleBase: Sendable {
    let identity: UUID
    let context: ObjectContext
    /// Seconds since 2001-01-01 00:00:00 UTC.
    let start: Double
    /// Seconds since 2001-01-01 00:00:00 UTC, at or after ``start``.
    let end: Double

    init(identity: UUID, context: ObjectContext, start: Double, end: Double) {
        self.identity = identity
        self.context = context
        self.start = start
        self.end = end
    }
}

// MARK: - New samples

// A mistake in what an application passes ends the process at the caller's place in the sources.
extension SampleBase {
    /// The base of a new quantity or category sample, with an identity of its own.
    static func checked(
        new type: HKSampleType, value: Double, unit: String, start: Date, end: Date, device: HKDevice?,
        metadata: [String: Any]?, class name: String, file: StaticString = #fileID, line: UInt = #line
    ) -> SampleBase {
        let identity = UUID()
        let record = SampleRecord(
            uuid: identity, type: type.code, start: start.timeIntervalSinceReferenceDate,
            end: end.timeIntervalSinceReferenceDate, value: value, unit: unit,
            metadata: ProgrammerError.checkedMetadata(metadata, file: file, line: line))
        do {
            try RecordValidation.validate(record, description: type.typeDescription)
        } catch {
            // The original's text begins with the object's description; its value and dates are left out
            // here because they are health data.
            let object = error.rule == .unit ? "\(name) \(identity.uuidString) " : ""
            ProgrammerError.refuse(object + error.reason, file: file, line: line)
        }
        return SampleBase(
            identity: identity, context: ObjectContext(type: type, device: device, metadata: record.metadata),
            start: record.start, end: record.end)
    }

    /// The base of a new sample of any other family, with an identity of its own.
    ///
    /// - Parameters:
    ///   - body: The family's own values, as far as there are rules for them.
    ///   - members: The samples of a correlation.
    static func checked(
        new type: HKSampleType, start: Date, end: Date, device: HKDevice?, metadata: [String: Any]?,
        body: ObjectBody = .none, members: Set<HKSample> = [], file: StaticString = #fileID, line: UInt = #line
    ) -> SampleBase {
        let identity = UUID()
        let record = ObjectRecord(
            uuid: identity, type: type.code, start: start.timeIntervalSinceReferenceDate,
            end: end.timeIntervalSinceReferenceDate,
            metadata: ProgrammerError.checkedMetadata(metadata, file: file, line: line), body: body,
            members: RecordEncoder.members(members))
        do {
            try RecordValidation.validate(record, description: type.typeDescription)
        } catch {
            ProgrammerError.refuse(error.reason, file: file, line: line)
        }
        return SampleBase(
            identity: identity, context: ObjectContext(type: type, device: device, metadata: record.metadata),
            start: record.start, end: record.end)
    }
}

extension SampleBase {
    /// The base of a sample that a builder finishes: with an identity of its own, and the source that will have
    /// written it. Nothing is checked.
    static func built(
        by application: SourceRevisionRecord, type: HKSampleType, start: Double, end: Double, device: HKDevice?,
        metadata: Metadata
    ) -> SampleBase {
        SampleBase(
            identity: UUID(),
            context: ObjectContext(
                type: type, revision: HKSourceRevision(application), device: device, metadata: metadata), start: start,
            end: end)
    }
}

extension ProgrammerError {
    /// The record of an application's metadata; a value of an unsupported class ends the process.
    static func checkedMetadata(
        _ given: [String: Any]?, file: StaticString = #fileID, line: UInt = #line
    ) -> Metadata {
        do {
            return try MetadataDictionary.record(of: given)
        } catch {
            refuse(error.reason, file: file, line: line)
        }
    }

    /// Ends the process unless `record` is valid as an object of `type`.
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
