import Foundation
import HTTPTypes
import HealthEngine
import Hummingbird
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Answers requests whose answer is known, such as those that the windows of a dashboard repeat, before they become
/// tasks.
///
/// Such a request passes the same checks as any other, in the connection's own handlers: it needs no store, no thread
/// and no route. Every other request is passed on unchanged.
final class KnownAnswerHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let responder: ServerResponder
    /// The requests that were passed on and have no complete answer. Answers are in the order of requests.
    private var passed = 0
    /// The answer to the request that is arriving.
    private var answer: KnownAnswer?

    init(responder: ServerResponder) {
        self.responder = responder
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if passed == 0, let known = responder.knownAnswer(to: head, channel: context.channel) {
                answer = known
                return
            }
            passed += 1
        case .body:
            guard answer == nil else { return }
        case .end:
            guard let known = answer else { break }
            answer = nil
            context.write(wrapOutboundOut(.head(known.head)), promise: nil)
            context.write(wrapOutboundOut(.body(known.body)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            return
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { passed -= 1 }
        context.write(data, promise: promise)
    }
}

@available(*, unavailable)
extension KnownAnswerHandler: Sendable {}

/// A response that is complete.
struct KnownAnswer {
    var head: HTTPResponse
    var body: ByteBuffer
}

/// A request for something of a person that may have a known answer.
struct KnownTarget {
    /// The routes whose answers are kept, below `/v1/people/{person}/`.
    static let routes = ["statistics", "statistics/collection"]

    var person: String
    var route: String
    var query: String

    /// - Returns: `nil` for any other path, also for one with percent-encoded letters.
    init?(_ target: String?) {
        guard let target, target.utf8.starts(with: Self.prefix) else { return nil }
        let rest = target.utf8.dropFirst(Self.prefix.count)
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let person = rest[..<slash]
        let path = rest[rest.index(after: slash)...]
        let end = path.firstIndex(of: UInt8(ascii: "?")) ?? path.endIndex
        guard !person.isEmpty, !person.contains(UInt8(ascii: "%")),
            let route = Self.routes.first(where: { $0.utf8.elementsEqual(path[..<end]) })
        else { return nil }
        self.person = String(Substring(person))
        self.route = route
        query = end < path.endIndex ? String(Substring(path[path.index(after: end)...])) : ""
    }

    private static let prefix = Array("/v1/people/".utf8)
}

/// The field `Date` of answers, made once a second.
final class DateField: Sendable {
    private let last = Mutex<(second: Int, text: String)>((.min, ""))

    /// The text for the present time, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    func text(at date: Date = Date()) -> String {
        let second = Int(date.timeIntervalSince1970.rounded(.down))
        return last.withLock { last in
            if last.second != second { last = (second, Self.text(second)) }
            return last.text
        }
    }

    private static func text(_ second: Int) -> String {
        var (time, parts) = (time_t(second), tm())
        gmtime_r(&time, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return String(
            format: "%@, %02d %@ %04d %02d:%02d:%02d GMT", days[Int(parts.tm_wday)], parts.tm_mday,
            months[Int(parts.tm_mon)], parts.tm_year + 1_900, parts.tm_hour, parts.tm_min, parts.tm_sec)
    }
}
