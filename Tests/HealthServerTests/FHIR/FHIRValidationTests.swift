import Foundation
import Testing

@testable import HealthServer

/// Every resource is valid for the PyPI packages `fhir.resources`, `fhirkit-rs` and `pyrofile-validator`, which are
/// independent implementations of the standard.
@Suite struct FHIRValidationTests {
    private static let script = """
        import json, sys, urllib.error, urllib.request
        import fhirkit
        import pyrofile_validator
        from fhir.resources.R4B.bundle import Bundle
        from fhir.resources.R4B.capabilitystatement import CapabilityStatement
        from fhir.resources.R4B.observation import Observation
        from fhir.resources.R4B.operationoutcome import OperationOutcome
        from fhir.resources.R4B.patient import Patient

        root, token = sys.argv[1:]
        validator = pyrofile_validator.Validator()

        def check(resource):
            errors = [str(issue) for issue in fhirkit.validate(resource)]
            # It knows only some of the media types that FHIR allows.
            errors += [
                issue.message
                for issue in validator.validate_resource(resource).issues
                if issue.severity.name == "ERROR" and "application/fhir+json" not in issue.message
            ]
            assert not errors, (resource["resourceType"], resource.get("id"), errors)
            return resource

        def get(url):
            request = urllib.request.Request(url, headers={"Authorization": "Bearer " + token})
            try:
                with urllib.request.urlopen(request) as response:
                    return check(json.load(response))
            except urllib.error.HTTPError as error:
                return check(json.load(error))

        base = root + "/fhir/R4/people/anna"
        CapabilityStatement.model_validate(get(root + "/fhir/R4/metadata"))
        CapabilityStatement.model_validate(get(base + "/metadata"))
        OperationOutcome.model_validate(get(base + "/Observation/none"))
        patients = Bundle.model_validate(get(base + "/Patient"))
        assert isinstance(patients.entry[0].resource, Patient)
        codes = {}
        url = base + "/Observation?_count=7"
        for other in ("Observation?code=HKActivitySummaryTypeIdentifier", "AllergyIntolerance"):
            page = get(base + "/" + other)
            assert page["total"] == len(page["entry"]) == 1, page
            Bundle.model_validate(page)
        while url:
            page = get(url)
            assert page["total"] == 39, page["total"]
            bundle = Bundle.model_validate(page)
            for entry in bundle.entry or []:
                assert isinstance(entry.resource, Observation)
                Observation.model_validate(get(entry.fullUrl))
                for coding in entry.resource.code.coding:
                    if coding.system == "http://loinc.org":
                        codes[coding.code] = codes.get(coding.code, 0) + 1
            url = next((link["url"] for link in page["link"] if link["relation"] == "next"), None)
        print(json.dumps(codes))
        """

    @Test func everyResourceIsValid() async throws {
        try await TestServer.with { server in
            try FHIRStore.fill(server.engine())
            try FHIRStore.addObjects(to: server.engine())
            let output = try await PythonScript.run(
                Self.script, ["http://localhost:\(server.port)", server.ownerToken])
            let codes = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Int]
            #expect(
                codes == [
                    "8867-4": 25, "55423-8": 1, "29463-7": 1, "2708-6": 1, "59408-5": 1, "2339-0": 1, "39156-5": 1,
                    "85354-9": 1, "11524-6": 1,
                ])
        }
    }
}
