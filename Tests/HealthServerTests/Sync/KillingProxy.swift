import Foundation
import Glibc
import Synchronization

/// A proxy between a device and a server that counts bytes and calls a handler when a number of them has passed, in the
/// middle of a request or of an answer. So a test can kill either side at a random moment without waiting for time.
final class KillingProxy: Sendable {
    private struct State {
        var upstream: Int?
        var budget: Int?
        var handler: (@Sendable () -> Void)?
    }

    /// The port that devices connect to.
    let port: Int
    private let listener: Int32
    private let state = Mutex(State())

    init() throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var one: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = Self.address(port: 0)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard bound == 0, listen(socket, 64) == 0 else { throw TestServerError("The proxy can’t listen.") }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        listener = socket
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread { [weak self] in
            while true {
                let client = accept(socket, nil, nil)
                guard client >= 0 else { return }
                guard let self else {
                    close(client)
                    return
                }
                self.serve(client)
            }
        }.start()
    }

    /// Where the server is at the moment; `nil` refuses connections.
    func setUpstream(_ port: Int?) {
        state.withLock { $0.upstream = port }
    }

    /// Calls a handler once, when a number of further bytes has passed.
    func arm(after bytes: Int, _ handler: @escaping @Sendable () -> Void) {
        state.withLock { ($0.budget, $0.handler) = (bytes, handler) }
    }

    /// Forgets the handler.
    func disarm() {
        state.withLock { ($0.budget, $0.handler) = (nil, nil) }
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }

    private func serve(_ client: Int32) {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(port: state.withLock { $0.upstream } ?? 1)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            close(server)
            close(client)
            return
        }
        let pair = SocketPair(client, server)
        Thread { self.pump(from: client, to: server, pair) }.start()
        Thread { self.pump(from: server, to: client, pair) }.start()
    }

    private func pump(from: Int32, to: Int32, _ pair: SocketPair) {
        var buffer = [UInt8](repeating: 0, count: 8_192)
        while true {
            let count = recv(from, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            let (allowed, handler) = state.withLock { state -> (Int, (@Sendable () -> Void)?) in
                guard let budget = state.budget else { return (count, nil) }
                guard budget <= count else {
                    state.budget = budget - count
                    return (count, nil)
                }
                defer { (state.budget, state.handler) = (nil, nil) }
                return (budget, state.handler)
            }
            var sent = 0
            while sent < allowed {
                let step = buffer[sent..<allowed].withUnsafeBytes {
                    send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard step > 0 else { break }
                sent += step
            }
            guard let handler else {
                if sent < count { break }
                continue
            }
            handler()
            break
        }
        pair.shutDown()
    }

    /// Two sockets that are closed when both directions have ended.
    private final class SocketPair: Sendable {
        private let sockets: (Int32, Int32)
        private let ended = Mutex(0)

        init(_ one: Int32, _ other: Int32) {
            sockets = (one, other)
        }

        func shutDown() {
            shutdown(sockets.0, Int32(SHUT_RDWR))
            shutdown(sockets.1, Int32(SHUT_RDWR))
            let isLast = ended.withLock { ended in
                ended += 1
                return ended == 2
            }
            guard isLast else { return }
            close(sockets.0)
            close(sockets.1)
        }
    }
}
