import Foundation
public import HealthEngine
import HealthModel
import HealthSQL
import HealthStorage

/// Writes a store as a folder of FHIR R4 bundles: the person as a Patient, samples, correlations, workouts and
/// electrocardiograms as Observations, and clinical records as the resources they are.
///
/// Codes are LOINC's where they are sure, and always HealthKit's identifiers; units are UCUM's. Members of a
/// blood pressure stand in it as components and not beside it. Records of older FHIR versions go to bundles of
/// their own, named after the version.
public struct FHIRExporter {
    private let options: FormatOptions
    private let greatestCount: Int

    /// An exporter with these options.
    ///
    /// - Parameter greatestCount: entries of one bundle at the most.
    public init(_ options: FormatOptions, greatestCount: Int = 10_000) {
        self.options = options
        self.greatestCount = max(1, greatestCount)
    }

    /// Writes the folder. It appears with all its files or not at all.
    ///
    /// - Throws: ``FormatError`` for trouble with the target, and storage trouble.
    public func export(_ engine: HealthEngine, to path: String, as caller: Caller) throws -> FormatReport {
        let draft = try Draft(path, replaces: options.replaces)
        try draft.makeFolder()
        return try draft.write { folder in
            let patient = engine.identity().uuid
            return try engine.reading(as: caller) { reading in
                var run = FHIRRun(
                    reading: reading, options: options,
                    writer: FHIRWriter(
                        reading: reading, clock: LocalClock(timeZone: options.timeZone), patient: patient),
                    bundles: BundleFiles(folder, name: "bundle", greatestCount: greatestCount), folder: folder,
                    greatestCount: greatestCount)
                try run.run()
                return run.report
            }
        }
    }
}

/// One export on its way.
private struct FHIRRun {
    let reading: StoreReading
    let options: FormatOptions
    let writer: FHIRWriter
    var bundles: BundleFiles
    let folder: String
    let greatestCount: Int
    var others: [String: BundleFiles] = [:]
    var report = FormatReport()

    private static let pressure = "HKCorrelationTypeIdentifierBloodPressure"

    mutating func run() throws {
        try bundles.add(
            writer.person(options.selection.isEverything ? reading.profile() : Profile()).bytes,
            id: writer.patient.uuidString.lowercased())
        report.add("Patient")
        let types = try reading.types()
        // Members of panels are told with them; those of other correlations stand by themselves, too.
        var members: Set<Int64> = []
        for type in types where type.identifier == Self.pressure && options.selection.includes(type.code) {
            for place in try places(type) {
                members.formUnion(try reading.members(of: place.sequence).map(\.sequence))
            }
        }
        for type in types where options.selection.includes(type.code) {
            if type.kind.isPaged {
                try samples(type, except: members)
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

    private func places(_ type: TypeDescription) throws -> [ObjectPlace] {
        try reading.objects(of: type.code).filter { options.selection.includes(start: $0.start) }
    }

    private mutating func samples(_ type: TypeDescription, except members: Set<Int64>) throws {
        var bounds: [SampleFilter] = []
        if let since = options.selection.since { bounds.append(.start(.greaterThanOrEqual, since)) }
        if let until = options.selection.until { bounds.append(.start(.lessThan, until)) }
        for page in try reading.pages(of: type.code, matching: .and(bounds)) {
            let rows = try reading.rows(of: page, columns: .all)
            for row in 0..<rows.count where !members.contains(rows.sequences[row]) {
                let sample = rows.record(at: row, dictionaries: reading.dictionaries, identities: reading.identities)
                try add(writer.observation(sample, of: type), sample.uuid, type)
            }
        }
    }

    private mutating func object(_ place: ObjectPlace, _ type: TypeDescription) throws {
        guard let object = try reading.object(place.sequence) else { return }
        switch object.body {
        case .workout(let workout): try add(writer.observation(object, workout, of: type), object.uuid, type)
        case .document(let document):
            if type.identifier == "HKDataTypeIdentifierElectrocardiogram" {
                try add(writer.electrocardiogram(object, document, of: type), object.uuid, type)
            } else if case .data(let bytes) = document[ClinicalRecordDocument.data] {
                try passOn(bytes, document, object, type)
            }
        case .none where type.kind == .correlation:
            var filled = [object]
            try reading.fillMembers(of: &filled)
            try add(writer.observation(filled[0], of: type), object.uuid, type)
        default: break
        }
    }

    /// A clinical record's own resource, unless it is no JSON.
    private mutating func passOn(
        _ bytes: [UInt8], _ document: DocumentBody, _ object: ObjectRecord, _ type: TypeDescription
    ) throws {
        guard (try? JSONSerialization.jsonObject(with: Data(bytes))) is [String: Any] else { return }
        let version = if case .string(let text) = document[ClinicalRecordDocument.version] { text } else { "4.0.1" }
        let id = (object.uuid ?? UUID()).uuidString.lowercased()
        if version.hasPrefix("4") {
            try bundles.add(bytes, id: id)
        } else {
            let name = "fhir-" + version.filter { $0.isNumber || $0 == "." }
            var files = others[name] ?? BundleFiles(folder, name: name, greatestCount: greatestCount)
            try files.add(bytes, id: id)
            others[name] = files
        }
        report.add(type.shortName)
    }

    private mutating func add(_ resource: JSONText, _ uuid: UUID?, _ type: TypeDescription) throws {
        try bundles.add(resource.bytes, id: (uuid ?? UUID()).uuidString.lowercased())
        report.add(type.shortName)
    }
}
