import Foundation

/// An `export.zip`.
final class GeneratorZipOutput: GeneratorOutput {
    let takesCompanions = true
    private let zip: ZipWriter

    init(_ url: URL) throws {
        zip = try ZipWriter(path: url.path)
    }

    func begin(_ name: String) throws {
        try zip.beginEntry("apple_health_export/" + name)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try zip.write(bytes)
    }

    func finish() throws {
        try zip.finish()
    }
}
