import Foundation
import HTTPTypes
import HealthCompression
import Hummingbird
import NIOCore

/// The compression of answers that are text, for clients that accept gzip.
enum ResponseCompression {
    /// Shorter answers fit into a packet or two as they are.
    private static let shortest = 1_024

    /// Compresses the body of a response while it is written, if the client accepts that and the answer is JSON or CSV.
    /// Files to save aren't, because the length of a download is shown; event streams aren't, because each event is sent
    /// at once.
    static func apply(to response: inout Response, for request: Request) {
        let type = response.headers[.contentType]?.prefix { $0 != ";" } ?? ""
        let isText = type.hasSuffix("json") || type == "text/csv"
        let isFile = response.headers.contains(.contentDisposition) || response.headers.contains(.contentEncoding)
        guard isText, !isFile, (response.body.contentLength ?? .max) >= shortest else { return }
        response.headers[values: .vary].append("Accept-Encoding")
        guard request.method != .head, acceptsGzip(request.headers[.acceptEncoding]) else { return }
        response.headers[.contentEncoding] = "gzip"
        let body = response.body
        response.body = ResponseBody { writer in try await body.write(CompressingWriter(writer)) }
    }

    /// Whether a client accepts the gzip form.
    static func acceptsGzip(_ field: String?) -> Bool {
        (field ?? "").split(separator: ",").contains { part in
            let pieces = part.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            return ["gzip", "*"].contains(pieces.first)
                && !pieces.dropFirst().contains { $0.hasPrefix("q=") && (Double($0.dropFirst(2)) ?? 1) == 0 }
        }
    }
}

/// Writes the gzip form of what is written to it.
private struct CompressingWriter: ResponseBodyWriter {
    private var writer: any ResponseBodyWriter
    /// The fastest level: a thousand heart rates, 601 kB of JSON, have a thirteenth of their size then, and a fifteenth at the
    /// default level, which takes twice as long (2 and 4 ms).
    private let deflater = Deflater(level: 1, format: .gzip)

    init(_ writer: any ResponseBodyWriter) {
        self.writer = writer
    }

    mutating func write(_ buffer: ByteBuffer) async throws {
        try await send(buffer, .none)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await send(ByteBuffer(), .finish)
        try await writer.finish(trailingHeaders)
    }

    private mutating func send(_ buffer: ByteBuffer, _ flush: Deflater.Flush) async throws {
        var compressed = ByteBuffer()
        buffer.withUnsafeReadableBytes { bytes in
            deflater.deflate(bytes, flush) { compressed.writeBytes($0) }
        }
        if compressed.readableBytes > 0 { try await writer.write(compressed) }
    }
}
