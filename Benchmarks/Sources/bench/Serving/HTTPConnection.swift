import Foundation
import Glibc

/// A connection to a server on loopback that sends requests sequentially, with as little work on the client's
/// side as possible.
final class HTTPConnection {
    /// The socket, for those who wait for several connections at once.
    let socket: Int32
    private var buffer: [UInt8] = []

    /// Connects.
    init(port: Int) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw BenchError("The server on port \(port) can't be reached") }
        var one: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit {
        close(socket)
    }

    /// An answer.
    struct Answer {
        var status: Int
        var body: [UInt8]
    }

    /// The bytes of a request.
    static func request(
        _ method: String, _ path: String, token: String, contentType: String = "application/json", body: [UInt8] = []
    ) -> [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
        if !body.isEmpty { head += "Content-Type: \(contentType)\r\nContent-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + body
    }

    /// Sends bytes.
    func send(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.send(
                    socket, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                guard count > 0 else { throw BenchError("The server closed the connection") }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Sends a request and returns the answer, which must have a length.
    ///
    /// - Throws: ``BenchError`` if the status isn't a success.
    @discardableResult
    func answer(to request: [UInt8]) throws -> Answer {
        try send(request)
        return try receive()
    }

    /// Receives the answer to the request sent before.
    @discardableResult
    func receive() throws -> Answer {
        var (end, length, status) = (0, 0, 0)
        while true {
            if end == 0, let found = Self.endOfHead(buffer) {
                let head = String(decoding: buffer[..<found], as: UTF8.self)
                status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
                let field = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                guard let number = field.flatMap({ Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }) else {
                    throw BenchError("An answer has no length: \(head)")
                }
                (end, length) = (found, number)
            }
            if end > 0, buffer.count >= end + length { break }
            try fill()
        }
        let body = Array(buffer[end..<end + length])
        buffer.removeFirst(end + length)
        guard (200..<300).contains(status) else {
            throw BenchError("The server answered \(status): \(String(decoding: body.prefix(300), as: UTF8.self))")
        }
        return Answer(status: status, body: body)
    }

    /// Receives until a text has arrived, and forgets everything up to it.
    func receive(until text: String) throws {
        while !skip(past: Array(text.utf8)) { try fill() }
    }

    /// Receives what is there, at least one byte, and returns whether a text is in it; forgets everything up to it.
    func receiveOnce(lookingFor text: [UInt8]) throws -> Bool {
        try fill()
        return skip(past: text)
    }

    private func skip(past text: [UInt8]) -> Bool {
        guard buffer.count >= text.count else { return false }
        let last = buffer.count - text.count
        guard
            let place = (0...last).first(where: { start in
                buffer[start] == text[0] && buffer[start..<start + text.count].elementsEqual(text)
            })
        else { return false }
        buffer.removeFirst(place + text.count)
        return true
    }

    private func fill() throws {
        let piece = 1 << 16
        let count = buffer.count
        var received = 0
        buffer.append(contentsOf: repeatElement(0, count: piece))
        buffer.withUnsafeMutableBytes { received = recv(socket, $0.baseAddress?.advanced(by: count), piece, 0) }
        buffer.removeLast(piece - max(received, 0))
        guard received > 0 else { throw BenchError("The server closed the connection") }
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for index in 3..<bytes.count
        where bytes[index] == 10 && bytes[index - 1] == 13 && bytes[index - 2] == 10 && bytes[index - 3] == 13 {
            return index + 1
        }
        return nil
    }
}
