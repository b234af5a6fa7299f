import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Renders an SVG document as a PNG image with librsvg and cairo.
enum PNGRenderer {
    /// Renders the document at `width` × `height` pixels.
    ///
    /// - Throws: ``ImageError`` if librsvg isn't installed or rejects the document, or if cairo rejects the size.
    static func render(svg: String, width: Double, height: Double) throws(ImageError) -> Data {
        guard width >= 1, height >= 1, width <= 32_767, height <= 32_767 else {
            throw ImageError("An image must be 1 to 32,767 pixels wide and high")
        }
        guard let library = ImageLibrary.shared else {
            throw ImageError("Images are drawn with librsvg, which isn't installed: install the package librsvg2-2")
        }
        let bytes = Array(svg.utf8)
        var failure: UnsafeMutableRawPointer?
        guard let handle = library.newHandle(bytes, bytes.count, &failure) else {
            throw ImageError(library.message(of: failure, else: "The SVG document cannot be read"))
        }
        defer { library.releaseObject(handle) }
        let surface = library.newSurface(ImageLibrary.argb32, Int32(width.rounded()), Int32(height.rounded()))
        defer { library.releaseSurface(surface) }
        let context = library.newContext(surface)
        defer { library.releaseContext(context) }
        let viewport = [0, 0, width.rounded(), height.rounded()]
        guard library.draw(handle, context, viewport, &failure) != 0 else {
            throw ImageError(library.message(of: failure, else: "The SVG document cannot be drawn"))
        }
        return try encode(surface, library)
    }

    private static func encode(_ surface: UnsafeMutableRawPointer?, _ library: ImageLibrary) throws(ImageError) -> Data
    {
        var picture = Data()
        let status = withUnsafeMutablePointer(to: &picture) { target in
            library.writePNG(
                surface,
                { closure, bytes, count in
                    guard let closure, let bytes else { return ImageLibrary.writeError }
                    closure.assumingMemoryBound(to: Data.self).pointee.append(bytes, count: Int(count))
                    return ImageLibrary.success
                }, UnsafeMutableRawPointer(target))
        }
        guard status == ImageLibrary.success else {
            let reason = library.statusText(status).map { String(cString: $0) } ?? "status \(status)"
            throw ImageError("The image cannot be written: \(reason)")
        }
        return picture
    }
}

/// The functions of librsvg and cairo that are used.
///
/// The library is loaded when the first image is drawn: with it come forty others, which would cost every command time
/// and a server several megabytes.
private struct ImageLibrary: Sendable {
    typealias Pointer = UnsafeMutableRawPointer
    typealias Write = @convention(c) (Pointer?, UnsafePointer<UInt8>?, UInt32) -> Int32
    typealias NewHandle = @convention(c) (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<Pointer?>?) -> Pointer?
    typealias Draw =
        @convention(c) (Pointer?, Pointer?, UnsafePointer<Double>?, UnsafeMutablePointer<Pointer?>?) -> Int32
    typealias Release = @convention(c) (Pointer?) -> Void
    typealias NewSurface = @convention(c) (Int32, Int32, Int32) -> Pointer?
    typealias NewContext = @convention(c) (Pointer?) -> Pointer?
    typealias WritePNG = @convention(c) (Pointer?, Write, Pointer?) -> Int32
    typealias StatusText = @convention(c) (Int32) -> UnsafePointer<CChar>?

    /// `rsvg_handle_new_from_data`: the bytes, their number and where an error is put.
    let newHandle: NewHandle
    /// `rsvg_handle_render_document`: the document, the context, a rectangle of four numbers and where an error is put.
    let draw: Draw
    let releaseObject: Release
    let releaseError: Release
    let newSurface: NewSurface
    let releaseSurface: Release
    let newContext: NewContext
    let releaseContext: Release
    let writePNG: WritePNG
    let statusText: StatusText

    /// `CAIRO_FORMAT_ARGB32`.
    static let argb32: Int32 = 0
    /// `CAIRO_STATUS_SUCCESS`.
    static let success: Int32 = 0
    /// `CAIRO_STATUS_WRITE_ERROR`.
    static let writeError: Int32 = 11

    /// The library; `nil` if it isn't installed.
    static let shared = ImageLibrary()

    #if os(Linux)
        private static let names = ["librsvg-2.so.2"]
    #else
        private static let names = [
            "librsvg-2.2.dylib", "/opt/homebrew/lib/librsvg-2.2.dylib", "/usr/local/lib/librsvg-2.2.dylib",
        ]
    #endif

    private init?() {
        guard let library = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else { return nil }
        // The libraries that it is linked with, cairo and GLib, are searched, too.
        func function<Function>(_ name: String, as type: Function.Type) -> Function? {
            dlsym(library, name).map { unsafeBitCast($0, to: type) }
        }
        guard let newHandle = function("rsvg_handle_new_from_data", as: NewHandle.self),
            let draw = function("rsvg_handle_render_document", as: Draw.self),
            let releaseObject = function("g_object_unref", as: Release.self),
            let releaseError = function("g_error_free", as: Release.self),
            let newSurface = function("cairo_image_surface_create", as: NewSurface.self),
            let releaseSurface = function("cairo_surface_destroy", as: Release.self),
            let newContext = function("cairo_create", as: NewContext.self),
            let releaseContext = function("cairo_destroy", as: Release.self),
            let writePNG = function("cairo_surface_write_to_png_stream", as: WritePNG.self),
            let statusText = function("cairo_status_to_string", as: StatusText.self)
        else { return nil }
        self.newHandle = newHandle
        self.draw = draw
        self.releaseObject = releaseObject
        self.releaseError = releaseError
        self.newSurface = newSurface
        self.releaseSurface = releaseSurface
        self.newContext = newContext
        self.releaseContext = releaseContext
        self.writePNG = writePNG
        self.statusText = statusText
    }

    /// The message of a `GError`, which is released: a number of 32 bits, another one, and the text.
    func message(of failure: Pointer?, else text: String) -> String {
        guard let failure else { return text }
        defer { releaseError(failure) }
        guard let message = failure.load(fromByteOffset: 8, as: UnsafePointer<CChar>?.self) else { return text }
        return "\(text): \(String(cString: message))"
    }
}

/// An error that occurred while drawing an image.
public struct ImageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A description of the error.
    public var description: String

    /// Creates an error with a description.
    public init(_ description: String) {
        self.description = description
    }
}
