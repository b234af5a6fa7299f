import HealthModel
import HealthPages
import HealthStorage

/// Recognizes objects of an archive that are the same although their bytes differ.
///
/// An archive writes some content differently each time: in the phone's language and time zone, with file names that
/// contain the time of day. A recording is compared by its long series, a workout by everything except the routes
/// that are only named and its zones, which an archive leaves out, and a clinical record by everything except its file
/// if one of the two lacks it.
enum ObjectEquivalence {
    /// Whether an object of the archive is the stored one. The caller has compared type, dates, source
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

    /// The stored payload of a workout with the unresolved routes of the newer record, for which some have been
    /// read; `nil` if nothing changes.
    static func withoutResolvedParts(_ storedPayload: [UInt8], newer: ObjectRecord) throws -> [UInt8]? {
        guard case .workout(let workout) = newer.body else { return nil }
        let stored = try ObjectCoder.decode(storedPayload)
        guard case .workout(var body) = stored.body else { return nil }
        let (before, after) = (body.archived.filter(isNamedPart), workout.archived.filter(isNamedPart))
        guard after.count < before.count else { return nil }
        body.archived = body.archived.filter { !isNamedPart($0) } + after
        return ObjectCoder.encode(metadata: stored.metadata, creation: stored.creation, body: .workout(body))
    }

    /// The new payload of a clinical record that was stored without its file and now has one; `nil` if nothing
    /// changes.
    static func withFile(_ storedPayload: [UInt8], newer: ObjectRecord) throws -> [UInt8]? {
        guard case .document(let document) = newer.body, document[ClinicalRecordDocument.data] != nil,
            case .document(let stored) = try ObjectCoder.decode(storedPayload).body,
            stored[ClinicalRecordDocument.identifier] != nil, stored[ClinicalRecordDocument.data] == nil
        else { return nil }
        return ObjectCoder.encode(metadata: newer.metadata, creation: newer.creation, body: newer.body)
    }

    /// A record without its file and the display name, which comes from the file.
    private static func withoutFile(_ document: DocumentBody) -> DocumentBody {
        var document = document
        document[ClinicalRecordDocument.data] = nil
        document[ClinicalRecordDocument.displayName] = nil
        return document
    }

    private static func withoutNamedParts(_ body: WorkoutBody) -> WorkoutBody {
        var body = body
        body.archived = body.archivedWithoutZones
        body.archived.removeAll(where: isNamedPart)
        return body
    }

    private static func isNamedPart(_ element: ArchivedElement) -> Bool {
        element.name == ArchivedElement.workoutRoute
    }

    /// Compares bit for bit, NaN included. A series that only one of the two has is ignored: a
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

/// Source revisions and devices that an archive cannot distinguish.
///
/// An archive contains a source's name and version but neither its bundle identifier nor its product type; of a
/// device it omits the local and regulatory identifiers. To recognize in an archive what an application saved,
/// numbers that are written alike form a class, which is identified by its minimum number.
struct SourceEquivalence {
    private struct RevisionKey: Hashable {
        var name: String
        var version: String?
    }

    private var revisionClasses: [UInt32] = [0]
    private var deviceClasses: [UInt32] = [0]
    private var revisionFaces: [RevisionKey: UInt32] = [:]
    private var deviceFaces: [DeviceRecord: UInt32] = [:]

    /// Adds the numbers assigned since the last call.
    mutating func extend(to dictionaries: StoreDictionaries) {
        for number in revisionClasses.count..<max(revisionClasses.count, dictionaries.revisions.count + 1) {
            let revision = dictionaries.revisions[number - 1]
            let face = RevisionKey(name: revision.source.name, version: revision.version)
            let known = revisionFaces[face] ?? UInt32(number)
            revisionFaces[face] = known
            revisionClasses.append(known)
        }
        for number in deviceClasses.count..<max(deviceClasses.count, dictionaries.devices.count + 1) {
            var face = dictionaries.devices[number - 1]
            face.localIdentifier = nil
            face.udiDeviceIdentifier = nil
            let known = deviceFaces[face] ?? UInt32(number)
            deviceFaces[face] = known
            deviceClasses.append(known)
        }
    }

    /// Whether both numbers are known.
    func covers(revision: UInt32, device: UInt32) -> Bool {
        Int(revision) < revisionClasses.count && Int(device) < deviceClasses.count
    }

    func revisionClass(_ number: UInt32) -> UInt32 {
        Int(number) < revisionClasses.count ? revisionClasses[Int(number)] : number
    }

    func deviceClass(_ number: UInt32) -> UInt32 {
        Int(number) < deviceClasses.count ? deviceClasses[Int(number)] : number
    }
}
