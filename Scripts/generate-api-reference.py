#!/usr/bin/env python3
"""Generates what the API says of itself.

usage: Scripts/generate-api-reference.py [FOLDER]

Writes each file in place or, given a folder, into that folder:

  GENERATED-APIReference.swift  the operations of /openapi.json but questions, and the texts of all
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
"""
import csv
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLES = os.path.join(ROOT, "Scripts", "tables")
FIELDS = {"summary", "parameters", "body", "answer", "status", "public"}


def table(name):
    return open(os.path.join(TABLES, name), encoding="utf-8", newline="")


def rows(name):
    return csv.DictReader(table(name), delimiter="\t", quoting=csv.QUOTE_NONE)


def write(place, name, lines):
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "Sources", place)
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


write("HealthServer/OpenAPI", "GENERATED-APIReference.swift", [
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
        name: compact(value) for name, value in document.items()}, "KeyValuePairs<String, String>"), "}", ""])

write("HealthAnswers", "GENERATED-Questions.swift", [
    "// Generated by Scripts/generate-api-reference.py (make generate) from Scripts/tables/questions.tsv and question-parameters.tsv.",
    "// Do not edit.", "", "import HealthModel", "",
    "// The parameters of questions, each of which can belong to several.", "extension QuestionDescription.Parameter {",
    *(line for row in question_parameters for line in question_parameter(row)), "}",
    *(line for row in rows("questions.tsv") for line in question(row)), ""])
