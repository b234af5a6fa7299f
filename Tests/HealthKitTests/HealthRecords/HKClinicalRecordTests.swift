import Foundation
import HealthTesting
import Testing

@testable import HealthKit

struct HKClinicalRecordTests {
    private let health = TestHealthStore()
    private let lab = HKClinicalType(.labResultRecord)
    private let hospital = TestSource(bundleIdentifier: "org.example.hospital", name: "Hospital")

    private func record(_ identifier: String = "r1", _ type: HKFHIRResourceType = .observation) -> HKClinicalRecord {
        .testing(
            lab, displayName: "Glucose",
            resource: .testing(
                type, identifier: identifier, json: #"{"resourceType":"Observation"}"#,
                sourceURL: URL(string: "https://example.org/Observation/r1")))
    }

    private func read(_ predicate: NSPredicate? = nil) async throws -> [HKClinicalRecord] {
        try await HKSampleQueryDescriptor(
            predicates: [.clinicalRecord(type: lab, predicate: predicate)], sortDescriptors: []
        ).result(for: health.store)
    }

    @Test func recordsRoundTrip() async throws {
        #expect(health.store.supportsHealthRecords())
        try health.plant([record()], from: hospital)
        let found = try #require(try await read().first)
        #expect(found.displayName == "Glucose")
        #expect(found.clinicalType == lab)
        let resource = try #require(found.fhirResource)
        #expect(resource == record().fhirResource)
        #expect(resource.fhirVersion.fhirRelease == .r4)
        #expect(resource.resourceType == .observation)
        #expect(resource.sourceURL?.host == "example.org")
        #expect(found.sourceRevision.source.name == "Hospital")
    }

    @Test func predicates() async throws {
        try health.plant([record("r1"), record("r2", .diagnosticReport)], from: hospital)
        #expect(try await read(HKQuery.predicateForClinicalRecords(withFHIRResourceType: .observation)).count == 1)
        let source = try #require(try await read().first?.sourceRevision.source)
        let exact = HKQuery.predicateForClinicalRecords(
            from: source, fhirResourceType: .diagnosticReport, identifier: "r2")
        let found = try await read(exact)
        #expect(found.map { $0.fhirResource?.identifier } == ["r2"])
        #expect(exact.evaluate(with: found[0]))
        let byHand = NSPredicate(format: "%K == %@", HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier, "r1")
        #expect(try await read(byHand).count == 1)
    }

    @Test func applicationsCannotAskToWriteThem() throws {
        #expect(throws: (any Error).self) { try AuthorizationRule.validate(share: [lab], read: []) }
    }

    @Test(arguments: [
        ("1.0.2", HKFHIRRelease.dstu2), ("4.0.1", .r4), ("4.0.0", .r4), ("3.0.1", .unknown), ("10.20.30", .unknown),
    ])
    func versions(_ text: String, _ release: HKFHIRRelease) throws {
        let version = try HKFHIRVersion(fromVersionString: text)
        #expect(version.stringRepresentation == text)
        #expect(version.fhirRelease == release)
    }

    @Test(arguments: ["", "4", "4.0", "4.0.1.2", "4.0.x", "-4.0.1", "4..1", "4.0.1 ", "99999999999999999999.0.0"])
    func badVersions(_ text: String) {
        #expect(throws: HKError.self) { try HKFHIRVersion(fromVersionString: text) }
    }

    @Test func primaryVersions() {
        #expect(HKFHIRVersion.primaryDSTU2().stringRepresentation == "1.0.2")
        #expect(HKFHIRVersion.primaryR4().stringRepresentation == "4.0.1")
        #expect(HKFHIRVersion.primaryR4() == HKFHIRVersion.primaryR4())
    }

    @Test func archives() throws {
        func goneRound<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object {
            let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
            return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data))
        }
        let record = record()
        #expect(try goneRound(record).fhirResource == record.fhirResource)
        #expect(try goneRound(HKFHIRVersion.primaryR4()) == .primaryR4())
        let coding = HKClinicalCoding(system: "http://www.nlm.nih.gov/research/umls/rxnorm", version: nil, code: "1191")
        #expect(try goneRound(coding) == coding)
        #expect(try goneRound(#require(record.fhirResource)) == record.fhirResource)
    }
}
