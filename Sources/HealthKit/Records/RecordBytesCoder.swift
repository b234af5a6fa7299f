import Foundation

/// An archive of one object that lies there as one ``SecureRecord``: the record's bytes and nothing around them.
///
/// For objects within objects. Foundation's own archive, nested and damaged, may end the process on Linux.
// Unchecked: made, used and let go of by one call.
final class RecordBytesCoder: NSCoder, @unchecked Sendable {
    private var record: Data

    private init(_ record: Data) {
        self.record = record
        super.init()
    }

    /// The bytes of an object.
    static func bytes(of object: some NSObject & NSSecureCoding) -> Data {
        let coder = RecordBytesCoder(Data())
        object.encode(with: coder)
        return coder.record
    }

    /// The object of these bytes; `nil` for damaged ones. It is of just this class.
    static func object<Object: NSObject & NSSecureCoding>(_ type: Object.Type, in record: Data) -> Object? {
        type.init(coder: RecordBytesCoder(record))
    }

    override var allowsKeyedCoding: Bool { true }

    override func containsValue(forKey key: String) -> Bool { !record.isEmpty }

    override func encode(_ object: Any?, forKey key: String) {
        record = object as? Data ?? Data()
    }

    override func decodeObject<Object: NSObject & NSCoding>(of type: Object.Type, forKey key: String) -> Object? {
        (record as NSData) as? Object
    }
}
