import NIOCore
import NIOHTTP1

/// Compares the host of an absolute target, such as `http://localhost/health`, with the field `Host`.
///
/// The types of HTTP that follow have one authority, for which the field is taken, and drop the target's. So a target of
/// another host, or of no form that has one, counts as a second field, with which ``HostNames`` refuses the request.
final class AbsoluteTargetHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    func handlerAdded(context: ChannelHandlerContext) {
        do {
            let pipeline = context.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(Comparison(), position: .after(decoder))
        } catch {
            context.close(promise: nil)
        }
    }

    private final class Comparison: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(var head) = unwrapInboundIn(data), head.uri.first != "/", head.uri != "*",
                head.headers.first(name: "Host")?.lowercased() != Self.authority(of: head.uri)?.lowercased()
            else { return context.fireChannelRead(data) }
            head.headers.add(name: "Host", value: "")
            context.fireChannelRead(wrapInboundOut(.head(head)))
        }

        /// The host and port of an absolute target; `nil` for one of another form.
        private static func authority(of target: String) -> Substring? {
            guard let scheme = target.firstRange(of: "://"),
                ["http", "https"].contains(target[..<scheme.lowerBound].lowercased())
            else { return nil }
            return target[scheme.upperBound...].prefix { !"/?#".contains($0) }
        }
    }
}
