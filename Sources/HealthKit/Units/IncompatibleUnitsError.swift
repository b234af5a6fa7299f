/// Two units of which neither can be told in the other.
package struct IncompatibleUnitsError: Error, Hashable, CustomStringConvertible {
    /// The unit string converted from.
    package var from: String
    /// The unit string converted to.
    package var to: String

    /// The original's words.
    package var description: String { "Attempt to convert incompatible units: \(from), \(to)" }
}
