/// What a document's field is. The raw value stands before it.
enum FieldKind: UInt8 {
    case no = 0
    case yes = 1
    case integer = 2
    case double = 3
    case string = 4
    case date = 5
    case uuid = 6
    case data = 7
    case quantity = 8
    case list = 9
    case record = 10
}
