/// What an object's body is. The raw value stands before it.
enum ObjectBodyKind: UInt8 {
    case none = 0
    case workout = 1
    case activitySummary = 2
    case archived = 3
    case document = 4
}
