import Foundation
import HealthModel

/// The names of one category type's values as bytes.
struct CategoryNames {
    /// By raw value from 0.
    private var names: [[UInt8]?] = []

    /// No enumeration has a greater raw value than this.
    private static let greatest = 31

    init(_ type: TypeDescription) {
        names = (0...Self.greatest).map { value in CategoryValueWriter.name(of: value, type).map { Array($0.utf8) } }
    }

    /// Writes a value's name, or its number where it has none; returns the place behind it.
    @inline(__always)
    func write(_ value: Double, to target: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        if value >= 0, value <= Double(Self.greatest), let name = names[Int(value)], Double(Int(value)) == value {
            name.withUnsafeBufferPointer { target.update(from: $0.baseAddress!, count: $0.count) }
            return target + name.count
        }
        return target + NumberBytes.write(value, to: target)
    }
}
