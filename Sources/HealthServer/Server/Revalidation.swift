import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Entity tags, by which a client that has an answer already asks for it again without receiving it (RFC 9110, 8.8.3).
///
/// They are weak, because the gzip form of an answer has the same tag.
enum Revalidation {
    /// A tag is made from the whole answer, so it depends on all that the answer does. With a key that nobody has, it
    /// doesn't tell the answer to readers of a proxy's log.
    private static let key = SymmetricKey(size: .bits256)

    /// The tag of an answer, until the server is started again.
    static func tag(of answer: ByteBuffer) -> String {
        let code = answer.withUnsafeReadableBytes { HMAC<SHA256>.authenticationCode(for: $0, using: key) }
        return "W/\"\(code.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())\""
    }

    /// Leaves the body out of an answer that the client has, as the field `If-None-Match` says.
    static func apply(to response: inout Response, for request: Request) {
        guard response.status == .ok, [.get, .head].contains(request.method), let tag = response.headers[.eTag] else {
            return
        }
        let known = request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard known.contains(where: { $0 == "*" || opaque($0) == opaque(tag) }) else { return }
        var headers = response.headers
        for name in [HTTPField.Name.contentType, .contentEncoding, .contentLength] { headers[name] = nil }
        response = Response(status: .notModified, headers: headers)
    }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
