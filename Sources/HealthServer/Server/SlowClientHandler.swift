import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes the connection of a client that is too slow: with its header, with its body, or with reading its response.
///
/// Time in which the server itself is busy doesn't count: a client is waited for only after the server asked for more
/// of a body, or while a response is written but not read.
///
/// A client that has gone is noticed by the end of what it sends. That end can also be a client that only has nothing
/// more to ask, so an answer is completed; an event stream, which has no end of its own, is closed.
final class SlowClientHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var patience: ClientTimeout
    private let now: @Sendable () -> NIODeadline
    private var check: RepeatedTask?
    private let interval: TimeAmount
    /// Whether the response that is being written is an event stream.
    private var isStreamingEvents = false
    /// Whether the client sends nothing more.
    private var isInputClosed = false

    init(limits: ServerLimits, now: @escaping @Sendable () -> NIODeadline) {
        self.now = now
        patience = ClientTimeout(limits: limits, now: now())
        let shortest = min(limits.headerSeconds, limits.idleSeconds, limits.stallSeconds)
        interval = .nanoseconds(Int64(max(min(shortest / 4, 5), 0.01) * 1e9))
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let loop = context.eventLoop
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: loop)
        check = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            let (handler, context) = bound.value
            if handler.patience.isExhausted(at: handler.now()) { context.close(promise: nil) }
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        check?.cancel()
        check = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        check?.cancel()
        check = nil
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent {
            isInputClosed = true
            if isStreamingEvents { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func read(context: ChannelHandlerContext) {
        patience.serverReads(at: now())
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: patience.received(.head, at: now())
        case .body(let bytes): patience.received(.body(bytes.readableBytes), at: now())
        case .end: patience.received(.end, at: now())
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        let isEnd = if case .end = part { true } else { false }
        let count: Int
        switch part {
        case .head(let head) where head.status.kind == .informational:
            context.write(data, promise: promise)
            return
        case .head(let head):
            isStreamingEvents = head.headerFields[.contentType] == MediaType.eventStream
            if isStreamingEvents, isInputClosed { return context.close(promise: promise) }
            // Nothing is sent without a body or an end, so the header needs no observer.
            return context.write(data, promise: promise)
        case .body(let bytes): count = bytes.readableBytes
        case .end:
            count = 0
            isStreamingEvents = false
        }
        patience.writes(count, at: now())
        let written = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in
            let handler = bound.value
            handler.patience.wrote(count, at: handler.now())
            if isEnd { handler.patience.responded(at: handler.now()) }
        }
        context.write(data, promise: written)
    }
}

@available(*, unavailable)
extension SlowClientHandler: Sendable {}

/// How long a client is waited for. Times come from the caller.
struct ClientTimeout {
    enum Part: Equatable {
        case head, body(Int), end
    }

    private enum Phase {
        /// Waiting for the header of the first or a further request.
        case idle(since: NIODeadline, isFirst: Bool)
        /// The request arrives, and may be answered before it has arrived.
        case receiving
        /// The request has arrived and is being answered.
        case answering
    }

    private let headerTime: TimeAmount
    private let idleTime: TimeAmount
    private let stallTime: TimeAmount
    private let bytesPerSecond: Double
    private var phase: Phase

    /// When the server began to wait for more of the body.
    private var waitingSince: NIODeadline?
    private var waited = TimeAmount.zero
    private var received = 0
    /// The writes that the client hasn't read.
    private var pendingWrites = 0
    private var pendingBytes = 0
    private var lastProgress: NIODeadline
    /// Whether the response to a request was sent before its body had arrived.
    private var isDraining = false
    private var drained = 0

    /// The number of bytes of a rejected body that are read, so that the client receives the response.
    private static let drainBytes = 4 << 20

    init(limits: ServerLimits, now: NIODeadline) {
        func amount(_ seconds: Double) -> TimeAmount { .nanoseconds(Int64(seconds * 1e9)) }
        headerTime = amount(limits.headerSeconds)
        idleTime = amount(limits.idleSeconds)
        stallTime = amount(limits.stallSeconds)
        bytesPerSecond = max(limits.minimumBytesPerSecond, 1)
        phase = .idle(since: now, isFirst: true)
        lastProgress = now
    }

    mutating func serverReads(at now: NIODeadline) {
        if case .receiving = phase, waitingSince == nil { waitingSince = now }
    }

    mutating func received(_ part: Part, at now: NIODeadline) {
        if let since = waitingSince { waited = waited + (now - since) }
        waitingSince = nil
        switch part {
        case .head:
            phase = .receiving
            (waited, received, isDraining, drained) = (.zero, 0, false, 0)
        case .body(let count):
            received += count
            if isDraining { drained += count }
        case .end:
            phase = isDraining ? .idle(since: now, isFirst: false) : .answering
            isDraining = false
        }
    }

    mutating func writes(_ count: Int, at now: NIODeadline) {
        if pendingWrites == 0 { lastProgress = now }
        pendingWrites += 1
        pendingBytes += count
    }

    mutating func wrote(_ count: Int, at now: NIODeadline) {
        pendingWrites -= 1
        pendingBytes -= count
        lastProgress = now
    }

    /// The response is complete. What the client still sends is read for a while, so that it receives the response.
    mutating func responded(at now: NIODeadline) {
        switch phase {
        case .receiving:
            isDraining = true
            waitingSince = now
            (waited, drained) = (.zero, 0)
        case .answering, .idle:
            phase = .idle(since: now, isFirst: false)
        }
    }

    /// Returns whether the client was too slow.
    func isExhausted(at now: NIODeadline) -> Bool {
        if pendingWrites > 0 {
            return now - lastProgress > stallTime + time(for: pendingBytes)
        }
        switch phase {
        case .idle(let since, let isFirst):
            return now - since > (isFirst ? headerTime : idleTime)
        case .receiving:
            if isDraining, drained > Self.drainBytes { return true }
            guard let waitingSince else { return false }
            let waiting = now - waitingSince
            let allowed = isDraining ? stallTime : stallTime + time(for: received)
            return waiting > stallTime || waited + waiting > allowed
        case .answering:
            return false
        }
    }

    /// The longest time that a number of bytes may take.
    private func time(for bytes: Int) -> TimeAmount {
        .nanoseconds(Int64(Double(bytes) / bytesPerSecond * 1e9))
    }
}
