import Foundation
import HealthAnswers
import HealthEngine

extension OpenAPIDocument {
    /// The schemas of requests and responses by name, as JSON.
    static let schemas: [String: String] = valueSchemas.merging(sampleSchemas) { $1 }.merging(otherSchemas) { $1 }
        .merging(webhookSchemas) { $1 }
        .merging(["NewMetadata": newMetadata, "TimeZoneName": timeZoneName]) { $1 }
        .merging(Questions.all.map { components($0) }.reduce([:]) { $0.merging($1) { $1 } }) { $1 }

    private static func components<Asked: Question>(_ question: Asked.Type) -> [String: String] {
        Asked.Answer.schema.components
    }

    /// Names of time zones that requests can have. Answers can have further ones.
    private static var timeZoneName: String {
        let names = Set(TimeZone.knownTimeZoneIdentifiers).union(["GMT", "UTC"]).sorted()
        return #"{"enum": [""# + names.joined(separator: #"", ""#) + #""]}"#
    }

    /// Metadata of samples to save: the values of HealthKit's own keys have certain forms.
    private static var newMetadata: String {
        let keys = MetadataRules.expectations.sorted { $0.key < $1.key }.map { key, expectation in
            let schema =
                switch expectation {
                case .string: #"{"type": "string"}"#
                case .number: #"{"type": ["number", "boolean"]}"#
                case .date: ##"{"$ref": "#/components/schemas/MetadataDate"}"##
                case .quantity: ##"{"$ref": "#/components/schemas/Quantity"}"##
                case .value(_, let range):
                    #"{"type": "integer", "minimum": \#(range.lowerBound), "maximum": \#(range.upperBound)}"#
                case .activity: #"{"type": "integer", "minimum": 1}"#
                }
            return "\"\(key)\": \(schema)"
        }
        return ##"{"allOf": [{"$ref": "#/components/schemas/Metadata"}], "type": "object", "properties": {"##
            + keys.joined(separator: ", ") + "}}"
    }

    // MARK: Values

    private static let valueSchemas = [
        "Problem": #"""
        {"type": "object", "required": ["type", "title", "status", "detail", "code"],
         "properties": {"type": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "integer"},
          "detail": {"type": "string"}, "code": {"type": "string", "description": "Stable."},
          "index": {"type": "integer", "description": "The number of the sample in its batch, from 0."},
          "member": {"type": "string", "description": "The member of the body."}}}
        """#,
        "Instant": #"{"type": "string", "format": "date-time"}"#,
        "InstantOrDay": #"""
        {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "string", "format": "date"}],
         "description": "A time with an offset, or a day, which means its first instant in the request's time zone."}
        """#,
        "Day": #"{"type": "string", "format": "date"}"#,
        "Number": #"""
        {"anyOf": [{"type": "number"}, {"enum": ["NaN", "Infinity", "-Infinity"]}]}
        """#,
        "Unit": #"""
        {"type": "string", "description": "A unit string of HealthKit.", "examples": ["count"]}
        """#,
        "Quantity": #"""
        {"type": "object", "required": ["quantity", "unit"],
         "properties": {"quantity": {"$ref": "#/components/schemas/Number"}, "unit": {"$ref": "#/components/schemas/Unit"}}}
        """#,
        "TimeZone":
            #"{"type": "string", "description": "A name of the IANA database.", "examples": ["Europe/Berlin"]}"#,
        "Metadata": #"""
        {"type": "object", "description": "Values by key.",
         "additionalProperties": {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"},
          {"$ref": "#/components/schemas/Quantity"},
          {"$ref": "#/components/schemas/MetadataDate"}]}}
        """#,
        "MetadataDate": #"""
        {"type": "object", "required": ["date"], "properties": {"date": {"$ref": "#/components/schemas/Instant"}}, "additionalProperties": false}
        """#,
        "Device": #"""
        {"type": "object", "properties": {"name": {"type": "string"}, "manufacturer": {"type": "string"}, "model": {"type": "string"},
          "hardwareVersion": {"type": "string"}, "firmwareVersion": {"type": "string"}, "softwareVersion": {"type": "string"},
          "localIdentifier": {"type": "string"}, "udiDeviceIdentifier": {"type": "string"}}}
        """#,
        "Source": #"""
        {"type": "object", "required": ["source", "bundleIdentifier"],
         "properties": {"source": {"type": "string"}, "bundleIdentifier": {"type": "string"}, "count": {"type": "integer"},
          "isEnabled": {"type": "boolean"}}}
        """#,
    ]

    // MARK: Samples

    private static let sampleSchemas = [
        "Sample": #"""
        {"type": "object", "required": ["uuid", "type", "startDate", "endDate", "source", "bundleIdentifier", "sequence"],
         "properties": {"uuid": {"type": "string", "format": "uuid"}, "type": {"type": "string"},
          "startDate": {"$ref": "#/components/schemas/Instant"}, "endDate": {"$ref": "#/components/schemas/Instant"},
          "quantity": {"$ref": "#/components/schemas/Number"}, "unit": {"$ref": "#/components/schemas/Unit"},
          "value": {"type": "number"}, "valueName": {"type": "string"},
          "source": {"type": "string"}, "bundleIdentifier": {"type": "string"}, "sourceVersion": {"type": "string"},
          "productType": {"type": "string"}, "operatingSystemVersion": {"type": "string"},
          "device": {"type": "string"}, "deviceDetails": {"$ref": "#/components/schemas/Device"},
          "metadata": {"$ref": "#/components/schemas/Metadata"}, "sequence": {"type": "integer"}, "count": {"type": "integer"},
          "objects": {"type": "array", "items": {"$ref": "#/components/schemas/Member"}},
          "duration": {"$ref": "#/components/schemas/Number"}, "workoutActivityType": {"type": "integer"}, "workoutActivityTypeName": {"type": "string"},
          "totalEnergyBurned": {"$ref": "#/components/schemas/Quantity"}, "totalDistance": {"$ref": "#/components/schemas/Quantity"},
          "totalSwimmingStrokeCount": {"$ref": "#/components/schemas/Quantity"}, "totalFlightsClimbed": {"$ref": "#/components/schemas/Quantity"},
          "workoutEvents": {"type": "array", "items": {"$ref": "#/components/schemas/WorkoutEvent"}},
          "workoutActivities": {"type": "array", "items": {"$ref": "#/components/schemas/WorkoutActivity"}},
          "statistics": {"type": "array", "items": {"$ref": "#/components/schemas/TypeStatistics"}},
          "zoneGroups": {"type": "array", "items": {"$ref": "#/components/schemas/ZoneGroup"}},
          "classification": {"type": "integer"}, "classificationName": {"type": "string"},
          "symptomsStatus": {"type": "integer"}, "symptomsStatusName": {"type": "string"},
          "averageHeartRate": {"$ref": "#/components/schemas/Quantity"}, "samplingFrequency": {"$ref": "#/components/schemas/Quantity"},
          "numberOfVoltageMeasurements": {"type": "integer"}, "voltageMeasurements": {"$ref": "#/components/schemas/Voltages"},
          "heartbeats": {"type": "array", "items": {"$ref": "#/components/schemas/Heartbeat"}},
          "locations": {"type": "array", "items": {"$ref": "#/components/schemas/Location"}},
          "fields": {"type": "object"}, "series": {"type": "object", "additionalProperties": {"type": "array"}}}}
        """#,
        "Member": #"""
        {"type": "object", "required": ["type"], "description": "A sample of a correlation.",
         "properties": {"uuid": {"type": "string", "format": "uuid"}, "type": {"type": "string"},
          "startDate": {"$ref": "#/components/schemas/Instant"}, "endDate": {"$ref": "#/components/schemas/Instant"},
          "quantity": {"$ref": "#/components/schemas/Number"}, "unit": {"$ref": "#/components/schemas/Unit"},
          "value": {"type": "integer"}, "valueName": {"type": "string"}, "metadata": {"$ref": "#/components/schemas/Metadata"}}}
        """#,
        "WorkoutEvent": #"""
        {"type": "object", "required": ["type", "startDate"],
         "properties": {"type": {"type": ["integer", "string"]}, "typeName": {"type": "string"},
          "startDate": {"$ref": "#/components/schemas/Instant"}, "endDate": {"$ref": "#/components/schemas/Instant"},
          "metadata": {"$ref": "#/components/schemas/Metadata"}}}
        """#,
        "WorkoutActivity": #"""
        {"type": "object", "required": ["startDate"],
         "properties": {"uuid": {"type": "string", "format": "uuid"}, "workoutActivityType": {"type": ["integer", "string"]},
          "workoutActivityTypeName": {"type": "string"}, "locationType": {"type": "integer"}, "swimmingLocationType": {"type": "integer"},
          "lapLength": {"$ref": "#/components/schemas/Quantity"}, "startDate": {"$ref": "#/components/schemas/Instant"},
          "endDate": {"$ref": "#/components/schemas/Instant"}, "duration": {"$ref": "#/components/schemas/Number"},
          "workoutEvents": {"type": "array", "items": {"$ref": "#/components/schemas/WorkoutEvent"}},
          "statistics": {"type": "array", "items": {"$ref": "#/components/schemas/TypeStatistics"}},
          "metadata": {"$ref": "#/components/schemas/Metadata"}}}
        """#,
        "TypeStatistics": #"""
        {"type": "object", "required": ["type", "startDate", "endDate", "unit"],
         "properties": {"type": {"type": "string"}, "startDate": {"$ref": "#/components/schemas/Instant"}, "endDate": {"$ref": "#/components/schemas/Instant"},
          "sumQuantity": {"$ref": "#/components/schemas/Number"}, "averageQuantity": {"$ref": "#/components/schemas/Number"},
          "minimumQuantity": {"$ref": "#/components/schemas/Number"}, "maximumQuantity": {"$ref": "#/components/schemas/Number"},
          "unit": {"$ref": "#/components/schemas/Unit"}}}
        """#,
        "ZoneGroup": #"""
        {"type": "object", "required": ["quantityType", "unit", "zones"],
         "properties": {"quantityType": {"type": "string"}, "unit": {"$ref": "#/components/schemas/Unit"}, "source": {"enum": ["system", "user", "app"]},
          "activity": {"type": "string", "format": "uuid"},
          "zones": {"type": "array", "items": {"type": "object", "required": ["duration"],
            "properties": {"minimum": {"type": "number"}, "maximum": {"type": "number"}, "duration": {"type": "number"}}}}}}
        """#,
        "Voltages": #"""
        {"type": "object", "required": ["timeSinceSampleStart", "appleWatchSimilarToLeadI"],
         "properties": {"unit": {"const": "V"}, "timeSinceSampleStart": {"type": "array", "items": {"type": ["number", "null"]}},
          "appleWatchSimilarToLeadI": {"type": "array", "items": {"type": ["number", "null"]}}}}
        """#,
        "Heartbeat": #"""
        {"type": "object", "required": ["timeSinceSeriesStart"],
         "properties": {"timeSinceSeriesStart": {"type": "number"}, "precededByGap": {"type": "boolean"}, "beatsPerMinute": {"type": "number"}}}
        """#,
        "Location": #"""
        {"type": "object", "required": ["timestamp", "latitude", "longitude"],
         "properties": {"timestamp": {"$ref": "#/components/schemas/Instant"}, "latitude": {"$ref": "#/components/schemas/Number"},
          "longitude": {"$ref": "#/components/schemas/Number"}, "altitude": {"$ref": "#/components/schemas/Number"},
          "horizontalAccuracy": {"$ref": "#/components/schemas/Number"}, "verticalAccuracy": {"$ref": "#/components/schemas/Number"},
          "course": {"$ref": "#/components/schemas/Number"}, "courseAccuracy": {"$ref": "#/components/schemas/Number"},
          "speed": {"$ref": "#/components/schemas/Number"}, "speedAccuracy": {"$ref": "#/components/schemas/Number"}}}
        """#,
        "NewSample": #"""
        {"description": "A sample to save. Any form of a sample can be written back; its source is that of the token.",
         "oneOf": [
          {"title": "Quantity sample", "type": "object", "required": ["type", "startDate", "quantity", "unit"],
           "properties": {"type": {"$ref": "#/components/schemas/QuantityTypeName"}, "uuid": {"type": "string", "format": "uuid"},
            "startDate": {"$ref": "#/components/schemas/Instant"}, "endDate": {"$ref": "#/components/schemas/Instant"},
            "quantity": {"$ref": "#/components/schemas/Number"}, "unit": {"$ref": "#/components/schemas/Unit"},
            "deviceDetails": {"$ref": "#/components/schemas/Device"}, "metadata": {"$ref": "#/components/schemas/NewMetadata"}}},
          {"title": "Category sample", "type": "object", "required": ["type", "startDate"],
           "properties": {"type": {"$ref": "#/components/schemas/CategoryTypeName"}, "uuid": {"type": "string", "format": "uuid"},
            "startDate": {"$ref": "#/components/schemas/Instant"}, "endDate": {"$ref": "#/components/schemas/Instant"},
            "value": {"type": ["integer", "string"], "description": "A raw value or its name."},
            "deviceDetails": {"$ref": "#/components/schemas/Device"}, "metadata": {"$ref": "#/components/schemas/NewMetadata"}}},
          {"title": "Correlation", "type": "object", "required": ["type", "startDate", "objects"],
           "properties": {"type": {"enum": ["HKCorrelationTypeIdentifierBloodPressure", "HKCorrelationTypeIdentifierFood", "bloodPressure", "food"]},
            "uuid": {"type": "string", "format": "uuid"}, "startDate": {"$ref": "#/components/schemas/Instant"},
            "endDate": {"$ref": "#/components/schemas/Instant"}, "metadata": {"$ref": "#/components/schemas/NewMetadata"},
            "objects": {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/Member"}}}},
          {"title": "Workout", "type": "object", "required": ["type", "startDate", "endDate", "workoutActivityType"],
           "properties": {"type": {"enum": ["HKWorkoutTypeIdentifier", "workout"]}, "uuid": {"type": "string", "format": "uuid"},
            "startDate": {"$ref": "#/components/schemas/Instant"}, "endDate": {"$ref": "#/components/schemas/Instant"},
            "workoutActivityType": {"type": ["integer", "string"]}, "duration": {"type": "number"},
            "totalEnergyBurned": {"$ref": "#/components/schemas/Quantity"}, "totalDistance": {"$ref": "#/components/schemas/Quantity"},
            "totalSwimmingStrokeCount": {"$ref": "#/components/schemas/Quantity"}, "totalFlightsClimbed": {"$ref": "#/components/schemas/Quantity"},
            "workoutEvents": {"type": "array", "items": {"$ref": "#/components/schemas/WorkoutEvent"}},
            "workoutActivities": {"type": "array", "items": {"$ref": "#/components/schemas/WorkoutActivity"}},
            "metadata": {"$ref": "#/components/schemas/NewMetadata"}}}]}
        """#,
        "NewSamples": #"""
        {"oneOf": [{"type": "object", "required": ["samples"], "properties": {"samples": {"type": "array", "items": {"$ref": "#/components/schemas/NewSample"}}}},
          {"type": "array", "items": {"$ref": "#/components/schemas/NewSample"}}, {"$ref": "#/components/schemas/NewSample"}]}
        """#,
        "Samples": #"""
        {"type": "object", "required": ["samples"],
         "properties": {"samples": {"type": "array", "items": {"$ref": "#/components/schemas/Sample"}}, "nextCursor": {"type": "string"}}}
        """#,
        "Saved": #"""
        {"type": "object", "required": ["saved", "ignored", "replaced", "existing", "samples"],
         "properties": {"saved": {"type": "integer"}, "ignored": {"type": "integer"}, "replaced": {"type": "integer"}, "existing": {"type": "integer"},
          "samples": {"type": "array", "items": {"type": ["string", "null"], "format": "uuid"}}}}
        """#,
        "Deleted": #"{"type": "object", "required": ["deleted"], "properties": {"deleted": {"type": "integer"}}}"#,
        "Changes": #"""
        {"type": "object", "required": ["added", "deleted", "anchor", "hasMore"],
         "properties": {"added": {"type": "array", "items": {"$ref": "#/components/schemas/Sample"}},
          "deleted": {"type": "array", "items": {"type": "object", "required": ["uuid", "type"],
            "properties": {"uuid": {"type": "string", "format": "uuid"}, "type": {"type": "string"}}}},
          "anchor": {"type": "string"}, "hasMore": {"type": "boolean"}}}
        """#,
    ]
}
