import Foundation
import HealthEngine
import HealthModel

/// The keys of samples and deleted objects in the keyed archives of Apple's systems, as public archives of test
/// suites show them.
///
/// Archives of this module contain a ``SecureRecord`` as well, which has everything that these keys can't represent or
/// whose layout isn't known: the source's name and version, the device, the members of correlations and workouts, and
/// the values of documents. Where there is a record, these keys are not read.
enum OriginalLayout {
    private static let identity = "UUID"
    private static let metadataKey = "Metadata"
    private static let type = "DataType"
    private static let start = "StartTS"
    private static let end = "EndTS"
    private static let creation = "CTS"
    private static let revision = "SourceRevision"
    private static let bundleIdentifier = "SourceBundleID"
    private static let device = "Device"
    private static let quantity = "Quantity"
    private static let count = "Count"
    /// Not among the public archives: named for its property, as the others are.
    private static let value = "Value"
}

// MARK: - Encoding

extension OriginalLayout {
    static func encode(_ sample: HKSample, with coder: NSCoder) {
        encode(sample.identity, sample.context.metadata, with: coder)
        coder.encode(sample.context.type, forKey: type)
        coder.encode(sample.start, forKey: start)
        coder.encode(sample.end, forKey: end)
        // Samples do not have the date of their creation here.
        coder.encode(0.0, forKey: creation)
        coder.encode(nil as NSString?, forKey: revision)
        coder.encode(sample.context.revision?.record.source.bundleIdentifier as NSString?, forKey: bundleIdentifier)
        coder.encode(nil as NSString?, forKey: device)
        switch sample {
        case let sample as HKQuantitySample:
            coder.encode(HKQuantity(unit: sample.unit, doubleValue: sample.value), forKey: quantity)
            coder.encode(SeriesFigures(sample.context)?.count ?? 1, forKey: count)
        case let sample as HKCategorySample:
            coder.encode(sample.categoryValue, forKey: value)
        default: break
        }
    }

    /// What samples and deleted objects have in common.
    static func encode(_ uuid: UUID, _ record: Metadata, with coder: NSCoder) {
        coder.encode(NSUUID(uuidString: uuid.uuidString), forKey: identity)
        coder.encode(MetadataDictionary(record).valuesOrNil.map { NSDictionary(dictionary: $0) }, forKey: metadataKey)
    }
}

// MARK: - Decoding

// Every function returns `nil` for a damaged archive and for one of another family.
extension OriginalLayout {
    /// A quantity or category sample.
    static func sample(from coder: NSCoder) -> (base: SampleBase, value: Double, unit: String)? {
        guard coder.containsValue(forKey: type), coder.containsValue(forKey: start), coder.containsValue(forKey: end),
            let sampleType = coder.decodeObject(of: HKSampleType.self, forKey: type),
            let uuid = uuid(from: coder), var entries = metadata(from: coder)
        else { return nil }
        let (first, last) = (coder.decodeDouble(forKey: start), coder.decodeDouble(forKey: end))
        guard first.isFinite, last.isFinite, first <= last else { return nil }
        let contents: (value: Double, unit: String)
        switch sampleType {
        case let type as HKQuantityType:
            guard let found = measured(type, from: coder) else { return nil }
            contents = (found.value, found.unit.unitString)
            let count = coder.containsValue(forKey: count) ? coder.decodeInteger(forKey: count) : 1
            guard count >= 0 else { return nil }
            if count > 1 {
                entries = entries.merging(
                    Metadata([.init(key: MetadataKey.seriesCount, value: .integer(Int64(count)))]))
            }
        case is HKCategoryType:
            guard coder.containsValue(forKey: value) else { return nil }
            contents = (Double(coder.decodeInteger(forKey: value)), "")
        default: return nil
        }
        let context = ObjectContext(type: sampleType, revision: source(from: coder), metadata: entries)
        return (SampleBase(identity: uuid, context: context, start: first, end: last), contents.value, contents.unit)
    }

    private static func measured(_ type: HKQuantityType, from coder: NSCoder) -> HKQuantity? {
        guard coder.containsValue(forKey: quantity),
            let found = coder.decodeObject(of: HKQuantity.self, forKey: quantity), type.is(compatibleWith: found.unit)
        else { return nil }
        return found
    }

    /// The source, as far as its layout is known: its bundle identifier.
    private static func source(from coder: NSCoder) -> HKSourceRevision? {
        guard coder.containsValue(forKey: bundleIdentifier),
            let identifier = coder.decodeObject(of: NSString.self, forKey: bundleIdentifier) as String?,
            !identifier.isEmpty
        else { return nil }
        return HKSourceRevision(
            SourceRevisionRecord(
                source: SourceRecord(bundleIdentifier: identifier, name: identifier), version: nil, productType: nil,
                operatingSystemVersion: .init()))
    }

    static func uuid(from coder: NSCoder) -> UUID? {
        guard coder.containsValue(forKey: identity) else { return nil }
        if let bytes = inlineBytes(identity, from: coder) { return UUID(bytes: bytes) }
        return switch coder.decodeObject(of: [NSUUID.self, NSData.self, NSString.self], forKey: identity) {
        case let uuid as NSUUID: UUID(uuidString: uuid.uuidString)
        case let bytes as Data: UUID(bytes: bytes)
        case let text as String: UUID(uuidString: text)
        default: nil
        }
    }

    /// Bytes without an object around them, which `decodeObject` would take for damage.
    private static func inlineBytes(_ key: String, from coder: NSCoder) -> Data? {
        switch coder {
        case let decoder as any InlineDataDecoding: decoder.decodeInlineData(forKey: key)
        case let unarchiver as NSKeyedUnarchiver:
            unarchiver.withDecodedUnsafeBytes(forKey: key) { $0.map { Data($0) } }
        default: nil
        }
    }

    /// The metadata, empty when there is none.
    static func metadata(from coder: NSCoder) -> Metadata? {
        guard coder.containsValue(forKey: metadataKey) else { return .empty }
        let classes: [AnyClass] = [NSDictionary.self, NSString.self, NSNumber.self, NSDate.self, HKQuantity.self]
        guard let object = coder.decodeObject(of: classes, forKey: metadataKey) else { return .empty }
        guard let dictionary = object as? NSDictionary else { return nil }
        var values: [String: Any] = [:]
        for (key, value) in dictionary {
            guard let key = key as? String else { return nil }
            values[key] = value
        }
        return try? MetadataDictionary.record(of: values)
    }
}

/// A coder that returns bytes of an archive without an object around them.
protocol InlineDataDecoding: NSCoder {
    func decodeInlineData(forKey key: String) -> Data?
}
