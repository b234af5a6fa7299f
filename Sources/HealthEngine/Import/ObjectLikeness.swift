import HealthModel
import HealthPages

/// Which objects of an archive are the same although not every byte of them is.
///
/// An archive writes some of what it says anew each time: in the language and the clock of the phone,
/// with names of files that hold the time of day. A recording is known by its long series; a workout by
/// all that it says but the routes it only names; a health institution's record by all but its file, where
/// one of the two came without it.
enum ObjectLikeness {
    /// Whether an object of the archive is what is stored. The caller has compared type, dates, source
    /// and device.
    static func areAlike(_ record: ObjectRecord, storedPayload: [UInt8]) throws -> Bool {
        switch record.body {
        case .document(let document) where document.series.values.contains { !$0.isEmpty }:
            guard case .document(let stored) = try ObjectCoder.decode(storedPayload).body else { return false }
            return areAlike(document.series, stored.series)
        case .document(let document) where document[ClinicalRecordDocument.identifier] != nil:
            let stored = try ObjectCoder.decode(storedPayload)
            guard case .document(let body) = stored.body else { return false }
            let files = [document, body].compactMap { $0[ClinicalRecordDocument.data] }
            return files.count == 1 && record.metadata == stored.metadata && record.creation == stored.creation
                && withoutFile(document) == withoutFile(body)
        case .workout(let workout):
            let stored = try ObjectCoder.decode(storedPayload)
            guard case .workout(let body) = stored.body else { return false }
            return record.metadata == stored.metadata && record.creation == stored.creation
                && withoutNamedParts(workout) == withoutNamedParts(body)
        default:
            return false
        }
    }

    /// The stored payload of a workout with the routes it names taken from the newer one, which has
    /// read some of them; `nil` where nothing changes.
    static func withoutResolvedParts(_ storedPayload: [UInt8], newer: ObjectRecord) throws -> [UInt8]? {
        guard case .workout(let workout) = newer.body else { return nil }
        let stored = try ObjectCoder.decode(storedPayload)
        guard case .workout(var body) = stored.body else { return nil }
        let (before, after) = (body.archived.filter(isNamedPart), workout.archived.filter(isNamedPart))
        guard after.count < before.count else { return nil }
        body.archived = body.archived.filter { !isNamedPart($0) } + after
        return ObjectCoder.encode(metadata: stored.metadata, creation: stored.creation, body: .workout(body))
    }

    /// The payload of a health institution's record that an archive without its file brought, now that there
    /// is the file; `nil` where nothing changes.
    static func withFile(_ storedPayload: [UInt8], newer: ObjectRecord) throws -> [UInt8]? {
        guard case .document(let document) = newer.body, document[ClinicalRecordDocument.data] != nil,
            case .document(let stored) = try ObjectCoder.decode(storedPayload).body,
            stored[ClinicalRecordDocument.identifier] != nil, stored[ClinicalRecordDocument.data] == nil
        else { return nil }
        return ObjectCoder.encode(metadata: newer.metadata, creation: newer.creation, body: newer.body)
    }

    /// What a record says without its file, which also gives it its name.
    private static func withoutFile(_ document: DocumentBody) -> DocumentBody {
        var document = document
        document[ClinicalRecordDocument.data] = nil
        document[ClinicalRecordDocument.displayName] = nil
        return document
    }

    private static func withoutNamedParts(_ body: WorkoutBody) -> WorkoutBody {
        var body = body
        body.archived.removeAll(where: isNamedPart)
        return body
    }

    private static func isNamedPart(_ element: ArchivedElement) -> Bool {
        element.name == ArchivedElement.workoutRoute
    }

    /// Bit for bit; a NaN is what it is. What one of the two does not have at all is no difference: a
    /// newer version may read more of a file than an older one did.
    private static func areAlike(_ one: [String: [Double]], _ other: [String: [Double]]) -> Bool {
        let names = Set(one.keys).intersection(other.keys)
        return !names.isEmpty
            && names.allSatisfy { name in
                guard let one = one[name], let other = other[name], one.count == other.count else { return false }
                return zip(one, other).allSatisfy { $0.bitPattern == $1.bitPattern }
            }
    }
}
