// Clinical documents (CDA): their sections with texts and tables. Nothing of a document is put into the page as it is.

import { html } from "../app/dom.js";
import { localized } from "../app/language.js";
import { figures } from "../components/cards.js";

export function row({ fields = {} }) {
  return { title: fields.title ?? localized("Clinical document"), value: fields.custodianName };
}

export function details({ fields = {} }) {
  const text = decoded(fields.documentData?.data);
  const sections = text ? sectionsOf(new DOMParser().parseFromString(text, "text/xml")) : [];
  return [
    figures([
      fields.patientName && [localized("Patient"), fields.patientName],
      fields.authorName && [localized("Author"), fields.authorName],
      fields.custodianName && [localized("Institution"), fields.custodianName],
    ], "worded"),
    sections.length > 0
      ? sections
      : html("p.muted", localized("The document has no sections that can be read here.")),
    text && html(
      "details.values",
      html("summary", localized("The whole document")),
      html("pre.source", { tabindex: "0" }, text),
    ),
  ];
}

function decoded(base64) {
  if (!base64) return "";
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
}

const named = (element, name) => [...element.children].find((child) => child.localName === name);

function sectionsOf(parsed) {
  return [...parsed.getElementsByTagNameNS("*", "section")].map((section) => {
    const content = named(section, "text");
    return html(
      "section.stack",
      html("h3", named(section, "title")?.textContent.trim() || localized("Section")),
      content ? blocks(content) : null,
    );
  });
}

/** The text of a narrative in XHTML; nothing if it has none. */
export function narrative(markup) {
  if (!markup) return undefined;
  const found = blocks(new DOMParser().parseFromString(markup, "text/html").body);
  return found.length > 0 ? html("div.stack", found) : undefined;
}

/** Paragraphs, lists and tables of a narrative, by the names that both CDA and HTML have for them. */
function blocks(element) {
  const made = [];
  let loose = "";
  const flush = () => {
    if (loose.trim()) made.push(html("p", loose.trim()));
    loose = "";
  };
  for (const node of element.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) {
      loose += node.textContent;
    } else if (node.nodeType === Node.ELEMENT_NODE) {
      const name = node.localName.toLowerCase();
      if (["script", "style"].includes(name)) continue;
      if (name === "table") {
        flush();
        made.push(tableOf(node));
      } else if (["list", "ul", "ol"].includes(name)) {
        flush();
        made.push(html("ul.bullets", [...node.children].map((item) => html("li", item.textContent.trim()))));
      } else if (["p", "paragraph", "div", "section", "h1", "h2", "h3", "h4"].includes(name)) {
        flush();
        made.push(...blocks(node));
      } else if (name === "br") {
        flush();
      } else {
        loose += node.textContent;
      }
    }
  }
  flush();
  return made;
}

function tableOf(element) {
  const rows = [...element.getElementsByTagNameNS("*", "tr")];
  return html(
    "div.scroll",
    { tabindex: "0", role: "region", "aria-label": localized("Table") },
    html(
      "table.table",
      rows.map((one) =>
        html(
          "tr",
          [...one.children].map((cell) =>
            html(cell.localName === "th" ? "th" : "td", cell.localName === "th" ? { scope: "col" } : {},
              cell.textContent.trim())
          ),
        )
      ),
    ),
  );
}
