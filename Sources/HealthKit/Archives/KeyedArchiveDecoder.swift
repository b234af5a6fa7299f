import Foundation

/// Decodes the objects of this module from a keyed archive.
///
/// Foundation's unarchiver on Linux ends the process for an archive whose classes, counts or references are not
/// what it expects. This one decodes what the module's objects consist of and fails for everything else.
// Unchecked: created, used and released by one call.
final class KeyedArchiveDecoder: NSCoder, InlineDataDecoding, @unchecked Sendable {
    /// How deep objects may be nested. A sample needs four levels.
    private static let maximumDepth = 64

    private let archive: KeyedArchive
    private var fields: [[String: PropertyListNode]] = []
    private var decoded: [Int: NSObject] = [:]
    private var open: Set<Int> = []
    /// The first failure. After one, nothing else decodes, as in Foundation.
    private var failure: KeyedArchiveError?

    private init(_ archive: KeyedArchive) {
        self.archive = archive
        super.init()
    }

    /// The root object, of one of these classes; `nil` for an archive of nothing.
    static func root(of archive: KeyedArchive, as classes: [AnyClass]) throws(KeyedArchiveError) -> NSObject? {
        let decoder = KeyedArchiveDecoder(archive)
        let root = decoder.attempt { () throws(KeyedArchiveError) in try decoder.object(archive.root, allowed: classes)
        }
        if let failure = decoder.failure { throw failure }
        return root
    }

    private func attempt<Value>(_ body: () throws(KeyedArchiveError) -> Value?) -> Value? {
        guard failure == nil else { return nil }
        do throws(KeyedArchiveError) {
            return try body()
        } catch {
            failure = failure ?? error
            return nil
        }
    }

    // MARK: - Objects

    private func object(_ reference: PropertyListNode, allowed: [AnyClass]) throws(KeyedArchiveError) -> NSObject? {
        guard case .reference(let index) = reference, let node = archive.object(reference) else {
            throw KeyedArchiveError("A reference of the archive refers to no object.")
        }
        let object: NSObject
        switch node {
        case .text("$null"): return nil
        case .text(let text): object = NSString(string: text)
        case .boolean(let truth): object = NSNumber(value: truth)
        case .integer(let number): object = NSNumber(value: number)
        case .real(let number): object = NSNumber(value: number)
        case .date(let seconds): object = NSDate(timeIntervalSinceReferenceDate: seconds)
        case .data(let data): object = NSData(data: data)
        case .dictionary(let fields): object = try instance(index, node, fields, allowed)
        case .null, .reference, .list: throw KeyedArchiveError("An object of the archive is a bare list or reference.")
        }
        guard Self.is(Swift.type(of: object), allowed) else {
            throw KeyedArchiveError("An object of the archive has an unexpected class.")
        }
        return object
    }

    private func instance(
        _ index: Int, _ node: PropertyListNode, _ fields: [String: PropertyListNode], _ allowed: [AnyClass]
    ) throws(KeyedArchiveError) -> NSObject {
        if let known = decoded[index] { return known }
        guard self.fields.count < Self.maximumDepth, open.insert(index).inserted else {
            throw KeyedArchiveError("An object of the archive contains itself.")
        }
        let names = archive.classNames(node)
        let object =
            if let archived = ArchivedClasses.archived(names) {
                try instance(of: archived, fields, allowed)
            } else {
                try foundationObject(named: names.first ?? "", fields, allowed)
            }
        open.remove(index)
        decoded[index] = object
        return object
    }

    private func instance(
        of archived: ArchivedClasses.Archived, _ fields: [String: PropertyListNode], _ allowed: [AnyClass]
    ) throws(KeyedArchiveError) -> NSObject {
        guard Self.is(archived, allowed) else {
            throw KeyedArchiveError("An object of the archive has an unexpected class.")
        }
        self.fields.append(fields)
        defer { self.fields.removeLast() }
        var object: NSObject? = archived.init(coder: self)
        // Until iOS 12, samples of all quantity types were of one class.
        if let sample = object as? HKQuantitySample, archived == HKQuantitySample.self {
            object = HKQuantitySample.sampleClass(for: sample.quantityType).init(coder: self)
        }
        if let failure { throw failure }
        guard let object else {
            throw KeyedArchiveError("An object of the archive does not have the contents of its class.")
        }
        return object
    }

    /// The classes of Foundation that metadata and lists of samples consist of.
    private func foundationObject(
        named name: String, _ fields: [String: PropertyListNode], _ allowed: [AnyClass]
    ) throws(KeyedArchiveError) -> NSObject {
        self.fields.append(fields)
        defer { self.fields.removeLast() }
        switch name {
        case "NSString", "NSMutableString":
            if let text = fields["NS.string"]?.text { return NSString(string: text) }
        case "NSData", "NSMutableData":
            if case .data(let data)? = fields["NS.data"] { return NSData(data: data) }
        case "NSDate":
            if let seconds = fields["NS.time"]?.number { return NSDate(timeIntervalSinceReferenceDate: seconds) }
        case "NSUUID":
            if case .data(let data)? = fields["NS.uuidbytes"], let uuid = UUID(bytes: data) {
                return NSUUID(uuidString: uuid.uuidString) ?? NSUUID()
            }
        case "NSArray", "NSMutableArray":
            return NSArray(array: try elements("NS.objects", allowed))
        case "NSSet", "NSMutableSet":
            return NSSet(array: try elements("NS.objects", allowed))
        case "NSDictionary", "NSMutableDictionary":
            let (keys, values) = (try elements("NS.keys", allowed), try elements("NS.objects", allowed))
            guard keys.count == values.count else { break }
            let dictionary = NSMutableDictionary()
            for (key, value) in zip(keys, values) { dictionary[key] = value }
            return dictionary
        default:
            throw KeyedArchiveError("An object of the archive has a class that HealthKit's objects do not contain.")
        }
        throw KeyedArchiveError("An object of the archive does not have the contents of its class.")
    }

    private func elements(_ key: String, _ allowed: [AnyClass]) throws(KeyedArchiveError) -> [NSObject] {
        guard let list = fields.last?[key]?.list else {
            throw KeyedArchiveError("An object of the archive does not have the contents of its class.")
        }
        var elements: [NSObject] = []
        for reference in list {
            guard let element = try object(reference, allowed: allowed) else {
                throw KeyedArchiveError("A list of the archive has a missing element.")
            }
            elements.append(element)
        }
        return elements
    }

    /// Whether a class is one of `allowed` or below one of them.
    private static func `is`(_ type: AnyClass, _ allowed: [AnyClass]) -> Bool {
        var type: AnyClass? = type
        while let current = type {
            if allowed.contains(where: { $0 == current }) { return true }
            type = _getSuperclass(current)
        }
        return false
    }

    // MARK: - NSCoder

    override var allowsKeyedCoding: Bool { true }
    override var requiresSecureCoding: Bool { true }

    override func containsValue(forKey key: String) -> Bool { fields.last?[key] != nil }

    override func decodeObject<Object: NSObject & NSCoding>(of type: Object.Type, forKey key: String) -> Object? {
        decodeObject(of: [type], forKey: key) as? Object
    }

    override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
        guard let reference = fields.last?[key] else { return nil }
        return attempt { () throws(KeyedArchiveError) in try object(reference, allowed: classes ?? []) }
    }

    override func decodeObject(forKey key: String) -> Any? { nil }

    override func decodeDouble(forKey key: String) -> Double { scalar(key) { $0.number } ?? 0 }
    override func decodeFloat(forKey key: String) -> Float { Float(decodeDouble(forKey: key)) }
    override func decodeInteger(forKey key: String) -> Int { scalar(key) { $0.wholeNumber } ?? 0 }
    override func decodeInt64(forKey key: String) -> Int64 { Int64(decodeInteger(forKey: key)) }
    override func decodeInt32(forKey key: String) -> Int32 {
        scalar(key) { $0.wholeNumber.flatMap { Int32(exactly: $0) } } ?? 0
    }

    override func decodeBool(forKey key: String) -> Bool {
        scalar(key) { if case .boolean(let truth) = $0 { truth } else { nil } } ?? false
    }

    /// Bytes that lie in the archive without an object around them; `nil` when the value is something else.
    func decodeInlineData(forKey key: String) -> Data? {
        if case .data(let data)? = fields.last?[key] { data } else { nil }
    }

    /// A missing value is not a failure, a value of another kind is.
    private func scalar<Value>(_ key: String, _ read: (PropertyListNode) -> Value?) -> Value? {
        guard let node = fields.last?[key] else { return nil }
        return attempt { () throws(KeyedArchiveError) in
            guard let value = read(archive.object(node) ?? node) else {
                throw KeyedArchiveError("A value of the archive has an unexpected type.")
            }
            return value
        }
    }
}

extension UUID {
    /// The UUID of 16 bytes; `nil` for another number of bytes.
    init?(bytes: Data) {
        guard bytes.count == 16 else { return nil }
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &uuid) { _ = bytes.copyBytes(to: $0) }
        self.init(uuid: uuid)
    }
}
