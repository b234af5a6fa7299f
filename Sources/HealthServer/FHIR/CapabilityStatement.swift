import Foundation
import HealthFormats
import HealthJSON
import Hummingbird

/// The statement of what the FHIR API can do.
enum CapabilityStatement {
    /// The statement for a base URL.
    static func response(url: String, now: Date) -> Response {
        FHIRResponse.resource("CapabilityStatement") { json in
            json.member("status", text: "active")
            json.member("date", text: now.ISO8601Format())
            json.member("kind", text: "instance")
            json.object("software") { json in json.member("name", text: "OpenHealthKit") }
            json.object("implementation") { json in
                json.member("description", text: "The HealthKit data of a person, to read")
                json.member("url", text: url)
            }
            json.member("fhirVersion", text: "4.0.1")
            json.member("format", texts: ["application/fhir+json"])
            json.array("rest") { json in
                json.object { json in
                    json.member("mode", text: "server")
                    json.object("security") { json in
                        json.member("description", text: "A token as “Authorization: Bearer TOKEN”.")
                    }
                    json.array("resource") { json in
                        for type in ["Observation"] + ClinicalResource.types { resource(&json, type, parameters) }
                        resource(&json, "Patient", [("_id", "token", "The identifier of the person.")])
                    }
                }
            }
        }
    }

    private static func resource(_ json: inout JSONText, _ type: String, _ parameters: [(String, String, String)]) {
        json.object { json in
            json.member("type", text: type)
            json.array("interaction") { json in
                for code in ["read", "search-type"] {
                    json.object { json in json.member("code", text: code) }
                }
            }
            json.array("searchParam") { json in
                for (name, kind, text) in parameters {
                    json.object { json in
                        json.member("name", text: name)
                        json.member("type", text: kind)
                        json.member("documentation", text: text)
                    }
                }
            }
        }
    }
}
