import Foundation
import HealthEngine
import HealthFormats
import HealthImport
public import HealthKit
import HealthModel
public import HealthTesting

extension TestHealthStore {
    /// The samples and objects of the store as text, which a test compares with a file.
    ///
    /// Each is a line of JSON with HealthKit’s property names: the type, the dates in UTC, the value with its unit or
    /// name, source, device and metadata, and for other objects their contents, such as the points of a route. There are
    /// no UUIDs, and the activities of a workout are numbered instead. Lines are sorted, so that equal contents give
    /// equal texts, whatever the order in which they were saved. Permissions of the app don’t matter, nor does the machine
    /// that runs the test: its product type and system are left out of the sources that have them.
    ///
    /// ```swift
    /// let expected = try String(contentsOf: Bundle.module.url(forResource: "run", withExtension: "ndjson")!, encoding: .utf8)
    /// #expect(try health.snapshot() == expected)
    /// ```
    ///
    /// - Parameter types: The types of the samples and objects; all by default.
    /// - Throws: Injected faults.
    public func snapshot(of types: Set<HKSampleType>? = nil) throws -> String {
        let identifiers = types.map { Set($0.map(\.identifier)) }
        let parts = try engine.typeOverview(as: .fixture).map(\.type).filter { type in
            identifiers?.contains(type.identifier) ?? (type.kind != .activitySummary)
        }
        let request = SampleRequest(parts: parts.map { SampleRequest.Part(type: $0.code) })
        var selection = try engine.samples(request, as: .fixture)
        for index in selection.dictionaries.revisions.indices {
            selection.dictionaries.revisions[index].removeMachine()
        }
        for index in selection.objects.indices {
            selection.objects[index].removeIdentities()
            selection.objects[index].revision?.removeMachine()
        }
        var writer = SampleJSONWriter(
            selection, timeZone: .gmt, options: .init(includesSeries: true, includesIdentities: false))
        let lines = selection.order.map { reference in
            writer.removeAll()
            writer.write(reference, of: selection)
            return String(decoding: writer.bytes, as: UTF8.self) + "\n"
        }
        return lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined()
    }
}

extension SourceRevisionRecord {
    /// Removes the product type and system of the machine that runs the test.
    fileprivate mutating func removeMachine() {
        let (machine, system) = (HKSourceRevision.ofThisProgram, operatingSystemVersion)
        let own = machine.operatingSystemVersion
        guard productType == machine.productType, system.major == own.majorVersion, system.minor == own.minorVersion,
            system.patch == own.patchVersion
        else { return }
        (productType, operatingSystemVersion) = (nil, .init())
    }
}

extension ObjectRecord {
    /// Numbers the activities of a workout, and orders the members of a correlation by their contents.
    fileprivate mutating func removeIdentities() {
        members.sort { ($0.type, $0.start, $0.end, $0.value) < ($1.type, $1.start, $1.end, $1.value) }
        guard case .workout(var workout) = body else { return }
        var numbers: [UUID: UUID] = [:]
        for index in workout.activities.indices {
            let number = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: index + 1)))
            numbers[workout.activities[index].uuid] = number
            workout.activities[index].uuid = number
        }
        for index in workout.zones.indices {
            workout.zones[index].activity = workout.zones[index].activity.flatMap { numbers[$0] }
        }
        body = .workout(workout)
    }
}
