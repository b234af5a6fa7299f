import HealthModel
import HealthStorage

/// Which source revisions and devices an archive could not tell apart.
///
/// An archive names a source and its version but neither its bundle identifier nor product; of a
/// device it leaves out the local and regulatory identifiers. So that what an application saved is
/// known again in an archive, numbers that look alike there form a class, named by its least number.
struct ContentClasses {
    private struct RevisionFace: Hashable {
        var name: String
        var version: String?
    }

    private var revisionClasses: [UInt32] = [0]
    private var deviceClasses: [UInt32] = [0]
    private var revisionFaces: [RevisionFace: UInt32] = [:]
    private var deviceFaces: [DeviceRecord: UInt32] = [:]

    /// Takes in numbers given since the last call.
    mutating func extend(to dictionaries: StoreDictionaries) {
        for number in revisionClasses.count..<max(revisionClasses.count, dictionaries.revisions.count + 1) {
            let revision = dictionaries.revisions[number - 1]
            let face = RevisionFace(name: revision.source.name, version: revision.version)
            let known = revisionFaces[face] ?? UInt32(number)
            revisionFaces[face] = known
            revisionClasses.append(known)
        }
        for number in deviceClasses.count..<max(deviceClasses.count, dictionaries.devices.count + 1) {
            var face = dictionaries.devices[number - 1]
            face.localIdentifier = nil
            face.udiDeviceIdentifier = nil
            let known = deviceFaces[face] ?? UInt32(number)
            deviceFaces[face] = known
            deviceClasses.append(known)
        }
    }

    /// Whether every number of these is known.
    func covers(revision: UInt32, device: UInt32) -> Bool {
        Int(revision) < revisionClasses.count && Int(device) < deviceClasses.count
    }

    func revisionClass(_ number: UInt32) -> UInt32 {
        Int(number) < revisionClasses.count ? revisionClasses[Int(number)] : number
    }

    func deviceClass(_ number: UInt32) -> UInt32 {
        Int(number) < deviceClasses.count ? deviceClasses[Int(number)] : number
    }
}
