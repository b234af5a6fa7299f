// The values of a chart as a table, below it.

import { html, put } from "../app/dom.js";
import { localized } from "../app/language.js";
import { scrollArea } from "./cards.js";

/** A table with a caption that screen readers say: `titles` of columns, and `rows` of texts. */
export function table(caption, titles, rows) {
  return html(
    "table.table.wrapped",
    html("caption.sr", caption),
    html("thead", html("tr", titles.map((title) => html("th", { scope: "col" }, title)))),
    html("tbody", rows.map((row) => html("tr", row.map((text) => html("td", text))))),
  );
}

/** The same, made when a person opens it. */
export function valueTable(caption, titles, rows) {
  const place = html("div");
  const open = ({ currentTarget }) => {
    if (currentTarget.open && !place.firstChild) put(place, scrollArea(caption, table(caption, titles, rows())));
  };
  return html("details.values", { ontoggle: open }, html("summary", localized("Table of values")), place);
}
