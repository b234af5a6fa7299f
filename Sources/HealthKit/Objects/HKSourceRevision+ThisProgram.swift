import Foundation
import HealthModel

extension HKSourceRevision {
    /// The running program: its identity (`$HEALTHKIT_APPLICATION`, else the bundle identifier, else
    /// the executable's name), name, version, machine and operating system.
    static let ofThisProgram: HKSourceRevision = {
        let process = ProcessInfo.processInfo
        let executable = process.processName.isEmpty ? "unknown" : process.processName
        let information = Bundle.main.infoDictionary ?? [:]
        let chosen = process.environment["HEALTHKIT_APPLICATION"].flatMap { $0.isEmpty ? nil : $0 }
        return HKSourceRevision(
            SourceRevisionRecord(
                source: SourceRecord(
                    bundleIdentifier: chosen ?? Bundle.main.bundleIdentifier ?? executable,
                    name: information["CFBundleName"] as? String ?? executable),
                version: information["CFBundleShortVersionString"] as? String,
                productType: HKDevice.machine,
                operatingSystemVersion: OperatingSystemVersionRecord(process.operatingSystemVersion)))
    }()
}
