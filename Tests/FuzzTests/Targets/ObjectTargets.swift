import Foundation
import HealthTesting
import HealthWatcher

@testable import HealthKit

/// Coded objects and anchors, and documents of health records.
enum ObjectTargets {
    static let all = [
        FuzzTarget(name: "record", examples: { try objects().map { record($0.offset, $0.element) } }, words: words) {
            try decode($0)
        },
        FuzzTarget(name: "anchors", examples: anchors, words: ["bplist00", "types", "anchor"]) { try anchors($0) },
        FuzzTarget(
            name: "document", examples: { documents.map { Array($0.utf8) } },
            words: ["<", "</", "<![CDATA[", "]]>", "&#", "&lt;", "xmlns:", "<title>"]
        ) {
            document($0)
        },
    ]

    private static let words = [
        "\"start\":", "\"end\":", "\"type\":", "\"uuid\":", "\"value\":", "\"unit\":", "\"metadata\":", "1e400",
        "\"inf\"", "-1", "null",
        "HKQuantityTypeIdentifierStepCount", "HKCategoryTypeIdentifierSleepAnalysis",
    ]

    // MARK: Archives

    private static let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

    private static func objects() throws -> EnumeratedSequence<[any NSObject & NSSecureCoding]> {
        let steps = HKQuantitySample(
            type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 12), start: start,
            end: start + 60,
            device: .local(),
            metadata: ["HKTimeZone": "Asia/Tokyo", "n": 2, "q": HKQuantity(unit: .meter(), doubleValue: 2)])
        let workout = HKWorkout(
            activityType: .running, start: start, end: start + 100,
            workoutEvents: [HKWorkoutEvent(type: .pause, date: start + 10)],
            totalEnergyBurned: nil, totalDistance: HKQuantity(unit: HKUnit(from: "km"), doubleValue: 5), metadata: nil)
        let pressure = HKCorrelation(type: HKCorrelationType(.food), start: start, end: start + 60, objects: [steps])
        let point = try HKAudiogramSensitivityPoint(
            frequency: HKQuantity(unit: .hertz(), doubleValue: 1000),
            leftEarSensitivity: HKQuantity(unit: .decibelHearingLevel(), doubleValue: 20), rightEarSensitivity: nil)
        let record = HKClinicalRecord.testing(
            HKClinicalType(.allergyRecord), displayName: "Nuts",
            resource: .testing(.allergyIntolerance, identifier: "1", json: "{}"))
        let document = try HKCDADocumentSample(
            data: Data("<ClinicalDocument><title>T</title></ClinicalDocument>".utf8), start: start, end: start,
            metadata: nil)
        let lens = HKGlassesLensSpecification(
            sphere: HKQuantity(unit: .diopter(), doubleValue: -2.25), cylinder: nil, axis: nil, addPower: nil,
            vertexDistance: nil,
            prism: nil, farPupillaryDistance: nil, nearPupillaryDistance: nil)
        return [
            steps, HKCategorySample(type: HKCategoryType(.sleepAnalysis), value: 3, start: start, end: start + 60),
            workout,
            pressure, HKQueryAnchor(fromValue: 17), HKUnit(from: "mg/dL"), HKQuantity(unit: .meter(), doubleValue: 1.5),
            HKQuantityType(.heartRate), HKDevice.local(), HKSource.default(), steps.sourceRevision,
            HKWorkoutEvent(type: .lap, date: start),
            HKWorkoutConfiguration(), HKActivitySummary.testing(DateComponents(year: 2024, month: 3, day: 1)),
            HKAudiogramSample(sensitivityPoints: [point], start: start, end: start, metadata: nil),
            HKElectrocardiogram.testing(volts: [0.000_1, -0.000_25]), record, document, point, lens,
            HKStateOfMind(date: start, kind: .dailyMood, valence: 0.5, labels: [.calm], associations: []),
            HKUserAnnotatedMedication.testing("Aspirin"),
            HKGlassesPrescription(
                rightEyeSpecification: lens, leftEyeSpecification: nil, dateIssued: start, expirationDate: nil,
                device: nil, metadata: nil),
        ].enumerated()
    }

    /// The classes of the examples.
    private static let classes: [any (NSObject & NSSecureCoding).Type] = [
        HKQuantitySample.self, HKCategorySample.self, HKWorkout.self, HKCorrelation.self, HKQueryAnchor.self,
        HKUnit.self, HKQuantity.self,
        HKQuantityType.self, HKDevice.self, HKSource.self, HKSourceRevision.self, HKWorkoutEvent.self,
        HKWorkoutConfiguration.self,
        HKActivitySummary.self, HKAudiogramSample.self, HKElectrocardiogram.self, HKClinicalRecord.self,
        HKCDADocumentSample.self,
        HKAudiogramSensitivityPoint.self, HKGlassesLensSpecification.self, HKStateOfMind.self,
        HKUserAnnotatedMedication.self,
        HKGlassesPrescription.self,
    ]

    private static func record(_ index: Int, _ object: any NSObject & NSSecureCoding) -> [UInt8] {
        let coder = RecordCoder(Data())
        object.encode(with: coder)
        return [UInt8(index)] + [UInt8](coder.record)
    }

    /// The record within an archive, without the envelope.
    private static func decode(_ input: [UInt8]) throws {
        guard let first = input.first else { return }
        let type = classes[Int(first) % classes.count]
        guard let object: any NSObject & NSSecureCoding = type.init(coder: RecordCoder(Data(input.dropFirst()))) else {
            return
        }
        use(object)
        let written = RecordCoder(Data())
        object.encode(with: written)
        // Some classes have separate keys instead of a record.
        guard !written.record.isEmpty else { return }
        guard let again: NSObject = type.init(coder: RecordCoder(written.record)) else {
            throw FuzzFailure("what was written can’t be read: \(type)")
        }
        try FuzzFailure.unless(again.isEqual(object), "an object changed: \(type)")
    }

    /// Reads properties, so that a trap in one shows.
    private static func use(_ object: NSObject) {
        _ = (object.description, object.hash, object.isEqual(object))
        switch object {
        case let sample as HKDiscreteQuantitySample:
            _ = (sample.quantity, sample.mostRecentQuantityDateInterval, sample.metadata)
        case let sample as HKQuantitySample: _ = (sample.quantity, sample.metadata, sample.count)
        case let workout as HKWorkout:
            _ = (
                workout.workoutActivities.map(\.workoutEvents), workout.allStatistics, workout.totalDistance,
                workout.metadata
            )
        case let event as HKWorkoutEvent: _ = event.dateInterval
        case let correlation as HKCorrelation: _ = correlation.objects.count
        case let audiogram as HKAudiogramSample: _ = audiogram.sensitivityPoints.map(\.tests)
        case let recording as HKElectrocardiogram:
            _ = (recording.averageHeartRate, recording.numberOfVoltageMeasurements)
        case let record as HKClinicalRecord: _ = (record.fhirResource, record.displayName, record.clinicalType)
        case let sample as HKCDADocumentSample: _ = (sample.document?.title, sample.documentType)
        case let mind as HKStateOfMind: _ = (mind.valence, mind.labels, mind.associations, mind.valenceClassification)
        case let summary as HKActivitySummary:
            _ = (summary.dateComponents(for: Calendar(identifier: .gregorian)), summary.activeEnergyBurned)
        case let medication as HKUserAnnotatedMedication: _ = medication.medication.relatedCodings
        case let prescription as HKGlassesPrescription: _ = (prescription.rightEye, prescription.expirationDate)
        case let quantity as HKQuantity: _ = quantity.is(compatibleWith: .meter())
        default: break
        }
    }

    // MARK: Files of anchors

    /// The property lists in a file of anchors, whose checksum is made right.
    @Sendable private static func anchors() throws -> [[UInt8]] {
        let url = URL(fileURLWithPath: FuzzFile.folder + "/anchors-\(UUID().uuidString)")
        let store = FileAnchorStore(url: url)
        try store.save([
            "HKQuantityTypeIdentifierStepCount": HKQueryAnchor(fromValue: 5), "b": HKQueryAnchor(fromValue: 9),
        ])
        return [[2] + [UInt8](try Data(contentsOf: url).dropFirst(13))]
    }

    private static func anchors(_ input: [UInt8]) throws {
        guard let version = input.first else { return }
        let payload = input.dropFirst()
        let sum = payload.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let head = Array("OHKA".utf8) + [version] + (0..<8).map { UInt8(truncatingIfNeeded: sum >> UInt64(8 * $0)) }
        let file = try FuzzFile(head + payload, named: "anchors")
        let store = FileAnchorStore(url: URL(fileURLWithPath: file.path))
        do {
            let loaded = try store.load()
            try store.save(loaded)
            try FuzzFailure.unless(try store.load() == loaded, "anchors changed")
        } catch {
            try FuzzFailure.unless(error is AnchorStoreError, "an error without a type of its own: \(error)")
        }
    }

    // MARK: Documents

    private static let documents = [
        "<ClinicalDocument xmlns='urn:hl7-org:v3'><title>Visit &amp; <![CDATA[notes]]></title><recordTarget><patientRole><patient><name><given>Ada</given><family>L</family></name></patient></patientRole></recordTarget></ClinicalDocument>",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><!-- c --><a:ClinicalDocument xmlns:a=\"urn:hl7-org:v3\"><a:title>&#x54;</a:title></a:ClinicalDocument>",
    ]

    private static func document(_ input: [UInt8]) {
        guard let header = try? CDAHeader(parsing: input) else { return }
        _ = HKCDADocument(header, data: Data(input)).title
        _ = try? HKFHIRVersion(fromVersionString: String(decoding: input.prefix(40), as: UTF8.self))
    }
}

/// A coder that holds nothing but the record of an object.
private final class RecordCoder: NSCoder {
    var record: Data

    init(_ record: Data) {
        self.record = record
    }

    override var allowsKeyedCoding: Bool { true }

    override func containsValue(forKey key: String) -> Bool { key == "record" && !record.isEmpty }

    override func encode(_ object: Any?, forKey key: String) {
        if key == "record" { record = object as? Data ?? Data() }
    }

    override func encode(_ value: Double, forKey key: String) {}
    override func encode(_ value: Int, forKey key: String) {}
    override func encode(_ value: Bool, forKey key: String) {}
    override func decodeDouble(forKey key: String) -> Double { 0 }
    override func decodeInteger(forKey key: String) -> Int { 0 }
    override func decodeBool(forKey key: String) -> Bool { false }

    override func decodeObject<Object: NSObject & NSCoding>(of type: Object.Type, forKey key: String) -> Object? {
        key == "record" ? (record as NSData) as? Object : nil
    }
}
