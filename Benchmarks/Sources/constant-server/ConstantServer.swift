import Glibc
import Hummingbird
import Logging
import HTTPTypes
import NIOCore

/// A server of one route that returns a constant body: what Hummingbird and the machine can do at best.
///
/// Prints its port. It does nothing else: no token, no store, no metrics, no limits.
@main
enum ConstantServer {
    static func main() async throws {
        guard CommandLine.arguments.count == 2, let size = Int(CommandLine.arguments[1]), size > 0 else {
            print("usage: constant-server BYTES")
            return
        }
        let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: size)
        let router = Router()
        router.get("constant") { _, _ in
            Response(status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: body))
        }
        var logger = Logger(label: "constant-server")
        logger.logLevel = .warning
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0), serverName: nil),
            onServerRunning: { channel in
                // Read through a pipe, which is written to only when a buffer of the C library is full.
                let line = Array("\(channel.localAddress?.port ?? 0)\n".utf8)
                _ = line.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
            }, logger: logger)
        try await application.runService()
    }
}
