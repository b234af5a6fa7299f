/// An error in the bytes of a zip file. The description continues “the zip file is damaged: …”.
package struct ZipError: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
    /// The reason why an undamaged file can’t be read here, as the end of a sentence.
    package var obstacle: String?

    /// Creates an error with the end of that sentence.
    package init(_ description: String, obstacle: String? = nil) {
        (self.description, self.obstacle) = (description, obstacle)
    }

    static func encrypted(_ entry: String) -> ZipError {
        ZipError("the entry “\(entry)” is encrypted", obstacle: "is protected with a password")
    }

    /// Windows compresses large files with Deflate64.
    static func unsupported(_ method: UInt16, _ entry: String) -> ZipError {
        guard method != 99 else { return encrypted(entry) }
        let names: [UInt16: String] = [9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "XZ", 98: "PPMd"]
        let name = names[method] ?? "method \(method)"
        return ZipError(
            "the entry “\(entry)” is compressed with \(name)",
            obstacle: "is compressed with \(name), which is not supported")
    }
}

extension ImportError {
    static func growing(_ name: String) -> ImportError {
        ImportError(
            .zipBomb,
            "“\(name)” unpacks to more than \(ZipGrowth.maximumFactor) times its compressed size, which no Apple Health export does.\(sizeHint)"
        )
    }

    /// - Parameter recoversDamagedArchives: Whether the option is used already, and didn't help.
    package static func withoutDirectory(_ name: String, _ error: ZipError, recoversDamagedArchives: Bool)
        -> ImportError
    {
        var failure = damagedZip(name, error)
        if !recoversDamagedArchives { failure.description += recoveryHint }
        return failure
    }

    package static func damagedZip(_ name: String, _ error: ZipError) -> ImportError {
        ImportError(
            .damagedZip,
            error.obstacle.map { "The zip file “\(name)” \($0). Unpack it with 7z x, and import the folder." }
                ?? "The zip file “\(name)” is damaged: \(error.description).")
    }
}
