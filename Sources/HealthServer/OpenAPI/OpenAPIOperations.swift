import HTTPTypes
import HealthAnswers
import HealthArrow
import HealthDevices
import HealthFormats

private typealias Parameter = OpenAPIOperation.Parameter

extension OpenAPIDocument {
    static let person = "/v1/people/{person}/"

    /// A member of an answer with a list of a schema.
    static func list(_ name: String, of schema: String) -> String {
        """
        {"type": "object", "required": ["\(name)"], "properties": {"\(name)": {"type": "array", "items": {"$ref": "#/components/schemas/\(schema)"}}, "nextCursor": {"type": "string"}}}
        """
    }

    static func json(_ schema: String) -> OpenAPIOperation.Content { [("application/json", schema)] }

    /// What is answered as JSON, or as a table.
    private static func jsonOrTable(_ schema: String) -> OpenAPIOperation.Content {
        json(schema) + [(ArrowMessages.mediaType, #"{"type": "string"}"#)]
    }

    // MARK: Parameters

    private static let timeZone = Parameter(
        name: "timeZone", schema: "TimeZoneName", about: "The time zone of days and of times without an offset.",
        example: #""Europe/Berlin""#)
    private static let range = [
        Parameter(
            name: "start", schema: "InstantOrDay", about: "What ends at or after this time.", example: #""2025-05-01""#),
        Parameter(
            name: "end", schema: "InstantOrDay", about: "What starts before this time.", example: #""2025-05-08""#),
        timeZone,
    ]
    private static let strictness = ["strictStartDate", "strictEndDate"].map {
        Parameter(
            name: $0, schema: #"{"type": "boolean"}"#, about: "Selects only what lies within the range on this side.")
    }
    private static let source = Parameter(
        name: "source", schema: #"{"type": "string", "minLength": 1}"#,
        about: "Bundle identifiers or names of sources.", isList: true)
    private static let device = Parameter(
        name: "device", schema: #"{"type": "string", "minLength": 1}"#, about: "Names of devices.", isList: true)
    private static let cursor = Parameter(
        name: "cursor",
        schema: #"{"type": "string", "minLength": 23, "maxLength": 23, "pattern": "^[A-Za-z0-9_-]{23}$"}"#,
        about: "The nextCursor of the page before.")
    private static let limit = Parameter(
        name: "limit", schema: #"{"type": "integer", "minimum": 1, "maximum": 10000}"#, about: "The number of samples.")
    private static let sort = Parameter(
        name: "sort", schema: #"{"enum": ["startDate", "-startDate", "endDate", "-endDate"]}"#, about: "The order.")
    private static let unit = Parameter(
        name: "unit", schema: "Unit", about: "The unit of quantities, which must be compatible with the type.",
        example: #""count""#)
    private static let listed = range + strictness + [source, device, sort, limit, cursor, unit]

    private static func type(_ schema: String, isList: Bool = false, isRequired: Bool = true) -> Parameter {
        Parameter(
            name: "type", schema: schema, about: "Names of HealthKit, short names, or those of the Health app.",
            isRequired: isRequired,
            example: isList ? #"["stepCount"]"# : #""stepCount""#, isList: isList)
    }

    // MARK: Operations

    /// Samples and changes.
    static let sampleOperations: [OpenAPIOperation] = [
        OpenAPIOperation(
            method: .get, path: person + "samples", tag: "Samples", summary: "List samples.",
            about:
                "With Accept: application/x-ndjson, all samples are streamed, one per line; with Accept: \(ArrowMessages.mediaType), all of quantity and category types as a table. Metadata is selected with metadata.KEY=VALUE.",
            parameters: [type("SampleTypeName", isList: true)] + listed + [
                Parameter(
                    name: "value", schema: #"{"type": "integer"}"#, about: "Category values, raw or by name.",
                    isList: true),
                Parameter(
                    name: "activityType", schema: #"{"type": "integer", "minimum": 0}"#,
                    about: "Workout activity types, raw, by name or by common words.", isList: true),
                Parameter(
                    name: "columns",
                    schema:
                        #"{"enum": ["\#(SampleBatches.Column.allCases.map(\.rawValue).joined(separator: #"", ""#))"]}"#,
                    about: "The columns of a table, which has neither sort nor cursor.", isList: true),
            ], content: jsonOrTable("Samples") + [("application/x-ndjson", "Sample")]),
        OpenAPIOperation(
            method: .post, path: person + "samples", tag: "Samples", summary: "Save samples, all or none.",
            about: "Saving a batch again is safe if its samples have UUIDs or sync identifiers.",
            parameters: [timeZone],
            body: json("NewSamples") + [("application/x-ndjson", #"{"type": "string"}"#)], content: json("Saved")),
        OpenAPIOperation(
            method: .delete, path: person + "samples", tag: "Samples",
            summary: "Delete samples by identity, or by type and range.",
            parameters: [
                Parameter(
                    name: "uuid", schema: #"{"type": "string", "format": "uuid"}"#, about: "The samples.", isList: true),
                type("SampleTypeName", isList: true, isRequired: false),
            ] + range + strictness + [source, device], content: json("Deleted")),
        OpenAPIOperation(
            method: .get, path: person + "samples/{uuid}", tag: "Samples", summary: "One sample, with its series.",
            parameters: [timeZone, unit], content: json("Sample")),
        OpenAPIOperation(
            method: .delete, path: person + "samples/{uuid}", tag: "Samples", summary: "Delete a sample.",
            content: json("Deleted")),
        OpenAPIOperation(
            method: .get, path: person + "changes", tag: "Changes",
            summary: "What was added and deleted since an anchor.",
            parameters: [
                Parameter(name: "types", schema: "SampleTypeName", about: "The types; all by default.", isList: true),
                Parameter(
                    name: "anchor", schema: #"{"type": "string", "pattern": "^(now|[0-9a-f]{12}-[0-9]{1,18})$"}"#,
                    about: "The anchor of the answer before, or now; without it, from the beginning."),
                Parameter(
                    name: "limit", schema: #"{"type": "integer", "minimum": 1, "maximum": 10000}"#,
                    about: "The number of changes."),
                Parameter(
                    name: "wait", schema: #"{"type": "integer", "minimum": 0, "maximum": 60}"#,
                    about: "The seconds to wait for a change.", example: "0"), timeZone,
            ], content: json("Changes")),
        OpenAPIOperation(
            method: .get, path: person + "events", tag: "Changes", summary: "Changes as server-sent events.",
            parameters: [
                Parameter(name: "types", schema: "SampleTypeName", about: "The types; all by default.", isList: true),
                Parameter(
                    name: "Last-Event-ID", schema: #"{"type": "string", "pattern": "^[0-9a-f]{12}-[0-9]{1,18}$"}"#,
                    about: "The last event received.", place: "header"),
            ], content: [("text/event-stream", #"{"type": "string"}"#)]),
    ]

    /// The questions of HealthAnswers.
    static let answerOperations = Questions.all.map { operation($0) }

    private static func operation<Asked: Question>(_ question: Asked.Type) -> OpenAPIOperation {
        let about = Asked.about
        return OpenAPIOperation(
            method: .get, path: person + about.path, tag: about.group, summary: about.title + ".", about: about.summary,
            parameters: about.parameters.filter { !about.path.contains("{\($0.name)}") }.map { parameter in
                Parameter(
                    name: parameter.name, schema: schema(of: parameter), about: parameter.text,
                    isRequired: parameter.isRequired, example: parameter.example, isList: parameter.isList)
            }, content: jsonOrTable(Asked.Answer.schemaName))
    }

    private static func schema(of parameter: QuestionDescription.Parameter) -> String {
        switch parameter.kind {
        case .instant: "InstantOrDay"
        case .unit: "Unit"
        case .timeZone: "TimeZoneName"
        case .type(let kinds): typeNames.first { $0.1 == kinds }?.0 ?? "SampleTypeName"
        default: parameter.schema
        }
    }

    /// Series and electrocardiograms.
    static let recordingOperations: [OpenAPIOperation] = [
        OpenAPIOperation(
            method: .get, path: person + "series/{uuid}", tag: "Recordings",
            summary: "The quantities, beats or locations of a series.", parameters: [timeZone], content: json("Series")),
        OpenAPIOperation(
            method: .get, path: person + "electrocardiograms", tag: "Recordings",
            summary: "List electrocardiograms, the newest first.", parameters: listed.filter { $0.name != "unit" },
            content: json(list("electrocardiograms", of: "Sample")) + [("application/x-ndjson", "Sample")]),
        OpenAPIOperation(
            method: .get, path: person + "electrocardiograms/{uuid}", tag: "Recordings",
            summary: "One electrocardiogram with its voltages.", parameters: [timeZone], content: json("Sample")),
    ]

    /// Workouts as files.
    static let workoutFileOperations = WorkoutFileFormat.allCases.map { format in
        OpenAPIOperation(
            method: .get, path: person + "workouts/{uuid}/\(format.rawValue)", tag: "Workouts",
            summary: "One workout as \(format.rawValue.uppercased()).",
            about:
                "With its route, heart rate, cadence and power. Without a route, there is no GPX. The time zone is that of the name.",
            parameters: [timeZone],
            content: [
                (format.media, format == .fit ? #"{"type": "string", "format": "binary"}"# : #"{"type": "string"}"#)
            ])
    }

    /// The person's profile, types, sources and SQL.
    static let personOperations: [OpenAPIOperation] = [
        OpenAPIOperation(
            method: .get, path: person + "characteristics", tag: "Person", summary: "Characteristics.",
            content: json("Characteristics")),
        OpenAPIOperation(
            method: .patch, path: person + "characteristics", tag: "Person", summary: "Change characteristics.",
            body: json("NewCharacteristics"), content: json("Characteristics")),
        OpenAPIOperation(
            method: .get, path: person + "goals", tag: "Person", summary: "Ring goals.", content: json("Goals")),
        OpenAPIOperation(
            method: .put, path: person + "goals", tag: "Person", summary: "Set goals from a day on.",
            body: json("NewGoals"), content: json("Goals")),
        OpenAPIOperation(
            method: .get, path: person + "preferred-units", tag: "Person", summary: "Preferred units by type.",
            parameters: [
                Parameter(
                    name: "types", schema: "QuantityTypeName", about: "The types; those with data by default.",
                    isList: true)
            ],
            content: json("PreferredUnits")),
        OpenAPIOperation(
            method: .put, path: person + "preferred-units", tag: "Person", summary: "Set preferred units.",
            body: json("NewPreferredUnits"), content: json("PreferredUnits")),
        OpenAPIOperation(
            method: .get, path: person + "foods", tag: "Person", summary: "Foods of the person’s own table.",
            parameters: [
                Parameter(name: "search", schema: #"{"type": "string"}"#, about: "Words of the name."),
                Parameter(name: "barcode", schema: #"{"type": "string"}"#, about: "The digits of the barcode."),
                timeZone,
            ],
            content: json("Foods")),
        OpenAPIOperation(
            method: .put, path: person + "foods", tag: "Person", summary: "Replace the table of foods by a CSV file.",
            parameters: [timeZone], body: [("text/csv", #"{"type": "string"}"#)], content: json("Foods")),
        OpenAPIOperation(
            method: .delete, path: person + "foods", tag: "Person", summary: "Remove the table of foods.",
            parameters: [timeZone], statuses: [204]),
        OpenAPIOperation(
            method: .get, path: person + "annotations", tag: "Person", summary: "Notes about days, which charts show.",
            content: json("Annotations")),
        OpenAPIOperation(
            method: .post, path: person + "annotations", tag: "Person", summary: "Add a note about a day.",
            body: json("NewAnnotation"), content: json("Annotations"), statuses: [201]),
        OpenAPIOperation(
            method: .delete, path: person + "annotations/{uuid}", tag: "Person", summary: "Delete a note.",
            statuses: [204]),
        OpenAPIOperation(
            method: .get, path: person + "pinned-types", tag: "Person", summary: "The types that come first.",
            content: json("PinnedTypes")),
        OpenAPIOperation(
            method: .put, path: person + "pinned-types", tag: "Person", summary: "Set the types that come first.",
            body: json("NewPinnedTypes"), content: json("PinnedTypes")),
        OpenAPIOperation(
            method: .get, path: person + "sources", tag: "Person", summary: "The sources with counts.",
            parameters: [type("SampleTypeName", isList: true, isRequired: false)], content: json("Sources")),
        OpenAPIOperation(
            method: .get, path: person + "sources/order", tag: "Person", summary: "The order of the sources of a type.",
            parameters: [type("SampleTypeName")], content: json("Sources")),
        OpenAPIOperation(
            method: .put, path: person + "sources/order", tag: "Person",
            summary: "Set the order of the sources of a type.",
            parameters: [type("SampleTypeName")], body: json("SourceOrder"), content: json("Sources")),
        OpenAPIOperation(
            method: .post, path: person + "sql", tag: "SQL", summary: "Run a read-only SQL statement.",
            about: "A table has every row, unless there is a limit.",
            parameters: [timeZone], body: json("SQLQuery"), content: jsonOrTable("SQLResult")),
    ]

    private static let recover = Parameter(
        name: "recover", schema: #"{"type": "boolean"}"#,
        about: "Whether what can be read of a damaged file is imported.")

    /// Imports, exports, ingest and sync.
    static let transferOperations: [OpenAPIOperation] = [
        OpenAPIOperation(
            method: .get, path: person + "imports", tag: "Imports",
            summary: "Imports of this server, and the last imports into the store.",
            content: json("Imports")),
        OpenAPIOperation(
            method: .post, path: person + "imports", tag: "Imports",
            summary: "Upload an Apple Health archive or a file of a device, or begin an upload in parts.",
            about:
                "The body is recognized by its content. With Upload-Length and without a body, an upload begins that PATCH continues.",
            parameters: [
                Parameter(
                    name: "mirror", schema: #"{"type": "boolean"}"#,
                    about: "Whether what the archive no longer has is deleted."),
                Parameter(
                    name: "anyPerson", schema: #"{"type": "boolean"}"#,
                    about: "Whether an archive of another person is accepted."),
                Parameter(
                    name: "keepCopies", schema: #"{"type": "boolean"}"#,
                    about: "Whether every copy of a workout is imported, not only the one with the most detail."),
                recover,
                Parameter(
                    name: "name", schema: #"{"type": "string", "minLength": 1, "maxLength": 200}"#,
                    about: "The file’s own name, for messages and the history.", example: #""export.zip""#),
                timeZone,
                Parameter(
                    name: "Upload-Length", schema: #"{"type": "integer", "minimum": 1}"#,
                    about: "The size of an upload in parts.", place: "header"),
            ], body: [("application/zip", #"{"type": "string", "contentMediaType": "application/zip"}"#)],
            content: json("Import"), statuses: [201, 202]),
        OpenAPIOperation(
            method: .post, path: person + "imports/demo", tag: "Imports", summary: "Import the demo person.",
            content: json("Import"), statuses: [200, 201, 202]),
        OpenAPIOperation(
            method: .post, path: person + "imports/{id}/retry", tag: "Imports",
            summary: "Repeat an import that failed with a remedy.",
            parameters: [
                recover,
                Parameter(
                    name: "anyPerson", schema: #"{"type": "boolean"}"#,
                    about: "Whether an archive of another person is accepted."), timeZone,
            ], content: json("Import"), statuses: [202]),
        OpenAPIOperation(
            method: .get, path: person + "imports/{id}", tag: "Imports", summary: "The state of an import.",
            content: json("Import")),
        OpenAPIOperation(
            method: .patch, path: person + "imports/{id}", tag: "Imports", summary: "Continue an upload.",
            parameters: [
                Parameter(
                    name: "Upload-Offset", schema: #"{"type": "integer", "minimum": 0}"#,
                    about: "The bytes received so far.", isRequired: true, place: "header")
            ],
            body: [("application/offset+octet-stream", #"{"type": "string"}"#)], statuses: [204]),
        OpenAPIOperation(
            method: .delete, path: person + "imports/{id}", tag: "Imports", summary: "Remove an import.",
            statuses: [204]),
        OpenAPIOperation(
            method: .get, path: person + "imports/{id}/events", tag: "Imports",
            summary: "The progress as server-sent events.", content: [("text/event-stream", #"{"type": "string"}"#)]),
        OpenAPIOperation(
            method: .get, path: person + "exports", tag: "Exports", summary: "Everything as a file.",
            parameters: [
                Parameter(
                    name: "format", schema: #"{"enum": ["zip", "ndjson", "csv", "fhir", "sqlite", "omh"]}"#,
                    about: "The format; zip by default."),
                Parameter(name: "types", schema: "SampleTypeName", about: "The types; all by default.", isList: true),
            ] + range,
            content: ["application/zip", "application/x-ndjson", "application/vnd.sqlite3"].map {
                ($0, #"{"type": "string"}"#)
            } + [("application/json", #"{"type": "array", "items": {"type": "object"}}"#)]),
        OpenAPIOperation(
            method: .post, path: person + "ingest/health-auto-export", tag: "Ingest",
            summary: "What Health Auto Export posts.",
            parameters: [
                Parameter(
                    name: "mixed", schema: #"{"enum": ["keep", "replace"]}"#,
                    about: "What happens to entries of the other kind."), timeZone,
            ],
            body: json(#"{"type": "object"}"#), content: json("IngestReport")),
        OpenAPIOperation(
            method: .post, path: person + "ingest/shortcuts", tag: "Ingest",
            summary: "A simple sample, as from iOS Shortcuts.", parameters: [timeZone],
            body: json(#"{"type": "object"}"#), content: json("IngestReport")),
        OpenAPIOperation(
            method: .get, path: person + "ingest/report", tag: "Ingest", summary: "What was not understood.",
            content: json(list("reports", of: "IngestReport"))),
        OpenAPIOperation(
            method: .post, path: person + "sync/batches", tag: "Sync", summary: "A batch of HealthSync.",
            body: json("SyncBatch"), content: json("SyncAcknowledgement")),
        OpenAPIOperation(
            method: .get, path: person + "sync/devices", tag: "Sync", summary: "The devices that sync.",
            content: json(
                #"{"type": "object", "required": ["devices"], "properties": {"devices": {"type": "array", "items": {"type": "object"}}}}"#
            )),
        OpenAPIOperation(
            method: .delete, path: person + "sync/devices/{device}", tag: "Sync", summary: "Forget a device.",
            statuses: [204]),
    ]

    /// People, tokens, sessions, FHIR, and the server itself.
    static let serverOperations: [OpenAPIOperation] =
        [
            OpenAPIOperation(
                method: .get, path: "/v1/people", tag: "Server", summary: "The people of the server.",
                content: json(list("people", of: "Person"))),
            OpenAPIOperation(
                method: .post, path: "/v1/people", tag: "Server", summary: "Add a person.", body: json("NewPerson"),
                content: json("Person"), statuses: [201]),
            OpenAPIOperation(
                method: .patch, path: "/v1/people/{person}", tag: "Server", summary: "Rename a person.",
                body: json("PersonName"), content: json("Person")),
            OpenAPIOperation(
                method: .get, path: "/v1/tokens", tag: "Access", summary: "Tokens.",
                content: json(list("tokens", of: "Token"))),
            OpenAPIOperation(
                method: .post, path: "/v1/tokens", tag: "Access", summary: "Make a token.", body: json("NewToken"),
                content: json("Token"), statuses: [201]),
            OpenAPIOperation(
                method: .patch, path: "/v1/tokens/{id}", tag: "Access",
                summary: "Change a token’s name and end, and what it may read and write.", body: json("TokenChange"),
                content: json("Token")),
            OpenAPIOperation(
                method: .delete, path: "/v1/tokens/{id}", tag: "Access", summary: "Revoke a token.", statuses: [204]),
            OpenAPIOperation(
                method: .get, path: "/v1/cohort/statistics", tag: "Cohort",
                summary: "Figures over many people, for tokens of the scope cohort.",
                about:
                    "Each person's own figure is computed first, with sources merged. Also as text/csv and application/x-ndjson.",
                parameters: [
                    type("QuantityTypeName"),
                    Parameter(
                        name: "start", schema: "InstantOrDay",
                        about: "The first interval begins at or before this time.", isRequired: true,
                        example: #""2025-05-01""#),
                    Parameter(
                        name: "end", schema: "InstantOrDay",
                        about: "The last interval ends at or after this time; now by default.",
                        example: #""2025-05-08""#), timeZone,
                    Parameter(
                        name: "interval", schema: #"{"enum": ["day", "week", "month"]}"#,
                        about: "The length of the intervals; weeks by default."),
                    Parameter(
                        name: "figure", schema: #"{"enum": ["sum", "average", "minimum", "maximum", "duration"]}"#,
                        about:
                            "The figure of each person; by default the sum of a cumulative type and the average of another."
                    ),
                    Parameter(
                        name: "quantiles", schema: #"{"type": "number", "minimum": 0.05, "maximum": 0.95}"#,
                        about: "Quantiles of the people's figures, at most 9.", isList: true),
                    Parameter(
                        name: "minimumPeople", schema: #"{"type": "integer", "minimum": 2}"#,
                        about: "Intervals with fewer people are withheld; at least the server's own minimum."),
                    Parameter(
                        name: "people", schema: #"{"type": "string", "minLength": 1}"#,
                        about: "Some of the people of the token, if it may choose.", isList: true), unit,
                ],
                content: json("CohortStatistics") + [
                    ("text/csv", #"{"type": "string"}"#), ("application/x-ndjson", #"{"type": "string"}"#),
                ]),
            OpenAPIOperation(
                method: .get, path: "/v1/session", tag: "Access", summary: "Who is signed in.", content: json("Session")
            ),
            OpenAPIOperation(
                method: .post, path: "/v1/session", tag: "Access", summary: "Sign in.",
                body: json(
                    #"""
                    {"type": "object", "properties": {"code": {"type": "string"}, "token": {"type": "string"}, "link": {"type": "string"},
                     "password": {"type": "string"}, "person": {"type": "string"}},
                     "anyOf": [{"required": ["code"]}, {"required": ["token"]}, {"required": ["link"]}, {"required": ["password"]}]}
                    """#),
                content: json("Session"), isPublic: true),
            OpenAPIOperation(
                method: .put, path: "/v1/password", tag: "Access",
                summary: "Set, change or remove the password with which the sender signs in.",
                body: json("NewPassword"),
                statuses: [204]),
            OpenAPIOperation(
                method: .delete, path: "/v1/session", tag: "Access", summary: "Sign out.", statuses: [204]),
            OpenAPIOperation(
                method: .get, path: "/health", tag: "Server", summary: "Whether the stores can be reached.",
                content: json(
                    #"{"type": "object", "required": ["status"], "properties": {"status": {"type": "string"}}}"#),
                isPublic: true),
            OpenAPIOperation(
                method: .get, path: "/health/live", tag: "Server", summary: "Whether the server answers.",
                content: json(
                    #"{"type": "object", "required": ["status"], "properties": {"status": {"type": "string"}}}"#),
                isPublic: true),
            OpenAPIOperation(
                method: .get, path: "/metrics", tag: "Server", summary: "Figures for Prometheus.",
                content: [("text/plain", #"{"type": "string"}"#)], isPublic: true),
            OpenAPIOperation(
                method: .get, path: "/openapi.json", tag: "Server", summary: "This document.",
                content: json(#"{"type": "object"}"#), isPublic: true),
            OpenAPIOperation(
                method: .get, path: "/fhir/R4/metadata", tag: "FHIR", summary: "The capability statement.",
                content: fhir, isPublic: true),
        ]
        + (["metadata"] + (["Observation", "Patient"] + ClinicalResource.types).flatMap { [$0, $0 + "/{id}"] }).map {
            path in
            let isSearch = path != "metadata" && path != "Patient" && !path.contains("/")
            return OpenAPIOperation(
                method: .get, path: "/fhir/R4/people/{person}/" + path, tag: "FHIR", summary: "FHIR R4: \(path).",
                parameters: isSearch ? fhirParameters : [], content: fhir)
        }

    private static let fhirParameters = [
        Parameter(
            name: "code", schema: #"{"type": "string"}"#, about: "LOINC codes or types.", isList: true),
        Parameter(
            name: "date", schema: #"{"type": "string", "format": "date"}"#, about: "A date with a prefix such as ge.",
            isList: true),
        Parameter(
            name: "_sort", schema: #"{"enum": ["date", "-date"]}"#, about: "The order; by ascending date by default."),
        Parameter(
            name: "_count", schema: #"{"type": "integer", "minimum": 0, "maximum": 1000}"#,
            about: "The number of resources on a page."),
        Parameter(
            name: "category", schema: #"{"type": "string"}"#, about: "Categories such as vital-signs.", isList: true),
        Parameter(name: "_id", schema: #"{"type": "string"}"#, about: "Identifiers of resources.", isList: true),
        Parameter(
            name: "patient", schema: #"{"type": "string"}"#, about: "The person’s resource; others have nothing."),
        Parameter(name: "subject", schema: #"{"type": "string"}"#, about: "The same as patient."),
        Parameter(
            name: "_summary", schema: choice(of: FHIRSearch.summaries),
            about: "With count, only the number of matches; the others change nothing."),
        Parameter(
            name: "_total", schema: choice(of: FHIRSearch.totals),
            about: "With none, without the number of matches."),
    ]

    private static func choice(of values: [String]) -> String {
        #"{"enum": ["\#(values.joined(separator: #"", ""#))"]}"#
    }

    private static let fhir: OpenAPIOperation.Content = [("application/fhir+json", "FHIRResource")]
}
