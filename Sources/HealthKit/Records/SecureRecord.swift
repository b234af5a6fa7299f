import Foundation

/// How the module's objects lie in a keyed archive: each as one record, in JSON, under one key.
///
/// One value of bytes keeps Foundation's unarchiver out of everything but the envelope: nested
/// collections of a damaged archive end the process inside it on Linux, and numbers lose their kind.
enum SecureRecord {
    private static let key = "record"

    static func encode(_ record: some Encodable, with coder: NSCoder) {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        // Records hold numbers, text and lists only, which always encode.
        guard let data = try? encoder.encode(record) else { return }
        coder.encode(data as NSData, forKey: key)
    }

    /// The record, or `nil` when the archive has none of this kind.
    static func decode<Record: Decodable>(_ type: Record.Type, from coder: NSCoder) -> Record? {
        guard let data = coder.decodeObject(of: NSData.self, forKey: key) else { return nil }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try? decoder.decode(type, from: data as Data)
    }
}
