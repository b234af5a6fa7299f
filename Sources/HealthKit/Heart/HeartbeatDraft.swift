import Foundation
import HealthModel

/// What a builder of heartbeats has gathered, and what it may do next.
struct HeartbeatDraft {
    private enum Stage {
        case open
        case finished
        case discarded
    }

    private var stage = Stage.open
    private var beats: [(offset: Double, hasGap: Bool)] = []
    /// How many beats at most.
    let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes a beat, in any order.
    ///
    /// - Throws: for an offset that is not positive, beyond the limit, and after the end.
    mutating func add(offset: Double, hasGap: Bool) throws(ObjectRefusal) {
        try requireOpen()
        guard offset > 0, offset.isFinite else {
            throw ObjectRefusal(reason: "The time of a heartbeat since the start of its series must be positive")
        }
        guard beats.count < limit else {
            throw ObjectRefusal(reason: "A heartbeat series has at most \(limit) heartbeats")
        }
        beats.append((offset, hasGap))
    }

    /// Checks that something may still be added.
    func requireOpen() throws(ObjectRefusal) {
        switch stage {
        case .open: return
        case .finished: throw ObjectRefusal(reason: "The heartbeat series is finished")
        case .discarded: throw ObjectRefusal(reason: "The heartbeat series was discarded")
        }
    }

    /// Ends the series: the document of the beats in order of time.
    ///
    /// - Throws: without a beat, and after the end.
    mutating func finish() throws(ObjectRefusal) -> (document: DocumentBody, lastOffset: Double) {
        try requireOpen()
        guard !beats.isEmpty else {
            throw ObjectRefusal(reason: "A heartbeat series requires a heartbeat")
        }
        stage = .finished
        beats.sort { $0.offset < $1.offset }
        let document = DocumentBody(series: [
            HKHeartbeatSeriesSample.Series.offsets: beats.map(\.offset),
            HKHeartbeatSeriesSample.Series.gaps: beats.map { $0.hasGap ? 1 : 0 },
        ])
        return (document, beats[beats.count - 1].offset)
    }

    /// Whether there is something to finish.
    var hasBeats: Bool { stage == .open && !beats.isEmpty }

    /// Takes a finish back.
    mutating func reopen() {
        if stage == .finished { stage = .open }
    }

    /// Throws the beats away.
    mutating func discard() {
        stage = .discarded
        beats = []
    }
}
