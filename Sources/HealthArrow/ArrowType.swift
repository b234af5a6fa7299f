package import COpenHealthKit
package import Foundation

/// The type of a column.
package indirect enum ArrowType: Hashable, Sendable {
    case float64, int64, bool, text, bytes
    /// A day without a time.
    case date
    /// 16 bytes, with the extension type `arrow.uuid`.
    case uuid
    /// Microseconds since 1970, shown in a time zone.
    case timestamp(String)
    /// Texts of which most occur often.
    case dictionary
    case list(ArrowField)
    case structure([ArrowField])
    /// Texts by name.
    case map

    /// Microseconds since 1970, shown in a time zone.
    ///
    /// Arrow's name of a zone that is only an offset is `+02:00`; `GMT+0200` is Foundation's own.
    package static func timestamp(in zone: TimeZone) -> ArrowType {
        guard let offset = zone.identifier.wholeMatch(of: /GMT([+-][0-9]{2})([0-9]{2})/) else {
            return .timestamp(zone.identifier)
        }
        return .timestamp("\(offset.1):\(offset.2)")
    }

    var children: [ArrowField] {
        switch self {
        case .list(let element): [element]
        case .structure(let fields): fields
        case .map:
            [
                ArrowField(
                    "entries",
                    .structure([ArrowField("key", .text, isNullable: false), ArrowField("value", .text)]),
                    isNullable: false)
            ]
        default: []
        }
    }
}

/// A column of a table: its name, its type and what else is to be known of it.
package struct ArrowField: Hashable, Sendable {
    package let name: String
    package let type: ArrowType
    package let isNullable: Bool
    /// The unit of a column of quantities that has one.
    package var unit: String?

    package init(_ name: String, _ type: ArrowType, isNullable: Bool = true, unit: String? = nil) {
        (self.name, self.type, self.isNullable, self.unit) = (name, type, isNullable, unit)
    }

    /// The type's additional metadata, by name.
    var metadata: [(key: String, value: String)] {
        var metadata = unit.map { [("unit", $0)] } ?? []
        if type == .uuid {
            metadata += [("ARROW:extension:name", "arrow.uuid"), ("ARROW:extension:metadata", "")]
        }
        return metadata
    }

    /// Fills in a structure of the C data interface, which the consumer releases.
    package func export(to schema: UnsafeMutablePointer<ArrowSchema>) {
        let children = type.children
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<ArrowSchema>?>.allocate(
            capacity: max(1, children.count))
        for (index, child) in children.enumerated() {
            let target = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
            child.export(to: target)
            pointers[index] = target
        }
        var dictionary: UnsafeMutablePointer<ArrowSchema>?
        if type == .dictionary {
            dictionary = .allocate(capacity: 1)
            dictionary.map { ArrowField("", .text, isNullable: false).export(to: $0) }
        }
        var format = type.format
        if case .timestamp(let zone) = type { format += zone }
        schema.initialize(
            to: ArrowSchema(
                format: Self.copy(Array(format.utf8) + [0]), name: Self.copy(Array(name.utf8) + [0]),
                metadata: metadata.isEmpty ? nil : Self.copy(Self.encoded(metadata)),
                flags: isNullable ? Int64(ARROW_FLAG_NULLABLE) : 0, n_children: Int64(children.count),
                children: pointers, dictionary: dictionary,
                release: { schema in
                    guard let schema, schema.pointee.release != nil else { return }
                    for index in 0..<Int(schema.pointee.n_children) {
                        ArrowField.free(schema.pointee.children[index])
                    }
                    schema.pointee.children.deallocate()
                    ArrowField.free(schema.pointee.dictionary)
                    for text in [schema.pointee.format, schema.pointee.name, schema.pointee.metadata] {
                        text?.deallocate()
                    }
                    schema.pointee.release = nil
                }, private_data: nil))
    }

    /// Releases a structure, unless the consumer has taken it over, and frees its memory.
    private static func free(_ schema: UnsafeMutablePointer<ArrowSchema>?) {
        guard let schema else { return }
        schema.pointee.release?(schema)
        schema.deallocate()
    }

    private static func copy(_ bytes: [UInt8]) -> UnsafePointer<CChar> {
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { copy[index] = CChar(bitPattern: byte) }
        return UnsafePointer(copy)
    }

    /// Lengths and bytes, in the machine's byte order.
    private static func encoded(_ metadata: [(key: String, value: String)]) -> [UInt8] {
        var bytes: [UInt8] = []
        func add(_ number: Int) { withUnsafeBytes(of: Int32(number)) { bytes += $0 } }
        add(metadata.count)
        for text in metadata.flatMap({ [$0.key, $0.value] }) {
            add(text.utf8.count)
            bytes += Array(text.utf8)
        }
        return bytes
    }
}
