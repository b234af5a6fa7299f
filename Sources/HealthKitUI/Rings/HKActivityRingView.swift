public import Foundation
public import HealthKit
import Synchronization

/// A view of the three activity rings on black.
///
/// On this platform there is no screen to draw on, so besides the original's interface the view gives
/// its picture as SVG and PNG. It may be used from any thread.
open class HKActivityRingView {
    private struct State {
        var summary: HKActivitySummary?
        var isAnimated = false
    }

    /// Where and how large the view is, in points.
    public let frame: CGRect
    private let state = Mutex(State())

    /// Makes a view without a summary: three empty rings.
    public init(frame: CGRect) {
        self.frame = frame
    }

    /// The summary shown. Setting it does not animate.
    public var activitySummary: HKActivitySummary? {
        get { state.withLock { $0.summary } }
        set { setActivitySummary(newValue, animated: false) }
    }

    /// Shows a summary; `animated` lets the rings of ``svg`` fill up from the top.
    open func setActivitySummary(_ activitySummary: HKActivitySummary?, animated: Bool) {
        let copy = activitySummary?.copy() as? HKActivitySummary
        state.withLock { $0 = State(summary: copy, isAnimated: animated) }
    }

    /// The view as an SVG document of the frame's size.
    ///
    /// A ring's fraction is value over goal. Over 100 % it overlaps itself, zero is a dot at the top, and
    /// a ring without a goal stays empty.
    public var svg: String {
        let (figures, isAnimated) = state.withLock {
            ($0.summary.map { RingFigures($0) } ?? .empty, $0.isAnimated)
        }
        return RingDrawing(width: frame.width, height: frame.height, isAnimated: isAnimated).svg(figures)
    }

    /// The view as a PNG picture, `scale` pixels a point.
    ///
    /// - Throws: ``ImageError`` when the picture cannot be drawn.
    public func pngData(scale: Double = 2) throws -> Data {
        let figures = state.withLock { $0.summary.map { RingFigures($0) } ?? .empty }
        let still = RingDrawing(width: frame.width, height: frame.height, isAnimated: false).svg(figures)
        return try PNGRenderer.render(svg: still, width: frame.width * scale, height: frame.height * scale)
    }
}
