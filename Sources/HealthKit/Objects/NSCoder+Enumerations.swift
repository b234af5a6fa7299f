import Foundation

extension NSCoder {
    /// The case whose raw value is encoded for a key; `nil` without one, and for a value that this version does not
    /// know.
    func decodeEnumeration<Value: RawRepresentable<Int>>(_: Value.Type, forKey key: String) -> Value? {
        containsValue(forKey: key) ? Value(rawValue: decodeInteger(forKey: key)) : nil
    }
}
