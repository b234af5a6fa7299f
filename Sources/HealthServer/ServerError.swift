import Foundation
import HealthAccess
import HealthEngine
import HealthKit
import HealthPages
import HealthStorage

/// The server can't start or work, for a reason that its operator can change.
public struct ServerError: Error, CustomStringConvertible, Sendable {
    /// The reason, as a sentence.
    public let description: String
    /// Whether another program listens on the address.
    public let isAddressInUse: Bool

    init(_ description: String, isAddressInUse: Bool = false) {
        self.description = description
        self.isAddressInUse = isAddressInUse
    }
}

/// The text of an error for a log, which never contains health values, dates or metadata.
enum SafeErrorText {
    /// The text of errors whose descriptions are known to have no health data, else the name of the type.
    static func text(_ error: any Error) -> String {
        switch error {
        case let error as Problem: error.code.name
        case let error as EngineError: "\(error)".prefix { $0 != "(" }.description
        case is StorageError, is PageError, is AccessFileError, is DirectoryError, is ServerError: "\(error)"
        case let error as HKError:
            switch error.userInfo[NSUnderlyingErrorKey] {
            case let damage as PageError: damage.description
            case let storage as StorageError: storage.description
            default: "HKError \(error.code.rawValue)"
            }
        default: "\(type(of: error))"
        }
    }
}
