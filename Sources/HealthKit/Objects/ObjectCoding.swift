package import Foundation
import HealthEngine
import HealthModel

/// The contents of a secure archive of one object: its record, and the names of the types in it.
///
/// Type codes outside the catalog are specific to one store, so an archive names its types.
struct ObjectCoding: Codable {
    /// One type by name.
    struct NamedType: Codable {
        var code: TypeCode
        var identifier: String
        var kind: TypeKind

        init(_ type: TypeDescription) {
            (code, identifier, kind) = (type.code, type.identifier, type.kind)
        }

        /// Whether it is a type of the catalog, or one that a store has given a code.
        var isValid: Bool {
            TypeCatalog.description(for: identifier) != nil
                || !identifier.isEmpty && code.rawValue >= TypeCode.firstUnknown.rawValue
        }

        /// The description in the catalog; a minimal one for a type outside it.
        var description: TypeDescription {
            TypeCatalog.description(for: identifier) ?? TypeDescription(code: code, identifier: identifier, kind: kind)
        }
    }

    var types: [NamedType]
    /// The record of a quantity or category sample.
    private(set) var sample: SampleRecord?
    /// The record of any other sample.
    var object: ObjectRecord?

    /// `nil` for an object of a class without a record.
    init?(_ object: HKObject) {
        guard let sample = object as? HKSample else { return nil }
        var found: [TypeCode: HKSampleType] = [sample.sampleType.code: sample.sampleType]
        for member in (sample as? HKCorrelation)?.objects ?? [] {
            found[member.sampleType.code] = member.sampleType
        }
        types = found.sorted { $0.key < $1.key }.map { NamedType($0.value.typeDescription) }
        switch RecordEncoder.item(object) {
        case .sample(let record): self.sample = record
        case .object(var record):
            record.members += sample.linkedRecords
            self.object = record
        case nil: return nil
        }
    }
}

// MARK: - Decoding

// Every function returns `nil` for a damaged archive and for one of another family.
extension ObjectCoding {
    /// The properties of every sample, of an object that is not a quantity or category sample.
    static func base(from coder: NSCoder) -> SampleBase? {
        guard let archive = SecureRecord.decode(ObjectCoding.self, from: coder) else { return nil }
        return archive.object.flatMap { archive.base(of: $0) }
    }

    /// A quantity or category sample.
    static func sample(from coder: NSCoder) -> (base: SampleBase, value: Double, unit: String)? {
        guard let archive = SecureRecord.decode(ObjectCoding.self, from: coder),
            let record = archive.sample, let base = archive.base(of: record)
        else { return nil }
        return (base, record.value, record.unit)
    }

    /// A correlation with its members.
    static func correlation(from coder: NSCoder) -> (base: SampleBase, members: Set<HKSample>)? {
        guard let archive = SecureRecord.decode(ObjectCoding.self, from: coder),
            let record = archive.object, let base = archive.base(of: record), let members = archive.members(of: record)
        else { return nil }
        return (base, members)
    }

    /// A sample with its own values.
    static func fields<Fields: DocumentFields>(
        _: Fields.Type, from coder: NSCoder
    ) -> (base: SampleBase, fields: Fields)? {
        guard let archive = SecureRecord.decode(ObjectCoding.self, from: coder),
            let record = archive.object, case .document(let document) = record.body,
            let base = archive.base(of: record),
            base.context.type is Fields.SampleType, Fields.isComplete(document)
        else { return nil }
        return (base, Fields(document))
    }

    /// The properties of every sample; `nil` when a field is missing or invalid.
    func base(of record: SampleRecord) -> SampleBase? {
        base(
            uuid: record.uuid, type: record.type, start: record.start, end: record.end,
            revision: record.revision, device: record.device, metadata: record.metadata)
    }

    /// The properties of every sample; `nil` when a field is missing or invalid.
    func base(of record: ObjectRecord) -> SampleBase? {
        base(
            uuid: record.uuid, type: record.type, start: record.start, end: record.end,
            revision: record.revision, device: record.device, metadata: record.metadata)
    }

    /// The members of a correlation; `nil` when one of them is invalid.
    func members(of record: ObjectRecord) -> Set<HKSample>? {
        var samples: Set<HKSample> = []
        for member in record.members {
            guard let base = base(of: member),
                let sample = RecordDecoder.sample(member, base)
            else { return nil }
            samples.insert(sample)
        }
        return samples
    }

    private func base(
        uuid: UUID?, type: TypeCode, start: Double, end: Double, revision: SourceRevisionRecord?,
        device: DeviceRecord?, metadata: Metadata
    ) -> SampleBase? {
        guard let uuid, start <= end,
            let name = types.first(where: { $0.code == type }),
            let sampleType = HKSampleType.described(by: name.description)
        else { return nil }
        let context = ObjectContext(
            type: sampleType, revision: revision.map { HKSourceRevision($0) },
            device: device.map { HKDevice($0) }, metadata: metadata)
        return SampleBase(identity: uuid, context: context, start: start, end: end)
    }
}

// MARK: - Coding

/// The value that a keyed archive has of one object: its record in JSON, under one key.
///
/// One value of bytes keeps Foundation's unarchiver out of everything but the envelope: on Linux, nested
/// collections of a damaged archive end the process inside it, and numbers lose their type.
enum SecureRecord {
    private static let key = "record"

    static func encode(_ record: some Encodable, with coder: NSCoder) {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        // Records contain numbers, text and lists only, which always encode.
        guard let data = try? encoder.encode(record) else { return }
        // In a program with the Swift runtime inside, the linker leaves out how an array becomes an object unless
        // something calls it: Foundation's archiver only looks for it when it runs, and writes nothing without it.
        _ = ([] as [Any])._bridgeToObjectiveC()
        coder.encode(data as NSData, forKey: key)
    }

    /// Whether the archive contains a record.
    static func isPresent(in coder: NSCoder) -> Bool { coder.containsValue(forKey: key) }

    /// The value; `nil` when the archive does not contain one of this type.
    static func decode<Record: Decodable>(_ type: Record.Type, from coder: NSCoder) -> Record? {
        guard isPresent(in: coder), let data = coder.decodeObject(of: NSData.self, forKey: key) else { return nil }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try? decoder.decode(type, from: data as Data)
    }
}

/// An archive that consists of one ``SecureRecord``: the record's bytes without an envelope.
///
/// For objects within objects and in files. Foundation's own archive, nested and damaged, may end the process on Linux.
// Unchecked: created, used and released by one call.
package final class RecordBytesCoder: NSCoder, @unchecked Sendable {
    private var record: Data

    private init(_ record: Data) {
        self.record = record
        super.init()
    }

    /// The bytes of an object.
    package static func bytes(of object: some NSObject & NSSecureCoding) -> Data {
        let coder = RecordBytesCoder(Data())
        object.encode(with: coder)
        return coder.record
    }

    /// The object of these bytes, of exactly this class; `nil` for damaged bytes.
    package static func object<Object: NSObject & NSSecureCoding>(_ type: Object.Type, in record: Data) -> Object? {
        type.init(coder: RecordBytesCoder(record))
    }

    package override var allowsKeyedCoding: Bool { true }

    package override func containsValue(forKey key: String) -> Bool { !record.isEmpty }

    package override func encode(_ object: Any?, forKey key: String) {
        record = object as? Data ?? Data()
    }

    package override func decodeObject<Object: NSObject & NSCoding>(of type: Object.Type, forKey key: String) -> Object?
    {
        (record as NSData) as? Object
    }
}
