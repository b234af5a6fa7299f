import CRSVG
import Foundation

/// Renders an SVG document as a PNG image with librsvg and cairo.
enum PNGRenderer {
    /// Renders the document at `width` × `height` pixels.
    ///
    /// - Throws: ``ImageError`` if librsvg rejects the document or cairo rejects the size.
    static func render(svg: String, width: Double, height: Double) throws(ImageError) -> Data {
        guard width >= 1, height >= 1, width <= 32_767, height <= 32_767 else {
            throw ImageError("An image must be 1 to 32,767 pixels wide and high")
        }
        let bytes = Array(svg.utf8)
        var failure: UnsafeMutablePointer<GError>?
        guard let handle = rsvg_handle_new_from_data(bytes, gsize(bytes.count), &failure) else {
            throw ImageError(message(of: failure, else: "The SVG document cannot be read"))
        }
        defer { g_object_unref(UnsafeMutableRawPointer(handle)) }
        let surface = cairo_image_surface_create(
            CAIRO_FORMAT_ARGB32, Int32(width.rounded()), Int32(height.rounded()))
        defer { cairo_surface_destroy(surface) }
        let context = cairo_create(surface)
        defer { cairo_destroy(context) }
        var viewport = RsvgRectangle(x: 0, y: 0, width: width.rounded(), height: height.rounded())
        guard rsvg_handle_render_document(handle, context, &viewport, &failure) != 0 else {
            throw ImageError(message(of: failure, else: "The SVG document cannot be drawn"))
        }
        return try encode(surface)
    }

    private static func encode(_ surface: OpaquePointer?) throws(ImageError) -> Data {
        var picture = Data()
        let status = withUnsafeMutablePointer(to: &picture) { target in
            cairo_surface_write_to_png_stream(
                surface,
                { closure, bytes, count in
                    guard let closure, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
                    closure.assumingMemoryBound(to: Data.self).pointee.append(bytes, count: Int(count))
                    return CAIRO_STATUS_SUCCESS
                }, UnsafeMutableRawPointer(target))
        }
        guard status == CAIRO_STATUS_SUCCESS else {
            throw ImageError("The image cannot be written: \(String(cString: cairo_status_to_string(status)))")
        }
        return picture
    }

    private static func message(of failure: UnsafeMutablePointer<GError>?, else text: String) -> String {
        guard let failure else { return text }
        defer { g_error_free(failure) }
        return "\(text): \(String(cString: failure.pointee.message))"
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
