import Foundation

/// Bytes as text of 64 letters.
package enum Base64 {
    package static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
    }
}
