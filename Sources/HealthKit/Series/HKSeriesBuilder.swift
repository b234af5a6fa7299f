import Foundation
import HealthEngine
import HealthModel

/// The base class of builders of series samples.
///
/// A builder from ``HKWorkoutBuilder/seriesBuilder(for:)`` is finished by its workout builder.
// Unchecked: the stored properties are constants of Sendable types; subclasses keep their mutable state in a Mutex.
open class HKSeriesBuilder: NSObject, _CVarArgObject, @unchecked Sendable {
    final let connection: StoreConnection
    /// The device that records the series.
    final let recordingDevice: HKDevice?
    /// Whether a workout builder finishes the series.
    final let isAttached: Bool

    // Only subclasses create builders.
    init(_ connection: StoreConnection, device: HKDevice?, isAttached: Bool) {
        self.connection = connection
        recordingDevice = device
        self.isAttached = isAttached
    }

    /// Discards the series. The builder cannot be used afterwards.
    open func discard() {}

    /// Checks that the application may finish the series.
    final func requireUnattached() throws(HKError) {
        guard !isAttached else {
            throw HKError.make(.errorInvalidArgument, "This series is finished by its workout builder.")
        }
    }

    /// The base of the series sample.
    final func base(_ type: HKSeriesType, from start: Double, to end: Double, metadata: Metadata) -> SampleBase {
        SampleBase.built(
            by: connection.caller.revision, type: type, start: start, end: end, device: recordingDevice,
            metadata: metadata)
    }
}

/// The elements that a series builder has collected, and the calls it allows.
struct SeriesBuilderState<Elements: Sendable>: Sendable {
    enum Phase: Sendable {
        case open
        /// After a failed insertion; the builder cannot be used any more.
        case failed
        case finishing, finished, discarded
    }

    private(set) var phase = Phase.open
    var elements: Elements
    private(set) var metadata = Metadata.empty
    private let empty: Elements

    init(_ empty: Elements) {
        elements = empty
        self.empty = empty
    }

    func requireOpen() throws(HKError) {
        switch phase {
        case .open: return
        case .failed: throw invalid("The series builder has failed.")
        case .finishing, .finished: throw invalid("The series has been finished.")
        case .discarded: throw invalid("The series has been discarded.")
        }
    }

    func invalid(_ reason: String) -> HKError { HKError.make(.errorInvalidArgument, reason) }

    /// Adds metadata; values replace those of the same key.
    mutating func merge(_ more: Metadata) throws(HKError) {
        try requireOpen()
        metadata = metadata.merging(more)
    }

    /// Rejects all later calls.
    mutating func fail() { phase = .failed }

    /// Begins to finish the series; ``conclude(isStored:)`` completes the call.
    mutating func beginFinishing() throws(HKError) {
        try requireOpen()
        phase = .finishing
    }

    /// Completes a finish: releases the elements if they are stored, and allows another attempt if they are not.
    mutating func conclude(isStored: Bool) {
        guard phase == .finishing else { return }
        phase = isStored ? .finished : .open
        if isStored { elements = empty }
    }

    /// Releases the elements; every later call fails.
    mutating func discard() {
        phase = .discarded
        elements = empty
    }
}
