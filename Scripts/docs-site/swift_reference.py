"""The DocC archives: one of each library with a catalog, merged into one."""

import json
import pathlib
import re
import shutil
import subprocess
import sys


def resources(root, catalog):
    """Files that the catalog names and that other parts of this package have: pictures, and the code of tutorials."""
    text = "".join(path.read_text(encoding="utf-8") for path in catalog.iterdir())
    template = [path for path in (root / "Examples/AppTemplate").rglob("*")
                if path.is_file() and ".build" not in path.parts]
    for path in [*(root / "Docs/Images").iterdir(), *template]:
        name = rf"\b{re.escape(path.stem)}({re.escape(path.suffix)})?[,\")]"
        if path.name != "README.md" and re.search(name, text):
            yield path


def archive(root, tools, graphs, folder, catalog, site):
    name = catalog.stem
    staged, own = folder / f"catalogs/{name}.docc", folder / f"symbols/{name}"
    shutil.copytree(catalog, staged)
    for path in resources(root, catalog):
        shutil.copy(path, staged)
    own.mkdir(parents=True)
    for graph in [*graphs.glob(f"{name}.symbols.json"), *graphs.glob(f"{name}@*.symbols.json")]:
        shutil.copy(graph, own)
    target = folder / f"archives/{name}.doccarchive"
    target.parent.mkdir(exist_ok=True)
    run = subprocess.run(
        [tools / "docc", "convert", staged, "--additional-symbol-graph-dir", own, "--fallback-display-name", name,
         "--fallback-bundle-identifier", f"org.openhealthkit.{name}", "--transform-for-static-hosting",
         "--hosting-base-path", "api", "--output-path", target], capture_output=True, text=True)
    # Of DocC's warnings, those about the catalog's own pages are errors.
    broken = re.findall(
        r"(?m)^(?:warning|error): (.*)\n +--> (?:.*/)?(\S+\.(?:md|tutorial):\S+)", run.stdout + run.stderr)
    site.errors.extend(f"{name}.docc/{place}: {text}" for text, place in broken)
    if run.returncode:
        sys.exit(run.stderr[-4000:])
    return target


def texts(value):
    """All text below a value of DocC's JSON, in order."""
    if isinstance(value, dict):
        for key in ("title", "text", "code"):
            if isinstance(value.get(key), str):
                yield value[key]
        for key in ("inlineContent", "content", "items", "rows", "sections", "contentSection", "stepsSection", "tasks",
                    "chapters", "caption"):
            yield from texts(value.get(key))
    elif isinstance(value, list):
        for part in value:
            yield from texts(part)


def index(site):
    """Lets symbols be found by name and summary, articles and tutorials by all of their text."""
    data = site.folder / "api/data"
    for path in sorted(data.rglob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        metadata = document.get("metadata", {})
        title = metadata.get("title")
        if not title:
            continue
        place = f"api/{path.relative_to(data).with_suffix('')}/"
        summary = " ".join(texts(document.get("abstract", [])))
        if metadata.get("role") in ("symbol", "collection", "dictionarySymbol") and "symbolKind" in metadata:
            parents = pathlib.PurePosixPath(document["identifier"]["url"].split("/documentation/")[-1]).parts[:-1]
            page = "Swift: " + ".".join(parents) if parents else "Swift"
            site.index(page, title, place, summary)
        else:
            kind = "Tutorial" if "/tutorials/" in f"/{place}" else "Swift"
            parts = [document.get("primaryContentSections", []), document.get("sections", [])]
            site.index(kind, title, place, " ".join([summary, *texts(parts)]))


def frame(site):
    """Gives the pages of DocC a way back to the others, in the element that DocC reserves for it."""
    for path in (site.folder / "api").rglob("index.html"):
        up = "../" * len(path.relative_to(site.folder).parts[:-1])
        links = " · ".join(f'<a href="{up}{address}">{title}</a>' for title, address in (
            ("OpenHealthKit", "index.html"), ("Guides", "index.html#guides"), ("HTTP", "guides/HTTP-reference.html"),
            ("Python", "guides/Python-reference.html")))
        header = f'<nav aria-label="Site" style="padding: 10px 22px; font: 15px system-ui, sans-serif">{links}</nav>'
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"(<body[^>]*>)", rf'\1<template id="custom-header">{header}</template>', text, count=1),
                        encoding="utf-8")
    (site.folder / "api/theme-settings.json").write_text("{}\n")


def write(root, swift, build, folder, site):
    tools = pathlib.Path(shutil.which(swift)).resolve().parent
    graphs = folder / "graphs"
    subprocess.run([root / "Scripts/symbol-graphs", swift, build, graphs], check=True)
    catalogs = sorted(root.glob("Sources/*/*.docc"))
    archives = [archive(root, tools, graphs, folder, catalog, site) for catalog in catalogs]
    subprocess.run([tools / "docc", "merge", *archives, "--synthesized-landing-page-name", "OpenHealthKit",
                    "--output-path", site.folder / "api"], check=True)
    frame(site)
    index(site)
