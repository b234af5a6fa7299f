"""The reference of the Python package, from its docstrings. Nothing is imported, because the library isn't built."""

import ast
import html
import re

from markdown_it import MarkdownIt

MARKDOWN = MarkdownIt("commonmark")


def prose(text):
    """A docstring as markup: paragraphs, lists and examples."""
    if not text:
        return ""
    parts = []
    for block in re.split(r"\n\s*\n", re.sub(r"``([^`]+)``", r"`\1`", text)):
        if block.lstrip().startswith(">>>"):
            parts.append(f"```\n{block}\n```")
        else:
            parts.append(block)
    return MARKDOWN.render("\n\n".join(parts))


def public(body):
    """The functions and classes of a body that have names for others, without overloads."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            if not any(ast.unparse(mark).endswith("overload") for mark in node.decorator_list):
                yield node


class Reference:
    def __init__(self, package):
        self.package = package
        self.nodes = {}
        for path in sorted(package.glob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            if path.name == "__init__.py":
                self.introduction = ast.get_docstring(tree)
                self.names = next(ast.literal_eval(node.value) for node in tree.body
                                  if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
            for node in tree.body:
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                    self.nodes.setdefault(node.name, node)
                elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                    self.nodes.setdefault(node.targets[0].id, node)

    def signature(self, node, owner=""):
        arguments = ast.unparse(node.args)
        if owner:
            arguments = re.sub(r"^(self|cls)(, )?", "", arguments)
        result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        prefix = f"{owner}." if owner else ""
        short = f"{prefix}{node.name}({arguments}){result}"
        if len(short) > 100:
            lines = re.sub(r", (?=[*\w]+(:|,|$|=))", ",\n    ", arguments)
            short = f"{prefix}{node.name}(\n    {lines}\n){result}"
        return short

    def function(self, node, owner=""):
        name = f"{owner}.{node.name}" if owner else node.name
        level = 3
        if owner and any(ast.unparse(mark) == "property" for mark in node.decorator_list):
            shown = f"{name}: {ast.unparse(node.returns)}"
        else:
            shown = self.signature(node, owner.lower() if owner in ("Store", "Table") else owner)
        return (f"<h{level}>{html.escape(name)}</h{level}><pre><code>{html.escape(shown)}</code></pre>"
                + prose(ast.get_docstring(node)))

    def bases(self, node):
        """The class and those of the package that it extends: their members are its own."""
        yield node
        for base in node.bases:
            found = self.nodes.get(ast.unparse(base).rsplit(".", 1)[-1])
            if isinstance(found, ast.ClassDef):
                yield from self.bases(found)

    def entry(self, name):
        node = self.nodes[name]
        if isinstance(node, ast.Assign):
            return f"<h3>{name}</h3><pre><code>{html.escape(ast.unparse(node))}</code></pre>"
        if isinstance(node, ast.FunctionDef):
            return self.function(node)
        bases = ", ".join(base for base in map(ast.unparse, node.bases) if base in self.names or base not in self.nodes)
        shown = f"class {name}({bases})" if bases else f"class {name}"
        parts = [f"<h2>{name}</h2><pre><code>{html.escape(shown)}</code></pre>", prose(ast.get_docstring(node))]
        seen = set()
        for owner in self.bases(node):
            for member in public(owner.body):
                if isinstance(member, ast.FunctionDef) and member.name not in seen:
                    seen.add(member.name)
                    parts.append(self.function(member, name))
        fields = [part for part in node.body
                  if isinstance(part, ast.AnnAssign) and not part.target.id.startswith("_")]
        if fields:
            lines = "\n".join(ast.unparse(field) for field in fields)
            parts.insert(2, f"<pre><code>{html.escape(lines)}</code></pre>")
        return "".join(parts)

    def write(self, site):
        is_class = {name: isinstance(self.nodes[name], ast.ClassDef) for name in self.names}
        body = ["<h1>Python reference</h1>", prose(self.introduction),
                '<p>The guide is <a href="Python.html">Python, data frames and C</a>.</p>',
                "<h2>Functions and types</h2>"]
        body += [self.entry(name) for name in self.names if not is_class[name]]
        order = sorted((name for name in self.names if is_class[name]), key=lambda name: name.endswith("Error"))
        body += [self.entry(name) for name in order]
        site.page("guides/Python-reference.html", "Python reference", "".join(body))
