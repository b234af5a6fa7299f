"""The reference of the HTTP API, from the document that the server itself answers."""

import html
import json
import re
import subprocess
import tempfile
import urllib.request

from markdown_it import MarkdownIt

from site_pages import anchor

MARKDOWN = MarkdownIt("commonmark").enable("table")

METHODS = ("get", "post", "put", "patch", "delete")


def served(hk):
    """What a server answers at /openapi.json."""
    with tempfile.TemporaryDirectory() as store:
        server = subprocess.Popen([hk, "serve", "--port", "0", "--json", "--store", f"{store}/health.sqlite"],
                                  stdout=subprocess.PIPE, text=True)
        try:
            address = re.match(r"https?://[^/]+", json.loads(server.stdout.readline())["url"])[0]
            return json.load(urllib.request.urlopen(f"{address}/openapi.json"))
        finally:
            server.terminate()
            server.wait()


def prose(text):
    """A description in Markdown. It names guides by their paths, such as Docs/Sync.md."""
    return re.sub(r"\bDocs/([A-Za-z-]+)\.md\b", r'<a href="\1.html">\1</a>', MARKDOWN.render(text))


def code(text):
    return f"<code>{html.escape(str(text))}</code>"


def table(heads, rows):
    cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return "<table><tr>" + "".join(f"<th>{head}</th>" for head in heads) + f"</tr>{cells}</table>"


def kind(schema):
    """A schema in a few words, with links to named ones."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f'<a href="#{anchor(name)}">{html.escape(name)}</a>'
    for key, word in (("oneOf", " or "), ("anyOf", " or "), ("allOf", " with ")):
        if key in schema:
            return word.join(dict.fromkeys(kind(part) for part in schema[key]))
    if "const" in schema:
        return code(json.dumps(schema["const"]))
    if "enum" in schema:
        names = [code(value) for value in schema["enum"]]
        return "one of " + ", ".join(names[:12]) + (f" … ({len(names)})" if len(names) > 12 else "")
    types = schema.get("type", "anything")
    types = [types] if isinstance(types, str) else types
    words = []
    for name in types:
        if name == "array":
            words.append(f'list of {kind(schema.get("items", {}))}')
        elif name == "object" and isinstance(schema.get("additionalProperties"), dict) and not schema.get("properties"):
            words.append(f'{kind(schema["additionalProperties"])} by name')
        else:
            words.append(name + (f' ({schema["format"]})' if "format" in schema and name == "string" else ""))
    return " or ".join(words)


def members(schema, schemas):
    """The rows of an object's members, with those of the schemas it extends."""
    rows = []
    for part in schema.get("allOf", []):
        target = schemas[part["$ref"].rsplit("/", 1)[1]] if "$ref" in part else part
        rows += members(target, schemas)
    required = schema.get("required", [])
    for name, member in schema.get("properties", {}).items():
        note = "" if name in required else ' <span class="required">optional</span>'
        rows.append((code(name) + note, kind(member), html.escape(member.get("description", ""))))
    return rows


def request(path, method, operation, shared):
    name = f"{method.upper()} {path}"
    parts = [f"<h3>{code(name)}</h3>", f'<p>{html.escape(operation.get("summary", ""))}</p>',
             prose(operation.get("description", ""))]
    rows = [(code(p["name"]) + ('' if p.get("required") else ' <span class="required">optional</span>'), p["in"],
             kind(p.get("schema", {})), html.escape(p.get("description", "")),
             code(p["example"] if not isinstance(p["example"], list) else ",".join(map(str, p["example"])))
             if "example" in p else "") for p in shared + operation.get("parameters", []) if "name" in p]
    if rows:
        parts.append(table(("parameter", "in", "type", "meaning", "example"), rows))
    bodies = [(code(media), kind(content.get("schema", {})))
              for media, content in operation.get("requestBody", {}).get("content", {}).items()]
    if bodies:
        parts.append("<p>Body:</p>" + table(("media type", "content"), bodies))
    answers = []
    for status, answer in operation.get("responses", {}).items():
        if "$ref" in answer:
            answer = {"description": answer["$ref"].rsplit("/", 1)[1]}
        content = [f'{code(media)}: {kind(value.get("schema", {}))}'
                   for media, value in answer.get("content", {}).items()]
        answers.append((code(status), html.escape(answer.get("description", "")), "<br>".join(content)))
    parts.append("<p>Answers:</p>" + table(("status", "meaning", "content"), answers))
    return "".join(parts)


def write(site, document):
    text = json.dumps(document, indent=1, ensure_ascii=False)
    (site.folder / "openapi.json").write_text(text, encoding="utf-8")
    parts = ['<h1>HTTP reference</h1><p>From <a href="../openapi.json">openapi.json</a> (OpenAPI 3.1), which every '
             'server answers. The guide is <a href="API.html">The HTTP API</a>. '
             f'{html.escape(document["info"]["description"])}</p>']
    for tag in document["tags"]:
        parts.append(f'<h2>{html.escape(tag["name"])}</h2>' + prose(tag.get("description", "")))
        for path, methods in document["paths"].items():
            for method in METHODS:
                if tag["name"] in methods.get(method, {}).get("tags", [])[:1]:
                    parts.append(request(path, method, methods[method], methods.get("parameters", [])))
    parts.append("<h2>Schemas</h2>")
    schemas = document["components"]["schemas"]
    for name, schema in schemas.items():
        parts.append(f"<h3>{html.escape(name)}</h3>")
        if "description" in schema:
            parts.append(f'<p>{html.escape(schema["description"])}</p>')
        rows = members(schema, schemas)
        parts.append(table(("member", "type", "meaning"), rows) if rows else f"<p>{kind(schema)}</p>")
    site.page("guides/HTTP-reference.html", "HTTP reference", "".join(parts))
