#!/usr/bin/env python3
"""Generates what the server says of itself: the operations of /openapi.json, the problems with which it answers, the tools and
prompts of assistants, the files that it sends, and the questions of HealthAnswers.

usage: Scripts/generate-api-reference.py [FOLDER]

Writes each file in place or, given a folder, into that folder:

  GENERATED-APIReference.swift  the operations of /openapi.json but questions, and the texts of all
  GENERATED-Assistant.swift     the tools of assistants that aren't questions, and the prompts
  GENERATED-HTTPFields.swift    the names of header fields that HTTPTypes doesn't have
  GENERATED-Problems.swift      the codes of problems, with their statuses and titles, and the problems of storage errors
  GENERATED-ServerTables.swift  the characteristics that are enumerations, the parameters of FHIR searches, the formats of exports, the media
                                types of the page's files, and the names of browsers
  GENERATED-Questions.swift     the paths, tools, texts and parameters of the questions of HealthAnswers

Reads from Scripts/tables:

api-reference.md    A heading for each tag; below it, a heading of the second level for each operation, such as “GET …/samples”, where “…” is
                    /v1/people/{person}. A list comes first: the operation's summary, parameters, body, answer, status (200 by default),
                    and whether it is public. A body or an answer is the name of a schema for JSON, or a media type with or without the
                    name of a schema or a schema. Text in Markdown follows. A heading of several operations has text for all of them.
                    The questions of HealthAnswers have only text here.
api-parameters.tsv  The parameters that those lists name, and those of paths.
questions.tsv       The questions of HealthAnswers: the path below /v1/people/{person}, the tool of assistants, and the parameters. The answer
                    of a timeless one stays the same until the store changes, or the day.
question-parameters.tsv
                    Their parameters. A kind is a case of QuestionDescription.Parameter.Kind, with the bounds of an integer, the names of a
                    choice, or the kinds of a type. The default is what a missing parameter means.
api-document.json   The rest of the document: its title, the security schemes, and the schemas of requests and answers.
assistant-tools.tsv  The tools of assistants that aren't questions, with their constants.
assistant-arguments.tsv  Their arguments. One without a kind is a parameter of questions. “given” is what a tool
                    sends if the argument is missing.
assistant-prompts.tsv  The prompts of assistants.
http-fields.tsv     The names of header fields, and the constants for them.
problem-codes.tsv   The codes of problems. One that is “of the status alone” is that of an error of which only the status is known.
storage-problems.tsv  The problem of each kind of StorageError.
characteristic-objects.tsv  The enumerations of characteristics, whose cases are in healthkit-symbols.tsv.
fhir-search-parameters.tsv  The parameters of searches for resources.
export-formats.tsv  The formats of exports, and the files as which they are sent.
page-media-types.tsv  The media types of the page's files.
user-agents.tsv     The parts of the field User-Agent by which browsers and systems are recognized, of which the first that is found counts.
fhir-issues.tsv     The codes of FHIR's value set issue-type by status; others are “exception”.
"""
import csv
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLES = os.path.join(ROOT, "Scripts", "tables")
SERVER = os.path.join(ROOT, "Sources", "HealthServer")
FIELDS = {"summary", "parameters", "body", "answer", "status", "public"}


def table(name):
    return open(os.path.join(TABLES, name), encoding="utf-8", newline="")


def rows(name):
    return csv.DictReader(table(name), delimiter="\t", quoting=csv.QUOTE_NONE)


def write(name, lines, folder=SERVER):
    folder = sys.argv[1] if len(sys.argv) > 1 else folder
    with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
        out.write("\n".join(lines))


def compact(schema):
    """JSON without spaces, on one line."""
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))


def literal(text):
    """A raw string."""
    marks = "##" if '"#' in text else "#"
    assert f'"{marks}' not in text and f"\\{marks}" not in text, text
    return f'{marks}"{text}"{marks}'


def dictionary(name, texts):
    """A dictionary of raw strings of several lines."""
    yield f"    static let {name}: [String: String] = ["
    for key, text in texts.items():
        text = text.strip("\n")
        if not text:
            continue
        assert '"""#' not in text and "\\#" not in text, key
        yield f'        "{key}": #"""'
        yield from (("            " + line) if line else "" for line in text.split("\n"))
        yield '            """#,'
    yield "    ]"


def pairs(name, about, values, kind="[String: String]"):
    """Raw strings by name, on a line each."""
    yield f"    /// {about}"
    yield f"    static let {name}: {kind} = ["
    yield from (f'        "{key}": {literal(value)},' for key, value in values.items())
    yield "    ]"


tags, texts, operations, names, found, fields = {}, {}, [], [], None, None
for line in table("api-reference.md"):
    field = re.fullmatch(r"- (\w+): (.+)\n", line)
    if line.startswith("## "):
        names, found = [name.replace("…", "/v1/people/{person}") for name in line[3:].strip().split(", ")], texts
        fields = {"tag": tag}
    elif line.startswith("# "):
        tag = line[2:].strip()
        names, found, fields = [tag], tags, None
        tags[tag] = ""
    elif fields is not None and field and field[1] in FIELDS:
        if len(fields) == 1:
            assert len(names) == 1, f"{names}: one operation has a list, not several"
            operations.append((names[0], fields))
        fields.setdefault(field[1], []).append(field[2])
    else:
        # A list in the text itself isn't one of fields.
        fields = None if line.strip() else fields
        for name in names:
            found[name] = found.get(name, "") + line

parameters = {row["parameter"]: row for row in rows("api-parameters.tsv")}
document = json.load(table("api-document.json"))
components = document.pop("components")
schemas = components.pop("schemas")


def parameter(row):
    schema = row["schema"]
    schema = literal(compact(json.loads(schema))) if schema.startswith("{") else f'"{schema}"'
    options = [
        ", isRequired: true" if row["required"] == "yes" else "",
        f', place: "{row["in"]}"' if row["in"] != "query" else "",
        f", example: {literal(row['example'])}" if row["example"] else "",
        ", isList: true" if row["list"] == "yes" else "",
    ]
    return f'.init(name: "{row["name"]}", schema: {schema}, about: {literal(row["description"])}{"".join(options)})'


def path_parameter(row):
    """A parameter of the path as JSON."""
    found = {"name": row["name"], "in": "path", "required": True, "description": row["description"],
             "schema": json.loads(row["schema"]), "example": row["example"] and json.loads(row["example"])}
    return compact({name: value for name, value in found.items() if value != ""})


def content(items):
    """The contents of a body or an answer: media types with the name of a schema, or a schema."""
    for item in items:
        media, _, schema = item.partition(" ") if "/" in item.split(" ")[0] else ("application/json", " ", item)
        schema = schema or '{"type": "string"}'
        yield f'("{media}", {literal(compact(json.loads(schema)))})' if schema.startswith("{") else f'("{media}", "{schema}")'


def operation(name, fields):
    method, path = name.split(" ")
    for parameter_name in re.findall(r"{\w+}", path):
        if parameter_name not in parameters:
            sys.exit(f"api-parameters.tsv has no row for {parameter_name} of {name}.")
    yield f'        .init('
    yield f'            method: .{method.lower()}, path: "{path}", tag: "{fields["tag"]}", summary: {literal(fields["summary"][0])},'
    if "parameters" in fields:
        yield "            parameters: ["
        yield from (f"                {parameter(parameters[key])}," for key in fields["parameters"][0].split(", "))
        yield "            ],"
    yield f'            body: [{", ".join(content(fields.get("body", [])))}], content: [{", ".join(content(fields.get("answer", [])))}],'
    yield f'            statuses: [{fields.get("status", ["200"])[0]}], isPublic: {"true" if "public" in fields else "false"}),'


def kind(text):
    """A kind of parameters of questions."""
    name, *values = text.split(" ")
    if name == "integer":
        return f".integer({int(values[0]):_}...{int(values[1]):_})"
    if name == "choice":
        return ".choice([" + ", ".join(f'"{value}"' for value in values) + "])"
    return f".type([{', '.join('.' + value for value in values)}])" if name == "type" else f".{name}"


def question_parameter(row):
    options = [
        f', standard: "{row["default"]}"' if row["default"] else "",
        ", isRequired: true" if row["required"] == "yes" else "",
        ", isList: true" if row["list"] == "yes" else "",
        f", example: {literal(row['example'])}" if row["example"] else "",
    ]
    yield f"    package static let {row['parameter']} = Self("
    yield f'        name: "{row["name"]}", kind: {kind(row["kind"])}, about: {literal(row["description"])}{"".join(options)})'


question_parameters = list(rows("question-parameters.tsv"))


def question(row):
    unknown = set(row["parameters"].split(", ")) - {one["parameter"] for one in question_parameters}
    if unknown:
        sys.exit(f"question-parameters.tsv has no row for {', '.join(sorted(unknown))} of {row['question']}.")
    yield ""
    yield f"extension {row['question']} {{"
    yield "    package static let about = QuestionDescription("
    yield f'        path: "{row["path"]}", tool: "{row["tool"]}", group: "{row["group"]}", title: "{row["title"]}",'
    yield f'        summary: {literal(row["summary"])},'
    yield f'        parameters: [.{row["parameters"].replace(", ", ", .")}]{", isTimeless: true" if row["timeless"] == "yes" else ""})'
    yield "}"


write("GENERATED-APIReference.swift", [
    "// Generated by Scripts/generate-api-reference.py (make generate) from Scripts/tables/api-reference.md, api-parameters.tsv and",
    "// api-document.json. Do not edit.", "", "import HTTPTypes", "",
    "/// The operations of the API other than questions, and the texts of all.", "enum APIReference {",
    "    /// The names of tags, in order.", f"    static let tags = {json.dumps(list(tags))}", "",
    "    /// Descriptions in Markdown, by tag.", *dictionary("tagDescriptions", tags), "",
    "    /// Descriptions in Markdown, by method and path.", *dictionary("descriptions", texts), "",
    "    static let operations: [OpenAPIOperation] = [",
    *(line for name, fields in operations for line in operation(name, fields)), "    ]", "",
    *pairs("pathParameters", "The parameters of paths by name, as JSON.", {
        row["name"]: path_parameter(row) for row in parameters.values() if row["in"] == "path"}), "",
    *pairs("schemas", "The schemas of requests and answers by name, as JSON.", {
        name: compact(schema) for name, schema in schemas.items()}), "",
    *pairs("components", "The other components by name, as JSON.", {
        name: compact(value) for name, value in components.items()}, "KeyValuePairs<String, String>"), "",
    *pairs("members", "The first members of the document, as JSON.", {
        name: compact(value) for name, value in document.items()}, "KeyValuePairs<String, String>"), "}", ""], os.path.join(SERVER, "OpenAPI"))

write("GENERATED-Questions.swift", [
    "// Generated by Scripts/generate-api-reference.py (make generate) from Scripts/tables/questions.tsv and question-parameters.tsv.",
    "// Do not edit.", "", "import HealthModel", "",
    "// The parameters of questions, each of which can belong to several.", "extension QuestionDescription.Parameter {",
    *(line for row in question_parameters for line in question_parameter(row)), "}",
    *(line for row in rows("questions.tsv") for line in question(row)), ""], os.path.join(ROOT, "Sources", "HealthAnswers"))


def argument(row):
    kind, _, values = row["kind"].partition(" ")
    if not kind:
        return f'.{row["argument"]}'
    kind = {"choice": f".choice({json.dumps(values.split())})", "formats": ".choice(WorkoutFileFormat.allCases.map(\\.rawValue))",
            "integer": f".integer({values})"}.get(kind, "." + kind)
    standard = f', standard: "{row["by default"]}"' if row["by default"] else ""
    required = ", isRequired: true" if row["required"] else ""
    return f'.init(name: "{row["argument"]}", kind: {kind}, about: "{row["about"]}"{standard}{required})'


def tool(row):
    own = [one for one in rows("assistant-arguments.tsv") if one["tool"] == row["tool"]]
    given = ", ".join(f'.init(name: "{one["argument"]}", value: .text("{one["given"]}"))' for one in own if one["given"])
    yield f'    static let {row["constant"]} = Self('
    yield f'        name: "{row["tool"]}", title: "{row["title"]}",'
    yield f'        about: "{row["about"]}",'
    yield "        parameters: ["
    for one in own:
        yield f"            {argument(one)},"
    yield f"        ], defaults: [{given}])"


def prompt(row):
    yield "        AssistantPrompt("
    yield f'            name: "{row["prompt"]}", title: "{row["title"]}", about: "{row["about"]}",'
    yield f'            argument: ("{row["argument"]}", "{row["meaning"]}"),'
    yield f'            text: "{row["text"]}"),'


write("GENERATED-Assistant.swift", [
    "// Generated by Scripts/generate-api-reference.py (make generate) from Scripts/tables/assistant-tools.tsv, assistant-arguments.tsv and",
    "// assistant-prompts.tsv. Do not edit.", "", "import HealthAnswers", "import HealthDevices", "import HealthModel", "",
    "extension AssistantTool.Description {", *(line for row in rows("assistant-tools.tsv") for line in tool(row)), "}", "",
    "extension AssistantPrompt {", "    static let all = [",
    *(line for row in rows("assistant-prompts.tsv") for line in prompt(row)), "    ]", "}", ""], os.path.join(SERVER, "MCP"))


def field_name(row):
    if row["about"]:
        yield f'    /// {row["about"]}'
    yield f'    static let {row["constant"]} = Self("{row["field"]}")!'


write("GENERATED-HTTPFields.swift", [
    "// Generated by Scripts/generate-api-reference.py (make generate) from Scripts/tables/http-fields.tsv. Do not edit.", "",
    "import HTTPTypes", "", "extension HTTPField.Name {", *(line for row in rows("http-fields.tsv") for line in field_name(row)), "}", ""])


def problem(row):
    after = f', headers: [.retryAfter: "{row["retry after"]}"]' if row["retry after"] else ""
    return f'        case .{row["kind of error"]}: Problem(.{row["code"]}, "{row["detail"]}"{after})'


codes = list(rows("problem-codes.tsv"))
write("GENERATED-Problems.swift", [
    "// Generated by Scripts/generate-api-reference.py (make generate) from Scripts/tables/problem-codes.tsv, storage-problems.tsv and",
    "// fhir-issues.tsv. Do not edit.", "", "import HTTPTypes", "import HealthStorage", "", "extension Problem.Code {",
    *(f'    static let {row["code"]} = Self("{row["code"]}", .{row["status"]}, "{row["title"]}")' for row in codes), "",
    "    /// The code of an error of which only the status is known, by the status.",
    "    static let byStatus: [HTTPResponse.Status: Self] = [",
    *(f'        .{row["status"]}: .{row["code"]},' for row in codes if row["of the status alone"]), "    ]", "}", "",
    "extension StorageError.Kind {", "    /// The error as clients receive it.", "    var problem: Problem {", "        switch self {",
    *map(problem, rows("storage-problems.tsv")), "        }", "    }", "}", "", "extension FHIRResponse {",
    "    /// The codes of issues by status, from the value set `issue-type`.", "    static let issues: [Int: String] = [",
    *(f'        {row["status"]}: "{row["issue type"]}",' for row in rows("fhir-issues.tsv")), "    ]", "}", ""])

cases = {}
for row in rows("healthkit-symbols.tsv"):
    enumeration, _, name = row["path"].partition(".")
    if row["kind"] == "case" and row["raw value"] not in ("", "0"):
        cases.setdefault(enumeration, {})[int(row["raw value"])] = name


def choice(row):
    name = row["enumeration"].removeprefix("HK")
    member = name[0].lower() + name[1:]
    values = ", ".join(f'({value}, "{case}")' for value, case in sorted(cases[row["enumeration"]].items()))
    yield f'        ProfileResource.Choice(name: "{member}", type: "HKCharacteristicTypeIdentifier{name}", field: \\.{member}, values: [{values}]),'


def agents(name, kind):
    yield f"    static let {name} = ["
    yield from (f'        (part: "{row["part"]}", name: "{row["name"]}"),' for row in rows("user-agents.tsv") if row["kind"] == kind)
    yield "    ]"


formats = list(rows("export-formats.tsv"))
write("GENERATED-ServerTables.swift", [
    "// Generated by Scripts/generate-api-reference.py (make generate) from Scripts/tables/characteristic-objects.tsv, healthkit-symbols.tsv,",
    "// fhir-search-parameters.tsv, export-formats.tsv, page-media-types.tsv and user-agents.tsv. Do not edit.", "", "import HealthEngine", "",
    "extension ProfileResource.Choice {", "    static let all = [",
    *(line for row in rows("characteristic-objects.tsv") for line in choice(row)), "    ]", "}", "",
    "extension CapabilityStatement {", "    static let parameters = [",
    *(f'        ("{row["parameter"]}", "{row["type"]}", "{row["documentation"]}"),' for row in rows("fhir-search-parameters.tsv")),
    "    ]", "}", "", "extension ExportsResource {", "    /// A format and the file that it is sent as.",
    "    enum Format: String, CaseIterable {", f'        case {", ".join(row["format"] for row in formats)}', "",
    "        var media: String {", "            switch self {",
    *(f'            case .{row["format"]}: "{row["media type"]}"' for row in formats), "            }", "        }", "",
    "        /// The name that a browser saves the file under.", "        var fileName: String {", "            switch self {",
    *(f'            case .{row["format"]}: "{row["file name"]}"' for row in formats), "            }", "        }", "    }", "}", "",
    "extension DashboardFiles {", "    /// The media types by the extensions of files.", "    static let types: [String: String] = [",
    *(f'        "{row["extension"]}": "{row["media type"]}",' for row in rows("page-media-types.tsv")), "    ]", "}", "",
    "extension BrowserName {", *agents("browsers", "browser"), *agents("systems", "system"), "}", ""])
