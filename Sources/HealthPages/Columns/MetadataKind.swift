/// What a metadata value is: the low bits of the byte between its key and itself.
enum MetadataKind: UInt8 {
    case string = 0
    case no = 1
    case yes = 2
    case integer = 3
    case double = 4
    case date = 5
    case quantity = 6

    static let mask: UInt8 = 0x0F
    /// Set when the archive's text follows the value.
    static let archivedFlag: UInt8 = 0x10
}
