import Foundation

/// Where the known attributes of a `Record` or `Correlation` stand in the window.
struct RecordFields {
    var type = ByteRange.none
    var sourceName = ByteRange.none
    var sourceVersion = ByteRange.none
    var device = ByteRange.none
    var unit = ByteRange.none
    var creationDate = ByteRange.none
    var startDate = ByteRange.none
    var endDate = ByteRange.none
    var value = ByteRange.none
    /// Attributes this version does not know, by their place in the tag.
    var others: [Int] = []
    /// Known attributes that the tag has given before.
    var repeated: [Int] = []

    /// Sorts a tag's attributes; of one given twice the first counts.
    init(_ base: UnsafePointer<UInt8>, _ attributes: borrowing TagAttributes) {
        for index in 0..<attributes.count {
            let name = attributes[index].name
            guard let path = Self.path(base + name.start, name.count) else {
                others.append(index)
                continue
            }
            if self[keyPath: path].exists {
                repeated.append(index)
            } else {
                self[keyPath: path] = attributes[index].value
            }
        }
    }

    /// Which field an attribute name means.
    private static func path(
        _ name: UnsafePointer<UInt8>, _ length: Int
    ) -> WritableKeyPath<RecordFields, ByteRange>? {
        switch length {
        case 4:
            if memcmp(name, "type", 4) == 0 { return \.type }
            return memcmp(name, "unit", 4) == 0 ? \.unit : nil
        case 5: return memcmp(name, "value", 5) == 0 ? \.value : nil
        case 6: return memcmp(name, "device", 6) == 0 ? \.device : nil
        case 7: return memcmp(name, "endDate", 7) == 0 ? \.endDate : nil
        case 9: return memcmp(name, "startDate", 9) == 0 ? \.startDate : nil
        case 10: return memcmp(name, "sourceName", 10) == 0 ? \.sourceName : nil
        case 12: return memcmp(name, "creationDate", 12) == 0 ? \.creationDate : nil
        case 13: return memcmp(name, "sourceVersion", 13) == 0 ? \.sourceVersion : nil
        default: return nil
        }
    }
}
