import Foundation

/// Prints one JSON value, keys in alphabetical order, on one line.
enum JSONOutput {
    static func print(_ value: some Encodable) throws {
        Swift.print(try text(value))
    }

    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // NaN and infinity can be stored; JSON has no number for them.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
