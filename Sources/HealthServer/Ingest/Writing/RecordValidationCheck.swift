import HealthEngine
import HealthModel

/// Applies the engine's rules to what an entry means, before a batch is saved.
enum RecordValidationCheck {
    /// - Throws: ``IngestMisfit`` with the rule that is violated.
    static func validate(_ sample: SampleRecord, _ type: TypeDescription) throws(IngestMisfit) {
        do {
            try RecordValidation.validate(sample, description: type)
        } catch {
            throw IngestMisfit(error.description)
        }
    }

    /// The same for an object and its members.
    static func validate(_ object: ObjectRecord, _ type: TypeDescription) throws(IngestMisfit) {
        do {
            try RecordValidation.validate(object, description: type)
        } catch {
            throw IngestMisfit(error.description)
        }
        for member in object.members {
            guard let type = TypeCatalog.description(for: member.type) else { continue }
            try validate(member, type)
        }
    }
}
