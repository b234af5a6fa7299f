import Foundation
public import HealthEngine
import HealthJSON
import HealthModel
import HealthStorage
import HealthStorageFiles

/// Exports a store as a folder of FHIR R4 bundles: the person as a Patient; samples, correlations, workouts with their
/// routes, electrocardiograms, audiograms and the rings of days as Observations; and clinical records as their original
/// resources.
///
/// Every observation has HealthKit's identifier as a code, and a LOINC code if one certainly applies. Units are UCUM.
/// The samples of a blood pressure are components of its observation. Records of older FHIR versions are written to
/// separate bundles, named after the version. Other objects, such as prescriptions and heartbeats, are left out and
/// counted in the report.
public struct FHIRExporter {
    private let options: FormatOptions
    private let maximumCount: Int

    /// Creates an exporter.
    ///
    /// - Parameter maximumCount: The maximum number of entries in a bundle.
    public init(_ options: FormatOptions, maximumCount: Int = 10_000) {
        self.options = options
        self.maximumCount = max(1, maximumCount)
    }

    /// Writes the folder, atomically: it appears with all its files or not at all.
    ///
    /// - Throws: ``FormatError`` if the target can't be written, and storage errors.
    public func export(_ engine: HealthEngine, to path: String, as caller: Caller) throws -> FormatReport {
        try options.write(to: path, as: .folder) { folder in
            let patient = engine.identity().uuid
            return try engine.withReader(as: caller) { reading in
                var run = FHIRRun(
                    reading: reading, options: options,
                    writer: FHIRWriter(
                        dictionaries: reading.dictionaries, identities: reading.identities,
                        clock: LocalClock(timeZone: options.timeZone), patient: patient,
                        subject: "urn:uuid:" + patient.uuidString.lowercased()),
                    bundles: BundleFiles(folder, name: "bundle", maximumCount: maximumCount), folder: folder,
                    maximumCount: maximumCount)
                try run.run()
                return run.report
            }
        }
    }
}

/// The state of one export.
private struct FHIRRun {
    let reading: StoreReader
    let options: FormatOptions
    let writer: FHIRWriter
    var bundles: BundleFiles
    let folder: String
    let maximumCount: Int
    var others: [String: BundleFiles] = [:]
    var report = FormatReport()

    private static let pressure = "HKCorrelationTypeIdentifierBloodPressure"

    mutating func run() throws {
        try bundles.add(
            writer.person(options.selection.isEverything ? reading.profile() : Profile()).bytes,
            id: writer.patient.uuidString.lowercased())
        report.add("Patient")
        let types = try reading.types()
        // The samples of a panel are written as its components; those of other correlations are also written on their
        // own.
        var members: Set<Int64> = []
        for type in types where type.identifier == Self.pressure && options.selection.includes(type.code) {
            for place in try places(type) {
                members.formUnion(try reading.members(of: place.sequence).map(\.sequence))
            }
        }
        for type in types where options.selection.includes(type.code) {
            if type.kind.isPaged {
                try samples(type, except: members)
            } else if type.kind == .activitySummary {
                try activities(type)
            } else {
                for place in try places(type) { try object(place, type) }
            }
        }
        try bundles.finish()
        report.files = bundles.files
        for name in others.keys.sorted() {
            try others[name]?.finish()
            report.files += others[name]?.files ?? 0
        }
    }

    private func places(_ type: TypeDescription) throws -> [ObjectOutline] {
        try reading.objects(of: type.code).filter { options.selection.includes(start: $0.start) }
    }

    private mutating func samples(_ type: TypeDescription, except members: Set<Int64>) throws {
        for page in try reading.pages(of: type.code, matching: options.selection.filter) {
            let rows = try reading.rows(of: page, columns: .all)
            for row in 0..<rows.count where !members.contains(rows.sequences[row]) {
                let sample = rows.record(at: row, dictionaries: reading.dictionaries, identities: reading.identities)
                try add(writer.observation(sample, of: type), reading.identities.identity(of: sample), type)
            }
        }
    }

    private mutating func object(_ place: ObjectOutline, _ type: TypeDescription) throws {
        guard let found = try reading.object(place.sequence) else { return leaveOut(type) }
        var filled = [found]
        if type.kind == .correlation { try reading.fillMembers(of: &filled) }
        let object = filled[0]
        if case .document(let document) = object.body, case .data(let bytes) = document[ClinicalRecordDocument.data] {
            try addClinicalRecord(bytes, document, object, type)
        } else if let resource = writer.observation(of: object, type) {
            try add(resource, reading.identities.identity(of: object), type)
        } else {
            leaveOut(type)
        }
    }

    /// Writes the rings of days.
    private mutating func activities(_ type: TypeDescription) throws {
        for (day, summary) in try reading.activityDays(in: writer.clock)
        where options.selection.includes(start: day.start) {
            if let resource = writer.observation(summary, on: day) { try add(resource, writer.identity(of: day), type) }
        }
    }

    private mutating func leaveOut(_ type: TypeDescription) {
        report.leftOut[type.shortName, default: 0] += 1
    }

    /// Writes the resource of a clinical record if it is JSON.
    private mutating func addClinicalRecord(
        _ bytes: [UInt8], _ document: DocumentBody, _ object: ObjectRecord, _ type: TypeDescription
    ) throws {
        guard (try? JSONSerialization.jsonObject(with: Data(bytes))) is [String: Any] else { return leaveOut(type) }
        let version = if case .string(let text) = document[ClinicalRecordDocument.version] { text } else { "4.0.1" }
        let id = reading.identities.identity(of: object).uuidString.lowercased()
        if version.hasPrefix("4") {
            try bundles.add(bytes, id: id)
        } else {
            let name = "fhir-" + version.filter { $0.isNumber || $0 == "." }
            var files = others[name] ?? BundleFiles(folder, name: name, maximumCount: maximumCount)
            try files.add(bytes, id: id)
            others[name] = files
        }
        report.add(type.shortName)
    }

    private mutating func add(_ resource: JSONText, _ uuid: UUID, _ type: TypeDescription) throws {
        try bundles.add(resource.bytes, id: uuid.uuidString.lowercased())
        report.add(type.shortName)
    }
}

/// Writes bundles of type “collection”, one per file, with a maximum number of entries.
struct BundleFiles {
    private let folder: String
    private let name: String
    private let maximumCount: Int
    private var file: OutputFile?
    private var count = 0
    private(set) var files = 0

    init(_ folder: String, name: String, maximumCount: Int) {
        self.folder = folder
        self.name = name
        self.maximumCount = maximumCount
    }

    mutating func add(_ resource: [UInt8], id: String) throws {
        if count == maximumCount { try finish() }
        if file == nil {
            files += 1
            let number = String(String(10_000 + files).dropFirst())
            file = try OutputFile("\(folder)/\(name)-\(number).json")
            try file?.write(Array("{\"resourceType\":\"Bundle\",\"type\":\"collection\",\"entry\":[\n".utf8))
        }
        let opening = (count > 0 ? ",\n" : "") + "{\"fullUrl\":\"urn:uuid:\(id)\",\"resource\":"
        try file?.write(Array(opening.utf8) + resource + [UInt8(ascii: "}")])
        count += 1
    }

    mutating func finish() throws {
        try file?.write(Array("\n]}\n".utf8))
        try file?.finish()
        file = nil
        count = 0
    }
}
