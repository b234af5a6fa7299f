import AsyncHTTPClient
import Crypto
package import Foundation
import HealthEngine
import NIOCore
import NIOHTTP1

/// One signed call of a webhook.
struct WebhookCall: Sendable {
    /// What the call says. It has no data: the application reads the store or asks a server.
    private struct Body: Encodable {
        var application: String
        var types: [String]
        var delivery: String
        var attempt: Int
        var timestamp: Int
    }

    let url: String
    let secretFile: String
    let delivery: String
    let timestamp: Int
    let body: Data

    /// - Parameter now: The time of the call, in seconds since 2001.
    init(_ attempt: BackgroundDeliveryStore.Attempt, url: String, secretFile: String, now: Double) {
        self.url = url
        self.secretFile = secretFile
        delivery = attempt.delivery.id.uuidString
        timestamp = Int(Date(timeIntervalSinceReferenceDate: now).timeIntervalSince1970)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let content = Body(
            application: attempt.bundleIdentifier, types: attempt.delivery.types.keys.sorted(), delivery: delivery,
            attempt: attempt.delivery.attempt, timestamp: timestamp)
        body = (try? encoder.encode(content)) ?? Data()
    }

    /// The signature: HMAC-SHA256 of the time stamp, a period and the body, as hexadecimal digits.
    func signature(secret: Data) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(timestamp).".utf8) + body, using: SymmetricKey(data: secret))
        return code.map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0" + text : text
        }.joined()
    }
}

/// Calls webhooks. Redirects are failures, and answers aren't read.
struct WebhookClient: Sendable {
    private let client: HTTPClient

    init() {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(10)))
        configuration.httpVersion = .http1Only
        // Every application has one call at a time. One that waited for another's connection would use up its time.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 65_536
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Calls a webhook. Returns why it failed, a sentence without a period; `nil` if it answered with a status of
    /// success.
    func send(_ call: WebhookCall, timeLimit: Double) async -> String? {
        do {
            try WebhookTarget.validate(call.url)
            var request = HTTPClientRequest(url: call.url)
            request.method = .POST
            request.headers = [
                "Content-Type": "application/json", "User-Agent": "OpenHealthKit",
                "OpenHealthKit-Delivery": call.delivery, "OpenHealthKit-Timestamp": String(call.timestamp),
                "OpenHealthKit-Signature": "sha256=\(call.signature(secret: try WebhookSecret.load(call.secretFile)))",
            ]
            request.body = .bytes(ByteBuffer(bytes: call.body))
            let limit = min(timeLimit, DeliveryDaemon.Options.longestTime)
            let response = try await client.execute(request, timeout: .milliseconds(Int64(limit * 1_000)))
            let status = Int(response.status.code)
            return (200..<300).contains(status) ? nil : "The webhook answered with status \(status)"
        } catch let error as DaemonError {
            return error.description
        } catch is CancellationError {
            return "The call was canceled"
        } catch is HTTPParserError {
            return "The webhook’s answer isn’t HTTP"
        } catch {
            // The library's errors name neither the URL nor the body.
            return "The webhook can’t be reached: \(error)"
        }
    }

    func shutdown() async throws {
        try await client.shutdown()
    }
}

/// What the URL of a webhook must be.
package enum WebhookTarget {
    /// Checks that a URL is one of HTTPS, or of HTTP on this machine, without a password.
    ///
    /// - Throws: ``DaemonError``.
    package static func validate(_ text: String) throws {
        guard let url = URL(string: text), let host = url.host, !host.isEmpty, url.user == nil, url.password == nil
        else {
            throw DaemonError("“\(text)” is not the URL of a webhook. Use a form like https://example.org/health")
        }
        // Libraries would encode them, each in its own way.
        guard text.allSatisfy(isAllowed), !text.contains(/%(?![0-9A-Fa-f]{2})/) else {
            throw DaemonError(
                "“\(text)” contains characters that a URL can’t have. Write others than letters, digits and "
                    + "-._~:/?#[]@!$&'()*+,;= as % and two hexadecimal digits for each byte")
        }
        // A number that is too large for an integer isn't a port either.
        let port = text.firstMatch(of: /^[A-Za-z]+:\/\/[^\/?#]*:([0-9]+)(?:[\/?#]|$)/)?.1
        guard port.map({ (1...65_535).contains(Int($0) ?? 0) }) ?? true else {
            throw DaemonError("“\(text)” has a port that doesn’t exist. Use one from 1 to 65535")
        }
        switch url.scheme?.lowercased() {
        case "https": return
        case "http" where ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host): return
        case "http": throw DaemonError("A webhook on another machine needs https: “\(text)”")
        default: throw DaemonError("“\(text)” is not the URL of a webhook. Use a form like https://example.org/health")
        }
    }

    /// Whether RFC 3986 allows a character in URLs.
    private static func isAllowed(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-._~:/?#[]@!$&'()*+,;=%".contains(character))
    }
}

/// The key that signs calls, a text in a file that only its owner can read.
package enum WebhookSecret {
    /// The minimum number of bytes.
    static let minimumCount = 16
    /// The maximum number of bytes of the file.
    static let maximumCount = 4_096

    /// Reads a key: the contents of the file without spaces, tabs and line breaks at both ends.
    ///
    /// - Throws: ``DaemonError`` if the file can't be read, others can read it, or it is too short or too long.
    package static func load(_ path: String) throws -> Data {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw DaemonError(
                "The file \(path) with the webhook’s key can’t be read: \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0 else {
            throw DaemonError(
                "The file \(path) with the webhook’s key must be readable by its owner only: use “chmod 600”")
        }
        guard let bytes = try? FileHandle(fileDescriptor: file).read(upToCount: maximumCount + 1) ?? Data() else {
            throw DaemonError("The file \(path) with the webhook’s key can’t be read")
        }
        guard bytes.count <= maximumCount else {
            throw DaemonError("The file \(path) with the webhook’s key must have \(maximumCount) bytes at most")
        }
        // White space as receivers remove it, such as `bytes.strip()` in Python.
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        let secret = Data(bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
        guard secret.count >= minimumCount else {
            throw DaemonError("The file \(path) with the webhook’s key must have \(minimumCount) bytes at least")
        }
        return secret
    }

    /// Creates a file with a new random key of 64 hexadecimal digits.
    ///
    /// - Throws: ``DaemonError`` if there is such a file, or it can't be written.
    package static func create(_ path: String) throws {
        let key = SymmetricKey(size: .bits256).withUnsafeBytes { bytes in
            bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw DaemonError("The file \(path) can’t be created: \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        let text = Array((key + "\n").utf8)
        guard write(file, text, text.count) == text.count, fsync(file) == 0 else {
            throw DaemonError("The file \(path) can’t be written: \(String(cString: strerror(errno)))")
        }
    }
}
