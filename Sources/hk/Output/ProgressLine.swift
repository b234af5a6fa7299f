import AppleHealthExport
import Foundation
import Synchronization

/// Shows the progress of an import, an export or a cohort: one line, redrawn in place on a terminal; elsewhere, an
/// occasional plain line.
final class ProgressLine: Sendable {
    /// A progress report of either kind.
    private struct Progress {
        var records: Int
        var bytes: Int
        /// Completed and total units of work, in bytes or records; the total is `nil` if unknown.
        var done: Int
        var total: Int?
    }

    private struct State {
        /// Seconds since the start; negative infinity on a terminal, so that the first line is shown at once.
        var lastShown: Double
        var isOpen = false
    }

    private let start = Date()
    private let terminal = Terminal.error
    private let state = Mutex(State(lastShown: Terminal.error.hasCursor ? -.infinity : 0))

    /// Shows the progress if enough time has passed since the last update.
    func show(_ progress: ImportProgress) {
        guard progress.phase != .waiting else {
            return Terminal.printError(
                "Another import into this store is running; this one begins when it is complete.\n")
        }
        show(
            Progress(
                records: progress.records, bytes: progress.bytesRead, done: progress.bytesRead,
                total: progress.bytesTotal))
    }

    /// Shows the progress if enough time has passed since the last update.
    func show(_ progress: ExportProgress) {
        show(Progress(records: progress.written, bytes: progress.bytes, done: progress.written, total: progress.total))
    }

    /// Shows the number of people read, on a terminal only, if enough time has passed since the last update.
    func show(people done: Int, of total: Int) {
        guard terminal.hasCursor else { return }
        show { _ in "\(NumberOutput.grouped(done)) of \(NumberOutput.grouped(total)) people" }
    }

    private func show(_ progress: Progress) {
        show { line(progress, $0) }
    }

    /// - Parameter text: The text after some seconds.
    private func show(_ text: (Double) -> String) {
        let seconds = Date().timeIntervalSince(start)
        let isDue = state.withLock { state in
            guard seconds - state.lastShown >= (terminal.hasCursor ? 0.1 : 10) else { return false }
            state.lastShown = seconds
            state.isOpen = terminal.hasCursor
            return true
        }
        guard isDue else { return }
        let text = text(seconds)
        Terminal.printError(terminal.hasCursor ? "\r\u{1B}[K\(text)" : "\(text)\n")
    }

    /// Clears the line.
    func finish() {
        let isOpen = state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
        if isOpen { Terminal.printError("\r\u{1B}[K") }
    }

    private func line(_ progress: Progress, _ seconds: Double) -> String {
        let rate = Double(progress.bytes) / max(seconds, 0.001)
        var parts = [
            "\(NumberOutput.grouped(progress.records)) records",
            "\(NumberOutput.text(rate / 1_000_000, digits: 0)) MB/s",
        ]
        guard let total = progress.total, total > 0 else { return parts.joined(separator: "  ") }
        let share = min(1, Double(progress.done) / Double(total))
        let pace = Double(progress.done) / max(seconds, 0.001)
        parts.append("\(Self.duration(Double(total - progress.done) / max(pace, 1))) left")
        let percent =
            String(repeating: " ", count: share < 0.095 ? 2 : share < 0.995 ? 1 : 0)
            + "\(Int((share * 100).rounded())) %"
        guard terminal.hasCursor else { return "\(percent)  \(parts.joined(separator: "  "))" }
        // The text after the bar takes up to 56 columns.
        let room = max(8, min(24, terminal.columns - 56))
        let full = Int((share * Double(room)).rounded())
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: room - full)
        return "\(terminal.styled(bar, .cyan))  \(percent)  \(parts.joined(separator: "  "))"
    }

    /// Whole seconds, or minutes and seconds from two minutes on.
    private static func duration(_ seconds: Double) -> String {
        let seconds = Int(min(max(0, seconds), 1e6).rounded(.up))
        return seconds < 120 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
    }
}
