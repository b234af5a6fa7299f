import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// A TCP connection to a server, byte by byte, for well-behaved and hostile clients.
final class TestConnection: Sendable {
    private let channel: any Channel
    private let bytes: AsyncThrowingStream<ByteBuffer, any Error>

    /// Opens a connection to a port of loopback.
    ///
    /// - Parameters:
    ///   - certificate: The file of the certificate to trust, for TLS.
    ///   - first: What is sent as soon as the connection is open, even if the machine is too busy to resume the test
    ///     before the server gives up.
    init(
        host: String = "127.0.0.1", port: Int, certificate: String? = nil, sending first: Data? = nil
    ) async throws {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: ByteBuffer.self, throwing: (any Error).self)
        let tls = try certificate.map { file in
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(file))
            return try NIOSSLContext(configuration: configuration)
        }
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(
                            try NIOSSLClientHandler(context: tls, serverHostname: "localhost"))
                    }
                    try channel.pipeline.syncOperations.addHandler(
                        ReceivedBytes(continuation: continuation, first: first))
                }
            }
            .connect(host: host, port: port).get()
        bytes = stream
    }

    /// Sends text.
    func send(_ text: String) async throws {
        try await channel.writeAndFlush(ByteBuffer(string: text))
    }

    /// Sends bytes.
    func send(_ bytes: some Sequence<UInt8>) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    /// The bytes that the server sends; they end when the server closes the connection.
    var received: AsyncThrowingStream<ByteBuffer, any Error> { bytes }

    /// Everything that the server sends until it closes the connection.
    func receivedUntilClosed() async throws -> String {
        var all = ByteBuffer()
        do {
            for try await part in bytes { all.writeImmutableBuffer(part) }
        } catch let error as IOError where error.errnoCode == ECONNRESET {
            // A server that drops a client may do so without a farewell.
        }
        return String(buffer: all)
    }

    /// Stops or resumes reading, like a client that doesn't read its response.
    func setReading(_ reads: Bool) async throws {
        try await channel.setOption(.autoRead, value: reads).get()
    }

    /// Sends nothing more, and continues to receive.
    func closeOutput() async throws {
        try await channel.close(mode: .output).get()
    }

    /// Closes the connection.
    func close() async {
        try? await channel.close()
    }
}

/// Sends the first bytes, and passes received ones on.
private final class ReceivedBytes: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let continuation: AsyncThrowingStream<ByteBuffer, any Error>.Continuation
    let first: Data?

    init(continuation: AsyncThrowingStream<ByteBuffer, any Error>.Continuation, first: Data?) {
        self.continuation = continuation
        self.first = first
    }

    func channelActive(context: ChannelHandlerContext) {
        if let first { context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: first)), promise: nil) }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        continuation.yield(unwrapInboundIn(data))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            continuation.finish()
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        continuation.finish()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        continuation.finish(throwing: error)
        context.close(promise: nil)
    }
}
