import AppleHealthExport
import Foundation
import HealthFiles

/// A destination for the files of an archive, which are written sequentially.
protocol GeneratorOutput: AnyObject {
    /// Whether files beside the main file are written; otherwise their contents are discarded.
    var acceptsAuxiliaryFiles: Bool { get }
    /// Begins a file in the archive's folder. The first one is the main file.
    func begin(_ name: String) throws
    func write(_ bytes: UnsafeRawBufferPointer) throws
    func finish() throws
}

/// A zip file.
final class GeneratorZipOutput: GeneratorOutput {
    let acceptsAuxiliaryFiles = true
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

/// A folder of files.
final class GeneratorFolderOutput: GeneratorOutput {
    let acceptsAuxiliaryFiles = true
    private let folder: URL
    private var handle: FileHandle?

    init(_ folder: URL) {
        self.folder = folder
    }

    func begin(_ name: String) throws {
        try handle?.close()
        let url = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path])
        }
        handle = try FileHandle(forWritingTo: url)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try handle?.writeOrThrow(bytes, to: folder)
    }

    func finish() throws {
        try handle?.close()
    }
}

/// A single XML file.
final class GeneratorFileOutput: GeneratorOutput {
    let acceptsAuxiliaryFiles = false
    private let url: URL
    private var handle: FileHandle?
    private var isMain = true

    init(_ url: URL) {
        self.url = url
    }

    func begin(_ name: String) throws {
        isMain = handle == nil
        guard isMain else { return }
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path])
        }
        handle = try FileHandle(forWritingTo: url)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        if isMain { try handle?.writeOrThrow(bytes, to: url) }
    }

    func finish() throws {
        try handle?.close()
    }
}

extension FileHandle {
    /// Writes bytes; an error names the file or folder, and the system's reason.
    fileprivate func writeOrThrow(_ bytes: UnsafeRawBufferPointer, to url: URL) throws {
        do {
            try write(contentsOf: Data(bytes))
        } catch {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: error])
        }
    }
}

/// The main file only, passed to a closure.
final class GeneratorClosureOutput: GeneratorOutput {
    let acceptsAuxiliaryFiles = false
    private let output: (UnsafeRawBufferPointer) throws -> Void
    private var files = 0

    init(_ output: @escaping (UnsafeRawBufferPointer) throws -> Void) {
        self.output = output
    }

    func begin(_ name: String) throws {
        files += 1
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        if files == 1 { try output(bytes) }
    }

    func finish() throws {}
}
