"""The guides: README.md is the first page, and Docs/X.md is guides/X.html."""

import html
import re
import shutil

from markdown_it import MarkdownIt

from site_pages import anchor

REPOSITORY = "https://github.com/openhealthkit/OpenHealthKit/blob/main"


class Guides:
    def __init__(self, root, site):
        self.root, self.site = root, site
        self.markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
        self.places = {root / "README.md": "index.html"}
        for name in ("CONTRIBUTING", "SECURITY", "CHANGELOG"):
            self.places[root / f"{name}.md"] = f"guides/{name}.html"
        for path in sorted((root / "Docs").rglob("*.md")):
            self.places[path] = f"guides/{path.relative_to(root / 'Docs').with_suffix('.html')}"
        self.texts = {path: path.read_text(encoding="utf-8") for path in self.places}
        self.headings = {path: {anchor(heading) for heading in re.findall(r"^#+ (.+)$", text, re.M)}
                         for path, text in self.texts.items()}

    def title(self, path):
        return re.search(r"^# (.+)$", self.texts[path], re.M)[1]

    def collect(self):
        """The list of all guides: the groups of README.md's table, and what is in none of them."""
        table = self.texts[self.root / "README.md"].split("\n## Guides\n")[1].split("\n## ")[0]
        listed = set()
        for group, guides in re.findall(r"^\| \*\*(.+?)\*\* \| (.+) \|$", table, re.M):
            entries = []
            for title, address in re.findall(r"\[([^\]]+)\]\(([^)]+)\)", guides):
                path = self.root / address
                if path.is_dir():
                    entries += [(self.title(page), self.places[page]) for page in sorted(path.glob("*.md"))]
                    listed.update(path.glob("*.md"))
                else:
                    entries.append((title, self.places[path]))
                    listed.add(path)
                if path.name == "README.md":
                    entries += [(self.title(page), self.places[page]) for page in sorted(path.parent.glob("*.md"))
                                if page != path]
                    listed.update(path.parent.glob("*.md"))
            self.site.groups.append((group, entries))
        self.site.groups.append(("References", [
            ("Tutorial: test on Linux", "api/tutorials/healthtesting/testonlinux/"),
            ("Tutorial: from an export to answers", "api/tutorials/applehealthexport/fromanexporttoanswers/"),
            ("Swift", "api/documentation/"), ("HTTP", "guides/HTTP-reference.html"),
            ("Python", "guides/Python-reference.html")]))
        rest = [path for path in self.places if path not in listed and path != self.root / "README.md"]
        self.site.groups.append(("More", [(self.title(path), self.places[path]) for path in rest]))

    def write(self):
        shutil.copytree(self.root / "Docs/Images", self.site.folder / "Docs/Images", dirs_exist_ok=True)
        for path, place in self.places.items():
            body = self.markdown.render(self.texts[path])
            body = re.sub(r'(href|src)="([^"]*)"', lambda match: self.link(match, path, place), body)
            if place == "index.html":
                body = self.cards(body)
            self.site.page(place, self.title(path), body)

    def link(self, match, path, place):
        """A link of a document as one of its page. Files of the repository are on GitHub."""
        attribute, address = match[1], html.unescape(match[2])
        if re.match(r"[a-z]+:|//", address):
            return match[0]
        name, _, fragment = address.partition("#")
        target = (path.parent / name).resolve() if name else path
        up = "../" * place.count("/")
        if target == self.root / "Docs/Decisions":
            target = self.root / "Docs/Decisions/Third-edition.md"
        if target == self.root / "Scripts/tables/api-reference.md":
            return f'{attribute}="{up}guides/HTTP-reference.html"'
        if target in self.places:
            if fragment and fragment not in self.headings[target]:
                self.site.errors.append(f"{path.relative_to(self.root)} links to {address}, which isn't a heading")
            return f'{attribute}="{up}{self.places[target]}{"#" + fragment if fragment else ""}"'
        if not target.exists():
            self.site.errors.append(f"{path.relative_to(self.root)} links to {address}, which doesn't exist")
        if target.is_relative_to(self.root / "Docs/Images"):
            return f'{attribute}="{up}{target.relative_to(self.root)}"'
        return f'{attribute}="{REPOSITORY}/{target.relative_to(self.root)}"'

    @staticmethod
    def cards(body):
        """The sections below “Get started” as cards beside each other."""
        before, sections, after = re.fullmatch(r"(.*<h2>Get started</h2>)(.*?)(<h2>.*)", body, re.S).groups()
        cards = [f"<section>{card}</section>" for card in re.split(r"(?=<h3>)", sections) if card.strip()]
        return f'{before}<div class="cards">{"".join(cards)}</div>{after}'
