public import Foundation
import HealthInsights
@_exported public import HealthKit
import Synchronization

/// A view of the three activity rings on black.
///
/// There is no screen to draw on here, so in addition to the original's interface the view provides
/// its image as SVG and PNG. It may be used from any thread.
open class HKActivityRingView {
    private struct State {
        var frame: CGRect
        var summary: HKActivitySummary?
        var isAnimated = false
    }

    private let state: Mutex<State>

    /// The view's position and size in points.
    open var frame: CGRect {
        get { state.withLock { $0.frame } }
        set { state.withLock { $0.frame = newValue } }
    }

    /// Creates a view without a summary, which shows three empty rings.
    public init(frame: CGRect) {
        state = Mutex(State(frame: frame))
    }

    /// Creates a view without a summary and without a size. Set ``frame`` before drawing it.
    public convenience init() {
        self.init(frame: CGRect(x: 0, y: 0, width: 0, height: 0))
    }

    /// The summary to show. Setting it does not animate the rings.
    public var activitySummary: HKActivitySummary? {
        get { state.withLock { $0.summary } }
        set { setActivitySummary(newValue, animated: false) }
    }

    /// Shows a summary. If `animated` is `true`, the rings of ``svg`` fill up from the top.
    open func setActivitySummary(_ activitySummary: HKActivitySummary?, animated: Bool) {
        let copy = activitySummary?.copy() as? HKActivitySummary
        state.withLock { state in
            state.summary = copy
            state.isAnimated = animated
        }
    }

    /// The view as an SVG document of the frame's size.
    ///
    /// A ring shows its value divided by its goal. Above 100% it overlaps itself, zero is a dot at the top, and
    /// a ring without a goal stays empty.
    public var svg: String {
        let (frame, progress, isAnimated) = state.withLock {
            ($0.frame, $0.summary.map { RingProgress($0) } ?? RingProgress(), $0.isAnimated)
        }
        return RingDrawing(width: frame.width, height: frame.height, isAnimated: isAnimated).svg(progress)
    }

    /// Returns the view as a PNG image with `scale` pixels per point.
    ///
    /// - Throws: ``ImageError`` if the image cannot be drawn.
    public func pngData(scale: Double = 2) throws -> Data {
        let (frame, progress) = state.withLock { ($0.frame, $0.summary.map { RingProgress($0) } ?? RingProgress()) }
        let still = RingDrawing(width: frame.width, height: frame.height, isAnimated: false).svg(progress)
        return try PNGRenderer.render(svg: still, width: frame.width * scale, height: frame.height * scale)
    }
}
