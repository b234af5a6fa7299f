extension ByteReader {
    /// Lends an array's bytes to `read`; the library's own method would forget the type of the error.
    static func lending<Value>(
        _ bytes: [UInt8], _ read: (UnsafeRawBufferPointer) throws(PageError) -> Value
    ) throws(PageError) -> Value {
        let result = bytes.withUnsafeBytes { raw in
            Result { () throws(PageError) in try read(raw) }
        }
        return try result.get()
    }
}
