extension OpenAPIDocument {
    /// The schemas of other answers: about recordings, the person and the server.
    static let otherSchemas = [
        "Characteristics": #"""
        {"type": "object", "properties": {"dateOfBirth": {"$ref": "#/components/schemas/Day"},
          "biologicalSex": {"type": "integer"}, "biologicalSexName": {"type": "string"}, "bloodType": {"type": "integer"}, "bloodTypeName": {"type": "string"},
          "fitzpatrickSkinType": {"type": "integer"}, "fitzpatrickSkinTypeName": {"type": "string"},
          "wheelchairUse": {"type": "integer"}, "wheelchairUseName": {"type": "string"},
          "activityMoveMode": {"type": "integer"}, "activityMoveModeName": {"type": "string"}}}
        """#,
        "NewCharacteristics": #"""
        {"type": "object", "properties": {"dateOfBirth": {"anyOf": [{"$ref": "#/components/schemas/Day"}, {"type": "null"}]},
          "biologicalSex": {"enum": [1, 2, 3, "female", "male", "other", null]},
          "bloodType": {"enum": [1, 2, 3, 4, 5, 6, 7, 8, "aPositive", "aNegative", "bPositive", "bNegative", "abPositive", "abNegative", "oPositive", "oNegative", null]},
          "fitzpatrickSkinType": {"enum": [1, 2, 3, 4, 5, 6, "I", "II", "III", "IV", "V", "VI", null]},
          "wheelchairUse": {"enum": [1, 2, "no", "yes", null]}, "activityMoveMode": {"enum": [1, 2, "activeEnergy", "appleMoveTime", null]}}}
        """#,
        "GoalEntry": #"""
        {"type": "object", "properties": {"from": {"$ref": "#/components/schemas/Day"},
          "activeEnergyBurnedGoal": {"$ref": "#/components/schemas/Quantity"}, "appleMoveTimeGoal": {"$ref": "#/components/schemas/Quantity"},
          "exerciseTimeGoal": {"$ref": "#/components/schemas/Quantity"}, "standHoursGoal": {"$ref": "#/components/schemas/Quantity"}}}
        """#,
        "EnergyGoal": #"""
        {"anyOf": [{"type": "object", "required": ["quantity", "unit"], "properties": {"quantity": {"type": "number", "minimum": 0}, "unit": {"enum": ["kcal", "Cal", "cal", "kJ", "J"]}}},
          {"type": "number", "minimum": 0, "exclusiveMaximum": 1000000}, {"type": "null"}]}
        """#,
        "TimeGoal": #"""
        {"anyOf": [{"type": "object", "required": ["quantity", "unit"], "properties": {"quantity": {"type": "number", "minimum": 0}, "unit": {"enum": ["min", "s", "hr"]}}},
          {"type": "number", "minimum": 0, "exclusiveMaximum": 1000000}, {"type": "null"}]}
        """#,
        "StandGoal": #"""
        {"anyOf": [{"type": "object", "required": ["quantity", "unit"], "properties": {"quantity": {"type": "number", "minimum": 0}, "unit": {"enum": ["count"]}}},
          {"type": "number", "minimum": 0, "exclusiveMaximum": 1000000}, {"type": "null"}]}
        """#,
        "NewGoals": #"""
        {"type": "object", "properties": {"from": {"anyOf": [{"$ref": "#/components/schemas/Day"}, {"type": "null"}]},
          "activeEnergyBurnedGoal": {"$ref": "#/components/schemas/EnergyGoal"}, "appleMoveTimeGoal": {"$ref": "#/components/schemas/TimeGoal"},
          "exerciseTimeGoal": {"$ref": "#/components/schemas/TimeGoal"}, "standHoursGoal": {"$ref": "#/components/schemas/StandGoal"}}}
        """#,
        "Goals": #"""
        {"type": "object", "required": ["goals", "current"], "properties": {"goals": {"type": "array", "items": {"$ref": "#/components/schemas/GoalEntry"}},
          "current": {"$ref": "#/components/schemas/GoalEntry"}}}
        """#,
        "PreferredUnits": #"""
        {"type": "object", "required": ["preferredUnits"],
         "properties": {"preferredUnits": {"type": "object", "additionalProperties": {"type": ["string", "null"]}}}}
        """#,
        "NewPreferredUnits": #"""
        {"type": "object", "required": ["preferredUnits"], "properties": {"preferredUnits": {"type": "object",
          "propertyNames": {"$ref": "#/components/schemas/QuantityTypeName"}, "additionalProperties": {"type": ["string", "null"]}}}}
        """#,
        "Annotations": #"""
        {"type": "object", "required": ["annotations"], "properties": {"annotations": {"type": "array", "items": {"type": "object",
          "required": ["id", "date", "text", "types"], "properties": {"id": {"type": "string", "format": "uuid"}, "date": {"$ref": "#/components/schemas/Day"},
           "text": {"type": "string"}, "types": {"type": "array", "items": {"type": "string"}}}}}}}
        """#,
        "NewAnnotation": #"""
        {"type": "object", "required": ["date", "text"], "properties": {"date": {"$ref": "#/components/schemas/Day"},
          "text": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^\\S[^\\u0000]*$"},
          "types": {"type": "array", "maxItems": 100, "items": {"$ref": "#/components/schemas/SampleTypeName"}}}}
        """#,
        "PinnedTypes": #"""
        {"type": "object", "required": ["types"], "properties": {"types": {"type": "array", "items": {"type": "string"}}}}
        """#,
        "NewPinnedTypes": #"""
        {"type": "object", "required": ["types"], "properties": {"types": {"type": "array", "maxItems": 100,
          "items": {"$ref": "#/components/schemas/SampleTypeName"}}}}
        """#,
        "Sources": #"""
        {"type": "object", "required": ["sources"], "properties": {"type": {"type": "string"},
          "sources": {"type": "array", "items": {"$ref": "#/components/schemas/Source"}}}}
        """#,
        "SourceOrder": #"""
        {"anyOf": [{"type": "object", "required": ["sources"], "properties": {"sources": {"$ref": "#/components/schemas/SourceList"}}},
          {"$ref": "#/components/schemas/SourceList"}]}
        """#,
        "SourceList": #"""
        {"type": "array", "uniqueItems": true, "items": {"anyOf": [{"type": "string"},
          {"type": "object", "required": ["bundleIdentifier"], "properties": {"bundleIdentifier": {"type": "string"}, "isEnabled": {"type": "boolean"}}}]}}
        """#,
        "SQLQuery": #"""
        {"type": "object", "required": ["query"], "properties": {"query": {"type": "string", "minLength": 1, "examples": ["SELECT day, sum FROM daily WHERE type = 'stepCount'"]},
          "limit": {"type": "integer", "minimum": 1, "maximum": 10000}, "timeZone": {"$ref": "#/components/schemas/TimeZoneName"}}}
        """#,
        "SQLResult": #"""
        {"type": "object", "required": ["columns", "rows", "isTruncated"],
         "properties": {"columns": {"type": "array", "items": {"type": "string"}}, "rows": {"type": "array", "items": {"type": "array"}},
          "isTruncated": {"type": "boolean"}}}
        """#,
        "Person":
            #"{"type": "object", "required": ["person", "name"], "properties": {"person": {"type": "string"}, "name": {"type": "string"}}}"#,
        "Foods": #"""
        {"type": "object", "required": ["count", "foods"], "properties": {"count": {"type": "integer"},
          "foods": {"type": "array", "items": {"type": "object", "required": ["name", "serving", "energy", "protein", "carbohydrates", "fat"],
           "properties": {"name": {"type": "string"}, "serving": {"type": "string"}, "energy": {"type": "number", "description": "kcal"},
            "protein": {"type": "number", "description": "g"}, "carbohydrates": {"type": "number", "description": "g"},
            "fat": {"type": "number", "description": "g"}, "barcode": {"type": "string"}}}}}}
        """#,
        "PersonName": #"""
        {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "minLength": 1, "maxLength": 100}}}
        """#,
        "NewPerson": #"""
        {"type": "object", "required": ["person"], "properties": {"person": {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$"}, "name": {"type": "string"}}}
        """#,
        "Session": #"""
        {"type": "object", "required": ["kind", "name", "people", "isOwner", "isServerOwner", "isReadOnly", "hasPassword", "timeZone"],
         "properties": {"kind": {"type": "string"}, "name": {"type": "string"}, "people": {"type": "array", "items": {"$ref": "#/components/schemas/Person"}},
          "isOwner": {"type": "boolean"}, "isServerOwner": {"type": "boolean"}, "isReadOnly": {"type": "boolean"},
           "hasPassword": {"type": "boolean"}, "linkExpires": {"$ref": "#/components/schemas/Instant"},
           "mapTiles": {"type": "string"}, "mapAttribution": {"type": "string"},
           "timeZone": {"$ref": "#/components/schemas/TimeZone"}, "csrfToken": {"type": "string"}}}
        """#,
        "NewPassword": #"""
        {"type": "object", "required": ["password"], "properties": {
          "password": {"type": ["string", "null"], "minLength": 12, "maxLength": 1000, "description": "null removes it."},
          "current": {"type": "string", "description": "The present password, if there is one."}}}
        """#,
        "TokenTypes":
            ##"{"anyOf": [{"const": "all"}, {"type": "array", "items": {"$ref": "#/components/schemas/SampleTypeName"}}]}"##,
        "NewToken": #"""
        {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "minLength": 1, "maxLength": 200}, "scope": {"enum": ["application", "owner", "sync", "cohort", "link"]},
          "bundleIdentifier": {"type": "string"}, "people": {"type": "array", "items": {"type": "string"}}, "isReadOnly": {"type": "boolean"},
          "mayChoose": {"type": "boolean", "description": "Whether a cohort token may choose among its people."}, "expires": {"$ref": "#/components/schemas/Instant"}, "since": {"$ref": "#/components/schemas/Instant"},
          "read": {"$ref": "#/components/schemas/TokenTypes"}, "share": {"$ref": "#/components/schemas/TokenTypes"}}}
        """#,
        "TokenChange": #"""
        {"type": "object", "properties": {"name": {"type": "string", "minLength": 1, "maxLength": 200},
          "expires": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/Instant"}]}, "read": {"$ref": "#/components/schemas/TokenTypes"}, "share": {"$ref": "#/components/schemas/TokenTypes"},
          "since": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/Instant"}]}}}
        """#,
        "Token": #"""
        {"type": "object", "required": ["id", "name", "scope", "isReadOnly", "created", "isExpired", "permissions"],
         "properties": {"id": {"type": "string"}, "name": {"type": "string"}, "scope": {"enum": ["application", "owner", "sync", "cohort", "link"]}, "bundleIdentifier": {"type": "string"},
          "people": {"type": "array", "items": {"type": "string"}}, "isReadOnly": {"type": "boolean"},
          "mayChoose": {"type": "boolean"}, "created": {"$ref": "#/components/schemas/Instant"}, "expires": {"$ref": "#/components/schemas/Instant"},
          "lastUsed": {"$ref": "#/components/schemas/Instant"}, "isExpired": {"type": "boolean"},
          "permissions": {"type": "array", "items": {"type": "object", "required": ["person", "read", "share"],
            "properties": {"person": {"type": "string"}, "read": {"type": "array", "items": {"type": "string"}}, "share": {"type": "array", "items": {"type": "string"}},
             "since": {"$ref": "#/components/schemas/Instant"}}}},
          "token": {"type": "string", "description": "The secret; only when the token is made."}}}
        """#,
        "CohortStatistics": #"""
        {"type": "object", "required": ["type", "figure", "unit", "interval", "timeZone", "minimumPeople", "people", "unreadablePeople", "withheldIntervals", "rows"],
         "properties": {"type": {"type": "string"}, "figure": {"type": "string"}, "unit": {"type": "string"}, "interval": {"type": "string"},
          "timeZone": {"type": "string"}, "minimumPeople": {"type": "integer"}, "people": {"type": "integer"}, "unreadablePeople": {"type": "integer"},
          "withheldIntervals": {"type": "integer"}, "rows": {"type": "array", "items": {"type": "object",
            "required": ["start", "end", "people", "sum", "mean", "standardDeviation", "quantiles"],
            "properties": {"start": {"type": "string", "format": "date"}, "end": {"type": "string", "format": "date"}, "people": {"type": "integer"},
             "sum": {"type": "number"}, "mean": {"type": "number"}, "standardDeviation": {"type": "number"},
             "quantiles": {"type": "object", "additionalProperties": {"type": "number"}}}}}}}
        """#,
        "Import": #"""
        {"type": "object", "required": ["id", "state", "offset"], "properties": {"id": {"type": "string"}, "name": {"type": "string"},
          "state": {"enum": ["uploading", "waiting", "importing", "finishing", "done", "failed"]},
          "offset": {"type": "integer"}, "length": {"type": "integer"}, "bytesRead": {"type": "integer"}, "bytesTotal": {"type": "integer"},
          "records": {"type": "integer"}, "report": {"$ref": "#/components/schemas/ImportReport"}, "error": {"type": "string"},
          "problem": {"enum": ["incomplete", "damaged", "anotherPerson", "unrecognized", "partOfArchive", "unreadable"]},
          "remedy": {"enum": ["recover", "anyPerson"], "description": "What the person can decide, by POST …/retry."}}}
        """#,
        "ImportReport": #"""
        {"type": "object", "required": ["added", "alreadyThere", "skipped", "seconds", "known", "types", "skips", "irregularities"],
         "properties": {"added": {"type": "integer"}, "alreadyThere": {"type": "integer"}, "removed": {"type": "integer"},
          "skipped": {"type": "integer"}, "seconds": {"type": "number"}, "known": {"type": "boolean"}, "types": {"type": "object"},
          "skips": {"type": "array"}, "irregularities": {"type": "object"}}}
        """#,
        "Imports": #"""
        {"type": "object", "required": ["imports", "history"],
         "properties": {"imports": {"type": "array", "items": {"$ref": "#/components/schemas/Import"}},
          "history": {"type": "array", "items": {"type": "object", "required": ["date", "file"],
           "properties": {"date": {"type": "string"}, "file": {"type": "string"},
            "report": {"$ref": "#/components/schemas/ImportReport"}, "error": {"type": "string"}}}}}}
        """#,
        "IngestReport": #"""
        {"type": "object", "required": ["date", "format", "total", "types", "notUnderstood"],
         "properties": {"date": {"type": "string"}, "format": {"type": "string"}, "application": {"type": "string"}, "total": {"type": "object"},
          "notUnderstoodCount": {"type": "integer"}, "types": {"type": "object"}, "notUnderstood": {"type": "array"}, "remarks": {"type": "array"}}}
        """#,
        "SyncBatch": #"""
        {"type": "object", "required": ["device", "sequence", "acknowledged", "samples", "deletedObjects"],
         "properties": {"device": {"type": "object", "required": ["identifier", "name"], "properties": {"identifier": {"type": "string", "format": "uuid"}, "name": {"type": "string"}}},
          "sequence": {"type": "integer", "minimum": 1}, "acknowledged": {"type": "integer", "minimum": 0},
          "samples": {"type": "array", "items": {"type": "object"}}, "deletedObjects": {"type": "array", "items": {"type": "string", "format": "uuid"}}}}
        """#,
        "SyncAcknowledgement": #"""
        {"type": "object", "required": ["sequence", "added", "updated", "unchanged", "deleted"],
         "properties": {"sequence": {"type": "integer"}, "added": {"type": "integer"}, "updated": {"type": "integer"}, "unchanged": {"type": "integer"},
          "deleted": {"type": "integer"}, "rejected": {"type": "array"}}}
        """#,
        "FHIRResource":
            #"{"type": "object", "required": ["resourceType"], "properties": {"resourceType": {"type": "string"}}}"#,
        "Series": #"""
        {"type": "object", "required": ["uuid", "type"], "properties": {"uuid": {"type": "string", "format": "uuid"}, "type": {"type": "string"},
          "unit": {"$ref": "#/components/schemas/Unit"}, "quantities": {"type": "array", "items": {"type": "object", "required": ["startDate", "endDate", "quantity"],
            "properties": {"startDate": {"$ref": "#/components/schemas/Instant"}, "endDate": {"$ref": "#/components/schemas/Instant"}, "quantity": {"$ref": "#/components/schemas/Number"}}}},
          "heartbeats": {"type": "array", "items": {"$ref": "#/components/schemas/Heartbeat"}}, "locations": {"type": "array", "items": {"$ref": "#/components/schemas/Location"}}}}
        """#,
    ]
}
