import Foundation
import HTTPTypes
import HealthArrow
import Hummingbird
import NIOCore

/// The formats besides JSON of answers that are tables: Arrow's IPC format and CSV, as the field `Accept` says.
enum TableFormat {
    case arrow, csv

    /// The format that a request asks for; `nil` for JSON. CSV has to be preferred to JSON that is named, because
    /// programs name both without a preference.
    init?(_ request: Request) {
        let accepted = Self.accepted(request)
        let named = accepted["application/json"]
        let json = named ?? accepted["application/*"] ?? accepted["*/*"] ?? 0
        let csv = accepted[CSVTable.mediaType]
        if let quality = accepted[ArrowMessages.mediaType], quality >= max(json, csv ?? 0) {
            self = .arrow
        } else if let csv, csv > json || csv == json && named == nil {
            self = .csv
        } else {
            return nil
        }
    }

    /// The media types that a request accepts, with their quality.
    private static func accepted(_ request: Request) -> [String: Double] {
        let parts = request.headers[values: .accept].flatMap { $0.lowercased().split(separator: ",") }
        return parts.reduce(into: [:]) { accepted, part in
            let pieces = part.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            let quality = pieces.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if let name = pieces.first, quality > 0 { accepted[name] = quality }
        }
    }

    /// Checks that a request for CSV alone is for a table, as the OpenAPI document says.
    ///
    /// - Parameter path: The path of its route, as the router has it.
    /// - Throws: ``Problem`` `notAcceptable`.
    static func check(_ request: Request, path: String?) throws {
        guard accepted(request).keys.elementsEqual([CSVTable.mediaType]) else { return }
        let (method, template) = (request.method == .head ? .get : request.method, RouteRecorder.template(path ?? ""))
        let operation = OpenAPIDocument.operations.first { $0.method == method && $0.path == template }
        guard operation?.content.contains(where: { $0.media == CSVTable.mediaType }) == true else {
            throw Problem(
                .notAcceptable, "This isn’t a table, so there is no CSV of it. Send “Accept: application/json”.")
        }
    }

    // MARK: Responses

    /// A response with a table that is small enough to be held in memory.
    ///
    /// - Throws: ``Problem`` `invalidSQL` for a larger one, and what reading throws.
    func response(
        in timeZone: TimeZone, upTo limit: Int = .max, _ read: (any ArrowOutput) throws -> Void
    ) throws -> Response {
        var bytes = ByteBuffer()
        func send(_ part: UnsafeRawBufferPointer) throws {
            bytes.writeBytes(part)
            guard bytes.readableBytes <= limit else { throw Problem.tooLarge(limit) }
        }
        try write(in: timeZone, to: send, read)
        return response(ResponseBody(byteBuffer: bytes))
    }

    /// A response with a table that is sent while it is read.
    func response(in timeZone: TimeZone, streaming table: some ArrowSource, in pool: StorePool) throws -> Response {
        response(
            try pool.stream { sink in
                var chunk = ByteBuffer()
                func send(_ part: UnsafeRawBufferPointer) throws {
                    chunk.writeBytes(part)
                    guard chunk.readableBytes >= StreamSink.chunkBytes else { return }
                    try sink.write(chunk)
                    chunk = ByteBuffer()
                }
                try write(in: timeZone, to: send, table.read)
                try sink.write(chunk)
            })
    }

    private func write(
        in timeZone: TimeZone, to send: @escaping (UnsafeRawBufferPointer) throws -> Void,
        _ read: (any ArrowOutput) throws -> Void
    ) throws {
        switch self {
        case .arrow: try ArrowMessages.write(to: send, read)
        case .csv: try CSVTable.write(in: timeZone, to: send, read)
        }
    }

    private func response(_ body: ResponseBody) -> Response {
        let type = self == .arrow ? ArrowMessages.mediaType : CSVTable.mediaType + "; charset=utf-8"
        return Response(status: .ok, headers: [.contentType: type, .vary: "Accept"], body: body)
    }
}
