"""The site: its pages, the texts to search, and the links that have to lead somewhere."""

import html
import html.parser
import json
import pathlib
import re
import urllib.parse

FOLDER = pathlib.Path(__file__).parent


def anchor(heading):
    """The anchor of a heading, as GitHub makes them."""
    return "".join(c for c in heading.lower() if c.isalnum() or c in " -_").replace(" ", "-")


def plain(markup):
    """The text of markup."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


class Site:
    """A folder of pages with one header, a list of guides, and a search in all of their text."""

    def __init__(self, folder, without=()):
        self.folder = folder
        self.without = without  # Where pages are that aren't built this time.
        self.folder.mkdir(parents=True)
        self.sections = []
        self.errors = []
        self.groups = []  # The guides by group: (group, [(title, path)]).

    def page(self, path, title, body):
        """Writes a page, gives its headings anchors, and indexes what is below each of them."""
        parts = re.split(r"(<h[1-4][^>]*>.*?</h[1-4]>)", body, flags=re.S)
        headings, used, heading, place = [], set(), "", path
        for index, part in enumerate(parts):
            found = re.fullmatch(r"<h([1-4])([^>]*)>(.*?)</h\1>", part, re.S)
            if not found:
                self.index(title, heading, place, plain(part))
                continue
            level, attributes, content = found.groups()
            words = plain(content)
            name = anchor(words)
            while name in used:
                name += "-1"
            used.add(name)
            link = f'<a class="here" href="#{name}" aria-label="Link to this section">#</a>' if level != "1" else ""
            parts[index] = f'<h{level} id="{name}"{attributes}>{content}{link}</h{level}>'
            heading, place = words, f"{path}#{name}" if level != "1" else path
            if level == "2":
                headings.append((words, name))
        up = "../" * path.count("/")
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{html.escape(title)} – OpenHealthKit</title><link rel="icon" href="{up}icon.svg">
<link rel="stylesheet" href="{up}style.css"></head>
<body><a class="skip" href="#content">Skip to the content</a>
<header><a href="{up}index.html"><b>OpenHealthKit</b></a><nav aria-label="References">
<a href="{up}index.html#guides">Guides</a><a href="{up}api/tutorials/testingtutorials/">Tutorials</a>
<a href="{up}api/documentation/">Swift</a><a href="{up}guides/HTTP-reference.html">HTTP</a>
<a href="{up}guides/Python-reference.html">Python</a><a href="{up}demo/index.html">Demo</a></nav>
<input type="search" placeholder="Search all pages (/)" aria-label="Search all pages"></header>
<div id="search-results" aria-live="polite"></div>
<div class="columns">{self.side(path, up, headings)}<main id="content">{"".join(parts)}</main></div>
<script>const ROOT = "{up}";</script><script src="{up}search.js"></script></body></html>
""", encoding="utf-8")

    def index(self, page, heading, place, text):
        """Lets a section be found. Long ones, such as tables, are indexed as they are."""
        if text or heading:
            self.sections.append([page, heading, place, text])

    def side(self, path, up, headings):
        """All guides, and the sections of this page below it."""
        own = "".join(f'<li><a href="#{name}">{html.escape(words)}</a></li>' for words, name in headings)
        parts, is_listed = [], False
        for group, guides in self.groups:
            parts.append(f"<h2>{html.escape(group)}</h2><ul>")
            for title, place in guides:
                is_own = place == path
                is_listed |= is_own
                current = ' aria-current="page"' if is_own else ""
                parts.append(f'<li><a href="{up}{place}"{current}>{html.escape(title)}</a>'
                             + (f"<ul>{own}</ul>" if is_own and own else "") + "</li>")
            parts.append("</ul>")
        if not is_listed and own:
            parts.insert(0, f"<h2>On this page</h2><ul>{own}</ul>")
        return ('<nav class="side" aria-label="Guides"><details><summary>All guides and sections</summary>'
                + "".join(parts) + "</details></nav>"
                # Open where it is a separate column, at this page.
                """<script>
document.querySelector(".side details").open = matchMedia("(min-width: 1000px)").matches;
const own = document.querySelector(".side [aria-current]"), side = document.querySelector(".side");
if (own) side.scrollTop = own.offsetTop - side.offsetTop - 60;
</script>""")

    def finish(self):
        """Writes the search and checks every link of every page."""
        for name in ("style.css", "search.js", "icon.svg"):
            (self.folder / name).write_bytes((FOLDER / name).read_bytes())
        index = ",\n".join(json.dumps(section, ensure_ascii=False) for section in self.sections)
        (self.folder / "search-index.js").write_text(f"const SECTIONS = [\n{index}\n];\n", encoding="utf-8")
        pages = {}
        for path in self.folder.rglob("*.html"):
            # The pages of DocC and the demo are programs, whose links are checked elsewhere.
            if not path.is_relative_to(self.folder / "api") and not path.is_relative_to(self.folder / "demo"):
                pages[path] = Page(path.read_text(encoding="utf-8"))
        for path, page in pages.items():
            # A link leads to the first of them, such as the search instead of a heading.
            self.errors += [f"{path.relative_to(self.folder)} has two elements with the identifier {name}"
                            for name in page.repeated]
            for address in page.links:
                self.check(path, address, pages)
        for page, heading, place, _ in self.sections:
            self.check(self.folder / "index.html", urllib.parse.quote(place, safe="/#"), pages)

    def check(self, path, address, pages):
        if re.match(r"[a-z]+:|//", address):
            return
        name, _, fragment = urllib.parse.unquote(address).partition("#")
        target = path if not name else (path.parent / name).resolve()
        if self.without and str(target.relative_to(self.folder)).startswith(self.without):
            return
        if target.is_dir():
            target /= "index.html"
        if not target.exists():
            self.errors.append(f"{path.relative_to(self.folder)} links to {address}, which doesn't exist")
        elif fragment and target in pages and fragment not in pages[target].names:
            self.errors.append(f"{path.relative_to(self.folder)} links to {address}, which isn't a heading")


class Page(html.parser.HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.names, self.repeated = [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src"):
                self.links.append(value)
            elif name == "id":
                if value in self.names:
                    self.repeated.append(value)
                self.names.add(value)
