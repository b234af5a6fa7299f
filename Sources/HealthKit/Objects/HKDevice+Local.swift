import Foundation
import HealthModel

extension HKDevice {
    /// The machine this program runs on. Its host name is left out: it often names a person.
    public class func local() -> HKDevice { thisMachine }

    private static let thisMachine: HKDevice = {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return HKDevice(
            DeviceRecord(
                name: systemName, model: systemName, hardwareVersion: machine,
                softwareVersion:
                    "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"))
    }()

    /// The processor's family, such as `x86_64`.
    static let machine: String = {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            "unknown"
        #endif
    }()

    private static let systemName: String = {
        #if os(Linux)
            "Linux"
        #else
            "Computer"
        #endif
    }()
}
