import HTTPTypes
import HealthArrow
import Hummingbird
import NIOCore

/// Answers as tables of Arrow's IPC format, for requests with `Accept: application/vnd.apache.arrow.stream`.
enum ArrowTable {
    /// Whether a request asks for a table.
    static func isWanted(_ request: Request) -> Bool {
        request.headers[values: .accept].contains { $0.lowercased().contains(ArrowMessages.mediaType) }
    }

    /// A response with a table that is small enough to be held in memory.
    ///
    /// - Throws: ``Problem`` `invalidSQL` for a larger one, and what reading throws.
    static func response(
        upTo limit: Int = .max, _ read: (any ArrowOutput) throws -> Void
    ) throws -> Response {
        var bytes = ByteBuffer()
        try ArrowMessages.write(
            to: {
                bytes.writeBytes($0)
                guard bytes.readableBytes <= limit else { throw Problem.tooLarge(limit) }
            }, read)
        return response(ResponseBody(byteBuffer: bytes))
    }

    /// A response with a table that is sent while it is read.
    static func response(streaming table: some ArrowSource, in pool: StorePool) throws -> Response {
        response(
            try pool.stream { sink in
                var chunk = ByteBuffer()
                try ArrowMessages.write(to: {
                    chunk.writeBytes($0)
                    guard chunk.readableBytes >= StreamSink.chunkBytes else { return }
                    try sink.write(chunk)
                    chunk = ByteBuffer()
                }) { try table.read(to: $0) }
                try sink.write(chunk)
            })
    }

    private static func response(_ body: ResponseBody) -> Response {
        Response(status: .ok, headers: [.contentType: ArrowMessages.mediaType], body: body)
    }
}
