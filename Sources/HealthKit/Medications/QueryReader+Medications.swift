import Foundation
import HealthEngine
import HealthModel

extension QueryReader {
    /// The person's medications that may be read, in the order they were entered; 0 is no limit.
    func medications(_ part: QueryPart, limit: Int) throws -> [HKUserAnnotatedMedication] {
        guard let resolved = try part.resolved(in: engine) else { return [] }
        let selection = try engine.samples(
            SampleRequest(parts: [resolved], limit: part.residual == nil ? max(0, limit) : 0), as: caller)
        var found: [HKUserAnnotatedMedication] = []
        for reference in selection.order where reference.batch < 0 {
            guard case .document(let document) = selection.objects[Int(reference.row)].body,
                let record = MedicationRecord(document)
            else { continue }
            let medication = HKUserAnnotatedMedication(record)
            guard part.residual?(medication) ?? true else { continue }
            found.append(medication)
            if limit > 0, found.count == limit { break }
        }
        return found
    }
}
