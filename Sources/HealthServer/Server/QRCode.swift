import CQREncode

/// A QR code, which phones read with their cameras.
package struct QRCode: Hashable, Sendable {
    /// The rows from the top, `true` for dark modules. A light border of four modules belongs around them.
    package let rows: [[Bool]]

    /// The code of a text, which is read although 7 % of it are hidden; `nil` if libqrencode isn't installed or the text
    /// is too long.
    package init?(_ text: String) {
        guard let functions = Self.functions, let code = functions.pointee.encode(text, 0, QR_ECLEVEL_L) else {
            return nil
        }
        defer { functions.pointee.release(code) }
        let width = Int(code.pointee.width)
        guard let modules = code.pointee.data else { return nil }
        // The lowest bit of a module is its color; the others are its role.
        rows = (0..<width).map { row in (0..<width).map { modules[row * width + $0] & 1 == 1 } }
    }

    /// A sentence about what lacks where there is no code.
    package static let advice = "A QR code needs libqrencode: install the package libqrencode4."

    /// The functions of the process' library, which is never closed.
    // Unchecked: written once, before anyone reads it.
    nonisolated(unsafe) private static let functions: UnsafePointer<QRFunctions>? = {
        #if canImport(Darwin)
            let names = ["libqrencode.4.dylib", "/opt/homebrew/lib/libqrencode.4.dylib"]
        #else
            let names = ["libqrencode.so.4"]
        #endif
        let memory = UnsafeMutablePointer<QRFunctions>.allocate(capacity: 1)
        guard names.contains(where: { QRFindFunctions($0, memory) }) else {
            memory.deallocate()
            return nil
        }
        return UnsafePointer(memory)
    }()
}
