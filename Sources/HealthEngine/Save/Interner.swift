import HealthModel
import HealthStorage

/// Gives nouns their store numbers, asking the backend once for each in a transaction.
struct Interner {
    private let transaction: any StorageTransaction
    private var units: [String: UInt32] = ["": 0]
    private var devices: [DeviceRecord: UInt32] = [:]
    private var revisions: [SourceRevisionRecord: UInt32] = [:]

    init(_ transaction: any StorageTransaction) {
        self.transaction = transaction
    }

    /// The unit's number; 0 for the empty string.
    mutating func number(unit: String) throws -> UInt32 {
        if let known = units[unit] { return known }
        let number = try transaction.intern(unit: unit)
        units[unit] = number
        return number
    }

    /// The device's number; 0 for none.
    mutating func number(_ device: DeviceRecord?) throws -> UInt32 {
        guard let device else { return 0 }
        if let known = devices[device] { return known }
        let number = try transaction.intern(device)
        devices[device] = number
        return number
    }

    mutating func number(_ revision: SourceRevisionRecord) throws -> UInt32 {
        if let known = revisions[revision] { return known }
        let number = try transaction.intern(revision)
        revisions[revision] = number
        return number
    }
}
