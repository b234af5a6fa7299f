import CSQLite
import Foundation

/// What the figures depend on, without a name of the machine.
struct Machine {
    var text: String

    init(_ setting: Setting) {
        let memory = Double(ProcessInfo.processInfo.physicalMemory) / 1_073_741_824
        let day = ISO8601DateFormatter.string(
            from: Date(), timeZone: .gmt, formatOptions: [.withFullDate, .withDashSeparatorInDate])
        let parts = [
            "\(ProcessInfo.processInfo.activeProcessorCount) cores (\(Self.processor))",
            String(format: "%.0f GB of memory", memory.rounded()),
            setting.compiler,
            "SQLite \(String(cString: sqlite3_libversion()))",
        ]
        text = "Measured \(day): " + parts.joined(separator: ", ") + "."
    }

    private static var processor: String {
        let facts = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = facts.split(separator: "\n").first { $0.hasPrefix("model name") }
        let name = line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
        return name ?? "unknown processor"
    }
}
