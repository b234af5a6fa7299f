// How enumerations with associated values are coded: as a list of the case's name and its values. The
// cases of this module's enumerations are rows of Scripts/tables/case-codings.tsv.
//
// Synthesized coding declares a type of coding keys for every case. Of filters, fields and metadata, these types were a
// quarter of this module's machine code, which every application compiles.
extension Encoder {
    /// Encodes a case by its name and associated values.
    package func encode<each Value: Encodable>(case name: String, _ values: repeat each Value) throws {
        var list = unkeyedContainer()
        try list.encode(name)
        repeat try list.encode(each values)
    }
}

extension Decoder {
    /// Returns what ``Swift/Encoder/encode(case:_:)`` wrote.
    package func decodeCase() throws -> CaseDecoder { try CaseDecoder(unkeyedContainer()) }
}

/// Decodes a case's associated values, in their order.
package struct CaseDecoder {
    /// The name of the case.
    package let name: String
    private var list: any UnkeyedDecodingContainer

    init(_ list: any UnkeyedDecodingContainer) throws {
        self.list = list
        name = try self.list.decode(String.self)
    }

    /// Returns the next value.
    package mutating func next<Value: Decodable>() throws -> Value { try list.decode(Value.self) }

    /// The error of a name that isn't one of a case.
    package var unknown: DecodingError {
        .dataCorruptedError(in: list, debugDescription: "The name isn't one of a case.")
    }
}
